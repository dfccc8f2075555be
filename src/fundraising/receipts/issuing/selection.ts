import type { Database } from '#platform/database/database.ts'
import { toLocalDay } from '../../dates.ts'
import * as organisation from '../../organisation/queries.ts'
import { newDonationHasReceiptProblem, newDonationNotFoundProblem } from '../../problems/donations.ts'
import {
  newDonationNotReceivedProblem,
  newDonorUnknownProblem,
  newFeeNotDeductibleProblem,
  newGiftInKindNeedsOwnReceiptProblem,
  newNoDonationsInYearProblem,
  newReceiptPeriodTakenProblem,
  newSampleDonationProblem
} from '../../problems/receipts.ts'
import { findSampleDonations } from '../../sample-donations.ts'
import type { Claim } from '../claims.ts'
import * as claims from '../claims.ts'
import { isWithin, listFreePeriods, type Period } from '../period.ts'
import type { NewReceipt, ReceiptKind } from '../schema.ts'
import type { ReceiptCandidate } from './eligible-payments.ts'
import * as candidates from './eligible-payments.ts'
import { groupByDonor, isOwnClaim } from './group-by-donor.ts'

/** The payments on one receipt: one donor, one currency. */
export interface ReceiptSelection {
  kind: ReceiptKind
  lines: ReceiptCandidate[]
  period: Period
}

interface SelectionTime {
  timezone: string
  now: Date
}

/** The requested payments without a receipt: of one donation, or all of a donor in a year. */
export async function selectRequested(
  tx: Database,
  { timezone, now }: SelectionTime,
  input: NewReceipt
): Promise<ReceiptSelection> {
  const { kind, donation, donor } = input
  const { membershipFeesDeductible } = await organisation.find(tx)
  if (kind === 'single') {
    const lines = donation === undefined ? [] : await candidates.lockCandidates(tx, [donation])
    // The oldest payment without a receipt; each further payment gets a receipt of its own.
    const one = lines.find(({ receiptNumber }) => receiptNumber === null) ?? lines[0]
    if (one === undefined) throw newDonationNotFoundProblem()
    const day = requireReceivedDay(one)
    if (one.kind === 'membership_fee' && !membershipFeesDeductible) throw newFeeNotDeductibleProblem()
    return { kind, lines: [one], period: { from: day, to: day } }
  }
  if (donor === undefined) throw newDonationNotFoundProblem()
  const named = await candidates.findCampaignOfDonation(tx, {
    donationId: donor.donationId,
    ...toCreatedRange(donor.donationId)
  })
  if (named === undefined) throw newDonationNotFoundProblem()
  if (named.donorSearch === null) throw newDonorUnknownProblem(['name'])
  await candidates.lockName(tx, named.donorSearch)
  const key = { campaignId: named.campaignId, id: donor.donationId }
  const known = await candidates.lockCandidates(tx, [key])
  const [base] = known
  if (base === undefined || base.donorSearch === null) throw newDonorUnknownProblem(['name'])
  const found = await candidates.listByName(tx, base.donorSearch, donor.year)
  const others = found.filter(one => one.id !== base.id)
  const own = groupByDonor([...known, ...others]).find(group => group.some(one => one.id === base.id)) ?? []
  const inYear = own.filter(one => one.receivedOn?.startsWith(`${donor.year}-`) && one.currency === base.currency)
  const received = inYear.filter(one => one.receiptNumber === null && one.status === 'TRANSFERRED')
  const samples = await findSampleDonations(tx, received)
  const free = received.filter(one => !samples.has(one.id))
  if (free.length === 0 && received[0] !== undefined) throw newSampleDonationProblem(received[0].reference)
  refuseEmpty(inYear, free, { year: donor.year, membershipFeesDeductible })
  // Read again under the lock, so that they cannot change any more.
  const locked = await candidates.lockCandidates(tx, free)
  for (const one of locked) requireReceivedDay(one)
  const today = toLocalDay(now, timezone)
  const claimed = (await claims.listClaims(tx, base.donorSearch, donor.year)).filter(claim => isOwnClaim(claim, own))
  const money = locked.filter(one => canBeListed(one, membershipFeesDeductible))
  const { choices, blocked } = splitByPeriod(money, { year: donor.year, claimed, today })
  const [first] = choices
  if (first !== undefined) return { ...first, kind: 'collective' }
  throw blocked[0] === undefined
    ? newNoDonationsInYearProblem(donor.year)
    : newReceiptPeriodTakenProblem(blocked[0].claim.number)
}

/** Donations in kind have a form of their own, and fees that are not deductible are not certified. */
export function canBeListed({ kind }: ReceiptCandidate, membershipFeesDeductible: boolean): boolean {
  return kind !== 'in_kind' && (kind !== 'membership_fee' || membershipFeesDeductible)
}

function refuseEmpty(
  inYear: ReceiptCandidate[],
  free: ReceiptCandidate[],
  { year, membershipFeesDeductible }: { year: number; membershipFeesDeductible: boolean }
): void {
  if (free.some(one => canBeListed(one, membershipFeesDeductible))) return
  if (free.some(one => one.kind === 'in_kind')) throw newGiftInKindNeedsOwnReceiptProblem()
  if (free.length > 0) throw newFeeNotDeductibleProblem()
  const certified = inYear.find(one => one.receiptNumber !== null)?.receiptNumber
  throw certified == null ? newNoDonationsInYearProblem(year) : newDonationHasReceiptProblem(certified)
}

/** The day of the payment; throws if it cannot be certified. */
function requireReceivedDay(one: ReceiptCandidate): string {
  if (one.status !== 'TRANSFERRED' || one.receivedOn === null)
    throw newDonationNotReceivedProblem(one.reference, one.status)
  if (one.receiptNumber !== null) throw newDonationHasReceiptProblem(one.receiptNumber)
  return one.receivedOn
}

export interface BlockedLines {
  lines: ReceiptCandidate[]
  claim: Claim
}

/**
 * One receipt per part of the year that no other collective receipt to the donor covers. Payments within a covered
 * period wait until that receipt is withdrawn, or get a single receipt.
 */
export function splitByPeriod(
  lines: ReceiptCandidate[],
  { year, claimed, today }: { year: number; claimed: Claim[]; today: string }
): { choices: ReceiptSelection[]; blocked: BlockedLines[] } {
  const within = (period: Period) => lines.filter(one => one.receivedOn !== null && isWithin(one.receivedOn, period))
  const periods = claimed.map(({ period }) => period)
  return {
    choices: listFreePeriods(year, periods, today)
      .map(period => ({ kind: 'collective' as const, lines: within(period), period }))
      .filter(choice => choice.lines.length > 0),
    blocked: claimed.map(claim => ({ lines: within(claim.period), claim })).filter(one => one.lines.length > 0)
  }
}

/** A single receipt covers the day of its payment. */
export function selectSingle(line: ReceiptCandidate): ReceiptSelection {
  const day = line.receivedOn ?? ''
  return { kind: 'single', lines: [line], period: { from: day, to: day } }
}

/** A range around the timestamp in an id, which can be slightly later than the row's: see platform/ids.ts. */
function toCreatedRange(id: string): { after: Date; before: Date } {
  const moment = Number.parseInt(id.replace('-', '').slice(0, 12), 16)
  // An invalid timestamp matches nothing.
  const safe = moment < 8_000_000_000_000 ? moment : 0
  return { after: new Date(safe - 2000), before: new Date(safe + 1) }
}
