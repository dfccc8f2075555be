import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database.ts'
import type { Language } from '#platform/language.ts'
import type { Letter } from '#platform/mail/letter.ts'
import * as collections from '../direct-debit/collections/queries.ts'
import { maskedIban } from '../iban.ts'
import { toAmount } from '../money.ts'
import { openIban } from '../vault.ts'
import { laidOut } from './layout.ts'
import { linkToDonation } from './link.ts'
import { words as common } from './words.ts'

/**
 * Tells a donor the day on which the account will be debited, which the scheme wants to be done. `about`: collection, campaign,
 * donation. Nothing goes out for what will not be collected.
 */
export async function preNotification(db: Database, settings: Settings, about: string): Promise<Letter | undefined> {
  const [collectionId, campaignId, donationId = ''] = about.split(' ')
  const of = { collectionId: Number(collectionId), campaignId: Number(campaignId), donationId }
  const notice = await collections.findNotice(db, of)
  if (notice === undefined || notice.email === null || notice.sealedIban === null) return undefined
  const language = notice.language ?? settings.defaultLanguage
  const text = words[language]
  const { greeting, greetingTo, amount, reference, page, look, regards } = common[language]
  const euros = new Intl.NumberFormat(text.locale, { style: 'currency', currency: 'EUR' })
  const day = new Intl.DateTimeFormat(text.locale, { dateStyle: 'full', timeZone: 'UTC' })
  const sum = euros.format(toAmount(notice.amountCents))
  const collectOn = day.format(new Date(`${notice.collectOn}T12:00:00Z`))
  const campaign = notice.campaignTranslations[language]?.name ?? notice.campaignName
  const blocks = [
    notice.donorName === null ? greeting : greetingTo(notice.donorName),
    text.opening(sum, campaign, collectOn),
    {
      facts: [
        [text.day, collectOn],
        [amount, sum],
        [text.account, maskedIban(openIban(settings, notice.sealedIban))],
        [text.creditor, notice.creditorName],
        [text.creditorId, notice.creditorId],
        [text.mandate, notice.reference],
        [reference, notice.reference]
      ] satisfies [string, string][]
    },
    text.rights,
    ...linkToDonation(settings, notice, { page, look }),
    `${regards}\n${notice.creditorName}`
  ]
  const to = { name: notice.donorName ?? '', address: notice.email }
  return { to, subject: text.subject(sum, collectOn), ...laidOut(blocks, language) }
}

interface Words {
  locale: string
  subject(sum: string, day: string): string
  opening(sum: string, campaign: string, day: string): string
  day: string
  account: string
  creditor: string
  creditorId: string
  mandate: string
  rights: string
}

const words: Record<Language, Words> = {
  en: {
    locale: 'en-GB',
    subject: (sum, day) => `We will collect ${sum} on ${day}`,
    opening: (sum, campaign, day) =>
      `Thank you for your donation to “${campaign}”. As agreed, we will collect ${sum} from your account by direct debit on ${day}. Please see to it that the account has enough money that day.`,
    day: 'Day of the debit',
    account: 'Your account',
    creditor: 'Collected by',
    creditorId: 'Creditor identifier',
    mandate: 'Mandate reference',
    rights:
      'You can take the mandate back until we hand the file to our bank. After the debit you can have the money paid back by your bank within eight weeks, without giving a reason.'
  },
  de: {
    locale: 'de-DE',
    subject: (sum, day) => `Wir ziehen am ${day} ${sum} ein`,
    opening: (sum, campaign, day) =>
      `vielen Dank für Ihre Spende für „${campaign}“. Wie vereinbart ziehen wir ${sum} am ${day} per Lastschrift von Ihrem Konto ein. Bitte sorgen Sie dafür, dass das Konto an diesem Tag gedeckt ist.`,
    day: 'Tag des Einzugs',
    account: 'Ihr Konto',
    creditor: 'Zahlungsempfänger',
    creditorId: 'Gläubiger-Identifikationsnummer',
    mandate: 'Mandatsreferenz',
    rights:
      'Sie können das Mandat widerrufen, bis wir die Datei unserer Bank übergeben. Nach dem Einzug können Sie sich den Betrag binnen acht Wochen ohne Angabe von Gründen von Ihrer Bank zurückbuchen lassen.'
  }
}
