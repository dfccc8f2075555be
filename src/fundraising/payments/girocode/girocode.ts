import { isSEPACountry } from 'ibantools'
import { findBank } from '#platform/banking/banks.ts'
import { isInEconomicArea } from '#platform/banking/economic-area.ts'
import { buildText } from '#platform/messages/messages.ts'
import type { DonationRow } from '../../donations/donation-row.ts'
import { isValidIban } from '../../money/iban.ts'
import { toCampaignReference } from '../../money/reference.ts'
import { newNoQrCodeProblem } from '../../problems/donations.ts'

/** The capacity of a version 13 code with error correction M, the largest that the standard allows. */
const bytesMax = 331
const nameCharactersMax = 70
/** Fits every name in Latin letters, and leaves room for the text next to the longest one. */
const nameBytesMax = 140
const textCharactersMax = 140

/** The recipient and the purpose; without an amount the donor chooses one. */
export interface Transfer {
  iban: string
  holder: string
  amountCents: number | null
  /** The remittance text: the reference of a donation, or the reference and name of a campaign. */
  text: string
}

/**
 * The payload for banking apps (EPC069-12 version 002): one value per line, without trailing empty lines. Holder and
 * text are shortened if they are too long; a reference is always short enough to fit.
 */
export function buildPayload({ iban, holder, amountCents, text }: Transfer): string {
  const head = ['BCD', '002', '1', 'SCT', findBank(iban)?.bic ?? '']
  const tail = [iban, amountCents === null ? '' : `EUR${(amountCents / 100).toFixed(2)}`, 'CHAR', '']
  const name = shorten(holder, nameCharactersMax, nameBytesMax)
  const before = [...head, name, ...tail, ''].join('\n')
  return before + shorten(text, textCharactersMax, bytesMax - Buffer.byteLength(before))
}

/** Cuts the text to one line, at grapheme boundaries. */
function shorten(text: string, charactersMax: number, bytesLeft: number): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  let [kept, characters, bytes] = ['', 0, 0]
  for (const { segment } of segmenter.segment(line)) {
    characters += [...segment].length
    bytes += Buffer.byteLength(segment)
    if (characters > charactersMax || bytes > bytesLeft) return kept.trimEnd()
    kept += segment
  }
  return kept
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The account that receives the money of a campaign. */
export interface TransferTarget {
  iban: string
  holder: string
  currency: string
}

/** Refuses a code for a transfer that no bank would execute. */
export function createTransfer(
  { iban, holder, currency }: TransferTarget,
  amountCents: number | null,
  text: string
): Transfer {
  if (currency !== 'EUR') throw newNoQrCodeProblem(buildText('girocode-problems', 'currency', { currency }))
  if (!isValidIban(iban)) throw newNoQrCodeProblem(buildText('girocode-problems', 'iban'))
  if (!isSEPACountry(iban.slice(0, 2))) throw newNoQrCodeProblem(buildText('girocode-problems', 'country'))
  // EPC069-12 version 002 allows an omitted BIC within the European Economic Area only.
  if (!isInEconomicArea(iban) && !findBank(iban)?.bic) throw newNoQrCodeProblem(buildText('girocode-problems', 'bic'))
  return { iban, holder, amountCents, text }
}

/** Without an amount, while the campaign accepts donations; drafts have a code too, for printing before they open. */
export function createCampaignTransfer(
  target: TransferTarget & { id: number; name: string; status: string; endsAt: string | null },
  now: Date
): Transfer {
  const hasEnded = target.endsAt !== null && now.toISOString() >= target.endsAt
  if (target.status === 'closed' || hasEnded) throw newNoQrCodeProblem(buildText('girocode-problems', 'closed'))
  // The reference comes first, because a text that is too long loses its end.
  return createTransfer(target, null, `${toCampaignReference(target.id)} ${target.name}`)
}

/** While the money is awaited, also after the campaign has closed: it was promised before. */
export function createDonationTransfer(
  donation: Pick<DonationRow, 'amountCents' | 'receivedCents' | 'reference' | 'status' | 'paymentMethod'>,
  target: TransferTarget
): Transfer {
  if (donation.status !== 'IN_PROCESS')
    throw newNoQrCodeProblem(buildText('girocode-problems', 'status', { status: donation.status }))
  if (donation.paymentMethod === 'direct_debit') throw newNoQrCodeProblem(buildText('girocode-problems', 'directDebit'))
  return createTransfer(target, donation.amountCents - donation.receivedCents, donation.reference)
}
