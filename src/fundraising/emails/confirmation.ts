import { friendlyFormatIBAN } from 'ibantools'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import type { Email } from '#platform/email/outbox.ts'
import { getLocale, type Language } from '#platform/language.ts'
import { getMessages, type Messages } from '#platform/messages/messages.ts'
import { Problem } from '#platform/problem.ts'
import * as site from '#platform/site/queries.ts'
import { parseDonationKey } from '../donations/donation-emails.ts'
import { toAmount } from '../money/money.ts'
import { buildPayload, createDonationTransfer } from '../payments/girocode/girocode.ts'
import { formatTitle, renderPng } from '../payments/girocode/qr-image.ts'
import { type EmailBlock, renderBlocks } from './layout.ts'
import { buildDonationLink } from './link.ts'
import type { DonationEmailData } from './queries.ts'
import * as emails from './queries.ts'

/** Keeps us from flooding a stranger's mailbox: further promises with the same address get no e-mail that day. */
const promisesADayMax = 5
const dayMs = 24 * 60 * 60 * 1000

/** How to pay, while payment is due. Contains no donor input, because the address may belong to someone else. */
export async function buildDonationMadeEmail(
  db: Database,
  settings: Settings,
  about: string
): Promise<Email | undefined> {
  const known = await loadEmailData(db, settings, about)
  if (known === undefined || known.facts.status !== 'IN_PROCESS') return undefined
  const { facts, to, language, text, amount, link, signature } = known
  if ((await emails.countWithEmail(db, to, new Date(Date.now() - dayMs))) > promisesADayMax) return undefined

  const isCollected = facts.paymentMethod === 'direct_debit'
  const campaign = getCampaignName(facts, language)
  const { blocks, attachments } = isCollected
    ? {
        blocks: [text.collected({ amount }), { facts: [[text.reference, facts.reference]] } as EmailBlock],
        attachments: []
      }
    : await buildPaymentSection(facts, language, amount)
  const subject = isCollected ? text.debitSubject({ amount, campaign }) : text.madeSubject({ amount, campaign })
  const opening = text.made({ amount, campaign })
  const ending = [...link, text.notYou, signature]
  return { to, subject, ...renderBlocks([text.greeting, opening, ...blocks, ...ending], language), attachments }
}

/** Confirms that the money arrived. */
export async function buildDonationReceivedEmail(
  db: Database,
  settings: Settings,
  about: string
): Promise<Email | undefined> {
  const known = await loadEmailData(db, settings, about)
  if (known === undefined || known.facts.status !== 'TRANSFERRED') return undefined
  const { facts, to, language, text, amount, link, signature } = known
  const campaign = getCampaignName(facts, language)
  const blocks: EmailBlock[] = [
    facts.donorName === null ? text.greeting : text.greetingTo({ name: facts.donorName }),
    text.received({ amount, campaign }),
    { facts: [[text.reference, facts.reference]] },
    facts.receiptRequested ? text.receiptFollows : '',
    ...link,
    signature
  ]
  const address = { name: facts.donorName ?? '', address: to }
  return { to: address, subject: text.receivedSubject({ amount, campaign }), ...renderBlocks(blocks, language) }
}

interface ConfirmationData {
  facts: DonationEmailData
  to: string
  language: Language
  text: Messages<'donation-emails'>
  amount: string
  link: EmailBlock[]
  signature: string
}

/** Returns undefined if the e-mail is no longer wanted: the donor was erased, or confirmations were turned off. */
async function loadEmailData(db: Database, settings: Settings, about: string): Promise<ConfirmationData | undefined> {
  const donation = parseDonationKey(about)
  const facts = donation && (await emails.findEmailData(db, donation))
  if (facts === undefined || facts.email === null || !facts.confirmationMails) return undefined
  const { name } = await site.find(db)
  const language = facts.language ?? settings.defaultLanguage
  const text = getMessages('donation-emails', language)
  const amount = new Intl.NumberFormat(getLocale(language), { style: 'currency', currency: facts.currency })
  return {
    facts,
    to: facts.email,
    language,
    text,
    // The received amount once the money arrived: it can differ from the promise.
    amount: amount.format(toAmount(facts.status === 'TRANSFERRED' ? facts.receivedCents : facts.amountCents)),
    link: buildDonationLink(settings, facts, { language, look: text.look }),
    signature: `${text.regards}\n${name === '' ? facts.holder : name}`
  }
}

async function buildPaymentSection(
  facts: DonationEmailData,
  language: Language,
  amount: string
): Promise<{ blocks: EmailBlock[]; attachments: NonNullable<Email['attachments']> }> {
  const text = getMessages('donation-emails', language)
  const rows: [string, string][] = [
    [text.holder, facts.holder],
    [text.iban, friendlyFormatIBAN(facts.iban) ?? facts.iban],
    ...(facts.bankName === '' ? [] : [[text.bank, facts.bankName] satisfies [string, string]]),
    [text.amount, amount],
    [text.reference, facts.reference]
  ]
  const code = await buildGiroCode(facts, language)
  return {
    blocks: [text.pay, { facts: rows }, text.keepReference, ...(code?.blocks ?? [])],
    attachments: code === undefined ? [] : [code.attachment]
  }
}

const giroCodeFileName = 'girocode.png'

async function buildGiroCode(facts: DonationEmailData, language: Language) {
  try {
    const transfer = createDonationTransfer(facts, facts)
    const attachment = { name: giroCodeFileName, type: 'image/png', content: renderPng(buildPayload(transfer)) }
    const blocks: EmailBlock[] = [
      getMessages('donation-emails', language).scan,
      { picture: giroCodeFileName, alt: formatTitle(transfer, language) }
    ]
    return { attachment, blocks }
  } catch (error) {
    // No QR code is possible for this account; the e-mail still explains how to pay.
    if (error instanceof Problem) return undefined
    throw error
  }
}

/** The campaign's name in the donor's language. */
function getCampaignName({ campaignName, campaignTranslations }: DonationEmailData, language: Language): string {
  return campaignTranslations[language]?.name ?? campaignName
}
