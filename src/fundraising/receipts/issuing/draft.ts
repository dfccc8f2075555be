import type { Caller } from '#platform/caller.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import { listUnprintable } from '#platform/images/fonts.ts'
import { type Language, toLegalLanguage } from '#platform/language.ts'
import { toLocalDay } from '../../dates.ts'
import * as organisation from '../../organisation/queries.ts'
import {
  newDonorNotPrintableProblem,
  newDonorUnknownProblem,
  newHandSignatureRequiredProblem,
  newNotSignedByMachineProblem,
  newReceiptNeedsEuroProblem,
  newSampleDonationProblem,
  newTooManyDonationsForReceiptProblem
} from '../../problems/receipts.ts'
import { findSampleDonations } from '../../sample-donations.ts'
import type { ReceiptContent } from '../content.ts'
import * as receipts from '../queries.ts'
import { legalCurrency, type NewReceipt } from '../schema.ts'
import { type ReceiptCandidate, toLine } from './eligible-payments.ts'
import { getAddress } from './group-by-donor.ts'
import { buildIssuer, isSignedByMachine, removeSignature } from './issuer.ts'
import type { ReceiptSelection } from './selection.ts'

/** The most lines on a collective receipt. */
const linesMax = 1000

/** Who issues, when, and in which run. */
export interface IssueContext {
  by: Caller
  settings: Settings
  now: Date
  runId?: string
}

/** A receipt ready to be issued, without its number. */
export interface Draft {
  year: number
  prefix: string
  /** The certified payments and their donor. */
  lines: ReceiptCandidate[]
  content: Omit<ReceiptContent, 'number'>
  /** The id of the receipt that it replaces. */
  replaces: string | null
  sent: boolean
}

/** Builds the content of a receipt, or rejects it; no later step rejects it. */
export async function draftReceipt(
  tx: Database,
  { settings, now }: IssueContext,
  { kind, lines: chosen, period }: ReceiptSelection,
  wanted: Pick<NewReceipt, 'language' | 'send'>
): Promise<Draft> {
  if (chosen.length > linesMax) throw newTooManyDonationsForReceiptProblem(linesMax)
  // Checked here because every receipt passes through this function.
  const samples = await findSampleDonations(tx, chosen)
  const invented = chosen.find(one => samples.has(one.id))
  if (invented !== undefined) throw newSampleDonationProblem(invented.reference)
  const today = toLocalDay(now, settings.timezone)
  const [own, replaced] = await Promise.all([organisation.find(tx), receipts.findWithdrawnReceipt(tx, chosen)])
  const isMoney = chosen.every(one => one.kind === 'money' || one.kind === 'membership_fee')
  const issuer = isMoney ? buildIssuer(own, today) : removeSignature(buildIssuer(own, today))
  const donor = getDonor(chosen)
  const language = wanted.language ?? getLanguage(donor)
  const currency = chosen[0]?.currency ?? legalCurrency
  if (language === 'de' && currency !== legalCurrency) throw newReceiptNeedsEuroProblem(currency)
  const canBeSent = isMoney && (language === 'en' || isSignedByMachine(issuer))
  if (wanted.send === true && !canBeSent)
    throw isMoney ? newNotSignedByMachineProblem() : newHandSignatureRequiredProblem()
  const lines = chosen.map(toLine)
  const described = lines.flatMap(({ inKind }) => [
    inKind?.description ?? '',
    inKind?.condition ?? '',
    inKind?.basis ?? ''
  ])
  const unprintable = listUnprintable(described.join(' '))
  if (unprintable.length > 0) throw newDonorNotPrintableProblem(unprintable)
  return {
    year: Number(today.slice(0, 4)),
    prefix: own.receiptPrefix,
    lines: chosen,
    content: {
      kind,
      language,
      issuedOn: today,
      issuedAt: now.toISOString(),
      currency,
      amountCents: lines.reduce((sum, { amountCents }) => sum + amountCents, 0),
      issuer,
      donor: { name: donor.name, address: donor.address },
      period,
      donations: lines,
      replaces: replaced?.number ?? null
    },
    replaces: replaced?.id ?? null,
    sent: wanted.send !== false && canBeSent && donor.email !== null && settings.smtpUrl !== undefined
  }
}

/** The complete content, once the sequence number is known. */
export function assignNumber({ prefix, year, content }: Draft, sequence: number): ReceiptContent {
  const number = [...(prefix === '' ? [] : [prefix]), year, String(sequence).padStart(6, '0')].join('-')
  return { number, ...content }
}

interface Donor {
  name: string
  address: NonNullable<ReturnType<typeof getAddress>>
  email: string | null
  language: Language | null
}

/** The donor's latest name and address. */
function getDonor(chosen: ReceiptCandidate[]): Donor {
  const latest = chosen.toReversed()
  const name = latest.find(one => one.donorName !== null)?.donorName ?? null
  const address = latest.map(getAddress).find(one => one !== undefined)
  if (name === null || address === undefined) {
    throw newDonorUnknownProblem(
      [...(name === null ? ['name'] : []), ...(address === undefined ? ['address'] : [])],
      chosen
    )
  }
  const unprintable = listUnprintable([name, ...Object.values(address)].join(' '))
  if (unprintable.length > 0) throw newDonorNotPrintableProblem(unprintable)
  return {
    name,
    address,
    email: latest.find(one => one.email !== null)?.email ?? null,
    language: latest.find(one => one.language !== null)?.language ?? null
  }
}

/** The German tax office requires the German form, whatever the donor's language. */
function getLanguage({ address, language }: Donor): Language {
  return address.country === 'DE' ? 'de' : toLegalLanguage(language ?? 'en')
}
