import { record } from '#platform/activity/activity.ts'
import type { Caller } from '#platform/caller.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import { type IfMatch, requireVersion } from '#platform/http/etag.ts'
import { type Language, pickByLanguage } from '#platform/language.ts'
import { Problem } from '#platform/problem.ts'
import { type Booking, bookDonations } from '../../../donations/booking.ts'
import type { DonationRow } from '../../../donations/donation-row.ts'
import type { PaymentRow } from '../../../donations/payments/queries.ts'
import * as payments from '../../../donations/payments/queries.ts'
import type { DonationStatus } from '../../../donations/schema.ts'
import { lockDonations, setUndoneByEntry } from '../../../donations/status-queries.ts'
import { toAmount } from '../../../money/money.ts'
import { newDonationAndDonationsProblem } from '../../../problems/payments.ts'
import {
  newCollectionNotAloneProblem,
  newEntryAssignedProblem,
  newEntryCountProblem,
  newEntryDonationNotFoundProblem,
  newEntryNotAssignableProblem,
  newEntryNotFoundProblem,
  newEntryOutgoingProblem,
  newExtraNeedsDonationProblem,
  newIgnoredAndAssignedProblem,
  newNoSuggestionProblem,
  newRememberNeedsIgnoredProblem,
  newStatementNotFoundProblem
} from '../../../problems/statements.ts'
import type { EntryRow } from '../entry-queries.ts'
import * as entries from '../entry-queries.ts'
import type { Reason } from '../matching/reasons.ts'
import * as statements from '../queries.ts'
import { type AssignedDonation, type Confirmation, type Confirmed, confirmedMax, type EntryChange } from '../schema.ts'
import { addNotes, formatReturnNote } from './donation-note.ts'
import { linkCollection } from './entry-collection.ts'
import { bookArrival, bookReturn, getShares } from './entry-shares.ts'
import { insertEntryDonation } from './insert-entry-donation.ts'
import { copyDonor, getExtraCents } from './overpayment.ts'

/** Who makes the decision, and when. */
export interface DecisionContext {
  by: Caller
  settings: Settings
  now: Date
  /** The local day of the site. */
  today: string
}

export interface EntryKey {
  statementId: number
  id: string
}

interface DonationKey {
  campaignId: number
  id: string
}

/** Assigns an entry, ignores it, or undoes an earlier decision. */
export async function changeEntry(
  db: Database,
  deciding: DecisionContext,
  { statementId, id, expected }: EntryKey & { expected: IfMatch },
  change: EntryChange
): Promise<EntryRow> {
  const { donation, donations, ignored, accept = false, extra, collectionId } = change
  if (extra !== undefined && !donation) throw newExtraNeedsDonationProblem()
  if (collectionId !== undefined && Object.keys(change).length > 1) throw newCollectionNotAloneProblem()
  if (change.remember !== undefined && ignored !== true) throw newRememberNeedsIgnoredProblem()
  if (ignored === true && (donation || donations)) throw newIgnoredAndAssignedProblem()
  if (donation !== undefined && donations !== undefined) throw newDonationAndDonationsProblem()
  const wanted = donations ?? (donation ? [donation] : [])
  return await db.transaction(async tx => {
    // Lock order, the same everywhere: statement, entry, donation.
    if ((await statements.lock(tx, statementId)) === undefined) throw newStatementNotFoundProblem(statementId)
    const before = await entries.lockEntry(tx, statementId, id)
    if (before === undefined) throw newEntryNotFoundProblem()
    requireVersion(expected, before.version)

    let entry = before
    if (donation === null) entry = await undoBooking(tx, deciding, entry)
    if (wanted.length > 0) entry = await assign(tx, deciding, entry, { wanted, accept, hasExtra: extra !== undefined })
    if (collectionId !== undefined) entry = await linkCollection(tx, deciding, entry, collectionId)
    if (ignored === true) entry = await ignore(tx, entry)
    if (ignored === false && entry.result === 'ignored') entry = await entries.updateEntry(tx, resetDecision(entry))
    if (entry.version === before.version) return before
    await statements.recount(tx, statementId)
    await recordEntryChange(tx, deciding, before, entry)
    return entry
  })
}

/** Books each entry for the suggested or named donation in its own transaction, so that one failure blocks no other. */
export async function confirmEntries(
  db: Database,
  deciding: DecisionContext,
  { entries: wanted }: Confirmation,
  { statementId, language }: { statementId: number; language: Language }
): Promise<Confirmed> {
  if (wanted.length < 1 || wanted.length > confirmedMax) throw newEntryCountProblem(confirmedMax)
  if ((await statements.find(db, statementId)) === undefined) throw newStatementNotFoundProblem(statementId)
  const results: Confirmed['results'] = []
  for (const { id, donation, version, accept } of wanted) {
    try {
      const chosen = donation ?? (await findFirstSuggestion(db, statementId, id))
      const expected = version === undefined ? undefined : [version]
      await changeEntry(db, deciding, { statementId, id, expected }, { donation: chosen, accept: accept === true })
      results.push({ id, ok: true })
    } catch (error) {
      // An error that the entry did not cause, such as a lost database connection, fails the whole request.
      if (!(error instanceof Problem) || error.status >= 500) throw error
      results.push({ id, ok: false, code: error.code, message: pickByLanguage(error.text, language) })
    }
  }
  return { results, booked: results.filter(({ ok }) => ok).length }
}

async function findFirstSuggestion(db: Database, statementId: number, id: string): Promise<DonationKey> {
  const entry = await entries.findEntry(db, statementId, id)
  if (entry === undefined) throw newEntryNotFoundProblem()
  if (entry.campaignId !== null && entry.donationId !== null) {
    return { campaignId: entry.campaignId, id: entry.donationId }
  }
  const [first] = entry.suggestions
  if (first === undefined) throw newNoSuggestionProblem()
  return { campaignId: first.campaignId, id: first.id }
}

async function assign(
  tx: Database,
  deciding: DecisionContext,
  given: EntryRow,
  { wanted, accept, hasExtra }: { wanted: AssignedDonation[]; accept: boolean; hasExtra: boolean }
): Promise<EntryRow> {
  if (given.result === 'known' || given.isPending || given.amountCents === 0)
    throw newEntryNotAssignableProblem(given.result)
  if (hasExtra && given.direction === 'out') throw newEntryOutgoingProblem()
  const before = await payments.listOfEntry(tx, given.statementId, given.id)
  if (!hasExtra && isAlreadyBookedFor(given, before, wanted)) {
    if (accept) await acceptSum(tx, deciding, wanted)
    return given
  }
  const entry = await undoBooking(tx, deciding, given)
  const donations = await lockDonations(tx, wanted)
  const found = await statements.listDonations(tx, wanted)
  const extraCents = hasExtra ? await getExtraCents(tx, entry, found[0]) : 0
  const rest = { ...entry, amountCents: entry.amountCents - extraCents }
  const shares = rest.amountCents === 0 ? [] : getShares(rest, hasExtra ? wanted.map(dropAmount) : wanted, found)
  const bookings = shares.map((share): Booking => {
    const donation = donations.find(one => one.id === share.id && one.campaignId === share.campaignId)
    if (donation === undefined) throw newEntryDonationNotFoundProblem()
    return entry.direction === 'in'
      ? bookArrival(entry, donation, share, { accept, today: deciding.today })
      : bookReturn(entry, donation, share, deciding.today)
  })
  await bookDonations(tx, deciding.by, bookings, deciding)
  if (entry.direction === 'out') {
    const notes = shares.map(of => ({
      of,
      text: formatReturnNote(entry, entry.statementId, deciding.settings.defaultLanguage)
    }))
    await addNotes(tx, deciding.by, notes, deciding.now)
  }
  const extra =
    extraCents === 0
      ? []
      : [await insertExtra(tx, deciding, entry, { donation: donations[0], amountCents: extraCents })]
  const [first] = [...shares, ...extra]
  if (first === undefined) throw newEntryDonationNotFoundProblem()
  const suggested = entry.suggestions.find(one => one.id === first.id && one.campaignId === first.campaignId)
  return await entries.updateEntry(tx, {
    ...entry,
    result: entry.direction === 'in' ? 'booked' : 'returned',
    reason: null,
    campaignId: first.campaignId,
    donationId: first.id,
    matchedBy: suggested?.by ?? 'manual',
    statusBefore: bookings[0]?.before.status ?? null,
    collectionId: null,
    ruleId: null
  })
}

const dropAmount = ({ campaignId, id }: AssignedDonation): AssignedDonation => ({ campaignId, id })

/** Turns the overpaid part into a donation of its own, with the same donor and campaign. */
async function insertExtra(
  tx: Database,
  deciding: DecisionContext,
  entry: EntryRow,
  { donation, amountCents }: { donation: DonationRow | undefined; amountCents: number }
): Promise<DonationKey> {
  const campaignId = donation?.campaignId ?? 0
  return await insertEntryDonation(tx, deciding, entry, { donor: copyDonor(donation), campaignId, amountCents })
}

/** The treasurer accepts the received amount as complete. */
async function acceptSum(tx: Database, deciding: DecisionContext, wanted: AssignedDonation[]): Promise<void> {
  const donations = await lockDonations(tx, wanted)
  const waiting = donations.filter(({ status, receivedCents }) => status === 'IN_PROCESS' && receivedCents > 0)
  const bookings = waiting.map((before): Booking => ({ before, status: 'TRANSFERRED' }))
  await bookDonations(tx, deciding.by, bookings, deciding)
}

function isAlreadyBookedFor(entry: EntryRow, booked: PaymentRow[], wanted: AssignedDonation[]): boolean {
  if (entry.donationId === null) return false
  const donations = new Set([`${entry.campaignId} ${entry.donationId}`])
  for (const payment of booked) donations.add(`${payment.campaignId} ${payment.donationId}`)
  return (
    wanted.length === donations.size &&
    wanted.every(one => {
      const cents = booked
        .filter(payment => payment.donationId === one.id)
        .reduce((sum, { amountCents }) => sum + Math.abs(amountCents), 0)
      return donations.has(`${one.campaignId} ${one.id}`) && (one.amount === undefined || one.amount === cents)
    })
  )
}

/** Undoes the booking of an entry, as if requested at the statement. */
export async function undoEntry(tx: Database, deciding: DecisionContext, { statementId, id }: EntryKey): Promise<void> {
  await changeEntry(tx, deciding, { statementId, id, expected: undefined }, { donation: null })
}

/** Takes back the payments of an entry; the other payments determine the status of the donations. */
async function undoBooking(tx: Database, deciding: DecisionContext, entry: EntryRow): Promise<EntryRow> {
  const { campaignId, donationId, statementId, id, matchedBy, statusBefore } = entry
  if (entry.result === 'booked' && entry.collectionId !== null) {
    // Collection and donations stay unchanged: only this entry is no longer the credit.
    return await entries.updateEntry(tx, { ...entry, result: 'suggested', reason: 'taken-back' satisfies Reason })
  }
  if (campaignId === null || donationId === null) return entry
  const booked = await payments.listOfEntry(tx, statementId, id)
  const linked = { campaignId, id: donationId }
  const concerned = [linked, ...booked.map(one => ({ campaignId: one.campaignId, id: one.donationId }))]
  const donations = await lockDonations(tx, concerned)
  const bookings = donations.flatMap((before): Booking[] => {
    const own = booked.filter(one => one.campaignId === before.campaignId && one.donationId === before.id)
    const base = { before, entry: { statementId, id }, isUndo: true }
    const [first] = own
    if (first !== undefined) {
      const status = first.statusBefore as DonationStatus
      return [{ ...base, takeBack: own.map(one => one.id), status }]
    }
    // A rejected debit changed the status without any payment; later changes stay.
    return before.status === 'FAILED' && statusBefore !== null ? [{ ...base, status: statusBefore }] : []
  })
  const after = await bookDonations(tx, deciding.by, bookings, deciding)
  await Promise.all(after.map(async row => await setUndoneByEntry(tx, row, { statementId, id }, row.version)))
  const taken = { ...linked, by: matchedBy ?? ('manual' as const) }
  const others = entry.suggestions.filter(one => one.id !== donationId || one.campaignId !== campaignId)
  return await entries.updateEntry(tx, {
    ...entry,
    result: 'suggested',
    reason: 'taken-back' satisfies Reason,
    campaignId: null,
    donationId: null,
    matchedBy: null,
    statusBefore: null,
    suggestions: [taken, ...others].slice(0, 5)
  })
}

async function ignore(tx: Database, entry: EntryRow): Promise<EntryRow> {
  if (entry.result === 'ignored') return entry
  if (entry.donationId !== null || entry.result === 'booked') throw newEntryAssignedProblem()
  if (entry.result === 'known') throw newEntryNotAssignableProblem(entry.result)
  const ignored = { result: 'ignored' as const, reason: 'by-hand' satisfies Reason }
  return await entries.updateEntry(tx, { ...entry, ...ignored, collectionId: null, ruleId: null })
}

/** The state of an entry without any decision. */
function resetDecision(entry: EntryRow): EntryRow {
  if (entry.isPending) throw newEntryNotAssignableProblem(entry.result)
  if (entry.suggestions.length > 0) return { ...entry, result: 'suggested', reason: null, ruleId: null }
  const reason: Reason = entry.direction === 'out' ? 'outgoing' : 'no-donation'
  return { ...entry, result: 'unmatched', reason, ruleId: null }
}

/** Leaves out the payer; the donation has an activity entry of its own. */
export async function recordEntryChange(
  tx: Database,
  { by, now }: DecisionContext,
  before: EntryRow,
  { id, statementId, result, campaignId, donationId, collectionId, amountCents }: EntryRow
): Promise<void> {
  const linked = { campaignId, donationId, ...(collectionId === null ? {} : { collectionId }) }
  const details = { entryId: id, result, before: before.result, amount: toAmount(amountCents), ...linked }
  await record(tx, { by, now }, 'statement.entry_changed', { subject: 'statement', id: statementId, details })
}
