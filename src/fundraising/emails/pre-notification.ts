import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import type { Email } from '#platform/email/outbox.ts'
import { type Language, pickByLanguage } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { decryptIban } from '../encryption/iban-encryption.ts'
import { maskIban } from '../money/iban.ts'
import { toAmount } from '../money/money.ts'
import * as collections from '../payments/direct-debit/collections/queries.ts'
import { renderBlocks } from './layout.ts'
import { buildDonationLink } from './link.ts'

/**
 * Announces the debit day to the donor, as the SEPA scheme requires. `about`: collection, campaign, donation. Sends
 * nothing if the donation will not be collected.
 */
export async function buildPreNotificationEmail(
  db: Database,
  settings: Settings,
  about: string
): Promise<Email | undefined> {
  const [collectionId, campaignId, donationId = ''] = about.split(' ')
  const of = { collectionId: Number(collectionId), campaignId: Number(campaignId), donationId }
  const notice = await collections.findPreNotification(db, of)
  if (notice === undefined || notice.email === null || notice.encryptedIban === null) return undefined
  const language = notice.language ?? settings.defaultLanguage
  const text = pickByLanguage(strings, language)
  const { greeting, greetingTo, amount, reference, look, regards } = getMessages('donation-emails', language)
  const euros = new Intl.NumberFormat(text.locale, { style: 'currency', currency: 'EUR' })
  const day = new Intl.DateTimeFormat(text.locale, { dateStyle: 'long', timeZone: 'UTC' })
  const sum = euros.format(toAmount(notice.amountCents))
  const collectOn = day.format(new Date(`${notice.collectOn}T12:00:00Z`))
  const campaign = notice.campaignTranslations[language]?.name ?? notice.campaignName
  const blocks = [
    notice.donorName === null ? greeting : greetingTo({ name: notice.donorName }),
    text.opening(sum, campaign, collectOn),
    {
      facts: [
        [text.day, collectOn],
        [amount, sum],
        [text.account, maskIban(decryptIban(settings, notice.encryptedIban))],
        [text.creditor, notice.creditorName],
        [text.creditorId, notice.creditorId],
        [text.mandate, notice.reference],
        [reference, notice.reference]
      ] satisfies [string, string][]
    },
    text.rights,
    ...buildDonationLink(settings, notice, { language, look }),
    `${regards}\n${notice.creditorName}`
  ]
  const to = { name: notice.donorName ?? '', address: notice.email }
  return { to, subject: text.subject(sum, collectOn), ...renderBlocks(blocks, language) }
}

interface PreNotificationStrings {
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

const strings: Record<Language, PreNotificationStrings> = {
  en: {
    locale: 'en-GB',
    subject: (sum, day) => `Direct debit of ${sum} on ${day}`,
    opening: (sum, campaign, day) =>
      `Thank you for your donation to “${campaign}”. As agreed, we will collect ${sum} from your account by direct debit on ${day}. Please make sure that there are sufficient funds in the account.`,
    day: 'Collection date',
    account: 'Your account',
    creditor: 'Collected by',
    creditorId: 'Creditor identifier',
    mandate: 'Mandate reference',
    rights:
      'You can revoke the mandate until we submit the direct debit to our bank. After the debit you can request a refund from your bank within eight weeks, without giving a reason.'
  },
  de: {
    locale: 'de-DE',
    subject: (sum, day) => `Ankündigung: Lastschrift über ${sum} am ${day}`,
    opening: (sum, campaign, day) =>
      `vielen Dank für Ihre Spende für „${campaign}“. Wie vereinbart ziehen wir ${sum} am ${day} per Lastschrift von Ihrem Konto ein. Bitte sorgen Sie dafür, dass das Konto an diesem Tag gedeckt ist.`,
    day: 'Einzugsdatum',
    account: 'Ihr Konto',
    creditor: 'Zahlungsempfänger',
    creditorId: 'Gläubiger-Identifikationsnummer',
    mandate: 'Mandatsreferenz',
    rights:
      'Sie können das Mandat widerrufen, bis wir die Lastschrift bei unserer Bank einreichen. Nach dem Einzug können Sie sich den Betrag binnen acht Wochen ohne Angabe von Gründen von Ihrer Bank zurückbuchen lassen.'
  }
}
