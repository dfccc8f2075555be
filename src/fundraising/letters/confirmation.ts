import { friendlyFormatIBAN } from 'ibantools'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database.ts'
import type { Language } from '#platform/language.ts'
import type { Letter } from '#platform/mail/letter.ts'
import { Problem } from '#platform/problem.ts'
import * as site from '#platform/site/queries.ts'
import { payloadOf, transferOf } from '../girocode/girocode.ts'
import { drawPng, titleOf } from '../girocode/wire.ts'
import { toAmount } from '../money.ts'
import { type Block, laidOut } from './layout.ts'
import { linkToDonation } from './link.ts'
import { donationIn } from './posting.ts'
import type { LetterFacts } from './queries.ts'
import * as letters from './queries.ts'
import { words } from './words.ts'

/** So that nobody can have us fill a stranger's mailbox: further promises with the same address are not confirmed that day. */
const promisesADayMax = 5
const dayMs = 24 * 60 * 60 * 1000

/** How to pay, while that is still to be done. Nothing that the donor typed is in it: the address may be somebody else's. */
export async function donationMade(db: Database, settings: Settings, about: string): Promise<Letter | undefined> {
  const known = await factsOf(db, settings, about)
  if (known === undefined || known.facts.status !== 'IN_PROCESS') return undefined
  const { facts, to, language, text, amount, link, signature } = known
  if ((await letters.countWithEmail(db, to, new Date(Date.now() - dayMs))) > promisesADayMax) return undefined

  const isCollected = facts.paymentMethod === 'direct_debit'
  const campaign = campaignIn(facts, language)
  const { blocks, attachments } = isCollected
    ? { blocks: [text.collected(amount), { facts: [[text.reference, facts.reference]] } as Block], attachments: [] }
    : await payment(facts, language, amount)
  const subject = isCollected ? text.debitSubject(amount, campaign) : text.madeSubject(amount, campaign)
  const opening = text.made(amount, campaign)
  const ending = [...link, text.notYou, signature]
  return { to, subject, ...laidOut([text.greeting, opening, ...blocks, ...ending], language), attachments }
}

/** The money has come. */
export async function donationReceived(db: Database, settings: Settings, about: string): Promise<Letter | undefined> {
  const known = await factsOf(db, settings, about)
  if (known === undefined || known.facts.status !== 'TRANSFERRED') return undefined
  const { facts, to, language, text, amount, link, signature } = known
  const campaign = campaignIn(facts, language)
  const blocks: Block[] = [
    facts.donorName === null ? text.greeting : text.greetingTo(facts.donorName),
    text.received(amount, campaign),
    { facts: [[text.reference, facts.reference]] },
    facts.receiptRequested ? text.receiptFollows : '',
    ...link,
    signature
  ]
  const address = { name: facts.donorName ?? '', address: to }
  return { to: address, subject: text.receivedSubject(amount, campaign), ...laidOut(blocks, language) }
}

interface Known {
  facts: LetterFacts
  to: string
  language: Language
  text: (typeof words)[Language]
  amount: string
  link: Block[]
  signature: string
}

/** Undefined where nobody wants the letter any more: the donor was erased, or letters were switched off. */
async function factsOf(db: Database, settings: Settings, about: string): Promise<Known | undefined> {
  const donation = donationIn(about)
  const facts = donation && (await letters.findFacts(db, donation))
  if (facts === undefined || facts.email === null || !facts.confirmationMails) return undefined
  const { name } = await site.find(db)
  const language = facts.language ?? settings.defaultLanguage
  const text = words[language]
  const locale = language === 'de' ? 'de-DE' : 'en-GB'
  const amount = new Intl.NumberFormat(locale, { style: 'currency', currency: facts.currency })
  return {
    facts,
    to: facts.email,
    language,
    text,
    // What has come, once it has: it may not be what was promised.
    amount: amount.format(toAmount(facts.status === 'TRANSFERRED' ? facts.receivedCents : facts.amountCents)),
    link: linkToDonation(settings, facts, text),
    signature: `${text.regards}\n${name === '' ? facts.holder : name}`
  }
}

async function payment(
  facts: LetterFacts,
  language: Language,
  amount: string
): Promise<{ blocks: Block[]; attachments: NonNullable<Letter['attachments']> }> {
  const text = words[language]
  const rows: [string, string][] = [
    [text.holder, facts.holder],
    [text.iban, friendlyFormatIBAN(facts.iban) ?? facts.iban],
    ...(facts.bankName === '' ? [] : [[text.bank, facts.bankName] satisfies [string, string]]),
    [text.amount, amount],
    [text.reference, facts.reference]
  ]
  const code = await codeOf(facts, language)
  return {
    blocks: [text.pay, { facts: rows }, text.keepReference, ...(code?.blocks ?? [])],
    attachments: code === undefined ? [] : [code.attachment]
  }
}

const codeName = 'girocode.png'

async function codeOf(facts: LetterFacts, language: Language) {
  try {
    const transfer = transferOf(facts, facts)
    const attachment = { name: codeName, type: 'image/png', content: drawPng(payloadOf(transfer)) }
    const blocks: Block[] = [words[language].scan, { picture: codeName, alt: titleOf(transfer, language) }]
    return { attachment, blocks }
  } catch (error) {
    // An account that no code can be made for: the letter says how to pay all the same.
    if (error instanceof Problem) return undefined
    throw error
  }
}

/** As the donor calls it. */
function campaignIn({ campaignName, campaignTranslations }: LetterFacts, language: Language): string {
  return campaignTranslations[language]?.name ?? campaignName
}
