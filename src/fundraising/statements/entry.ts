import type { Caller } from '#platform/access.ts'
import { record } from '#platform/activity/activity.ts'
import { type IfMatch, refuseStale } from '#platform/conditional.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database.ts'
import type { Language } from '#platform/language.ts'
import { Problem } from '#platform/problem.ts'
import { bookDonations } from '../donations/booking.ts'
import type { DonationRow } from '../donations/queries.ts'
import type { DonationStatus } from '../donations/schema.ts'
import { lockAll } from '../donations/status-queries.ts'
import { toAmount } from '../money.ts'
import {
  donationHasMovedOn,
  donationHasReceipt,
  entryCannotBeAssigned,
  entryIsAssigned,
  entryNotFound,
  ignoredAndAssigned,
  noSuchDonationForEntry,
  nothingSuggested,
  statementNotFound,
  wrongNumberOfEntries
} from '../problems.ts'
import * as receipts from '../receipts/queries.ts'
import { addNotes, noteOfDifference, noteOfReturn } from './bank-note.ts'
import type { EntryRow } from './entry-queries.ts'
import * as entries from './entry-queries.ts'
import type { Reason } from './matching/reasons.ts'
import * as statements from './queries.ts'
import { type Confirmation, type Confirmed, confirmedMax, type EntryChange } from './schema.ts'

/** Somebody who decides, and when. */
interface Deciding {
  by: Caller
  settings: Settings
  now: Date
}

interface OneEntry {
  statementId: number
  id: string
}

interface OneDonation {
  campaignId: number
  id: string
}

/** Says what an entry is for, or that it is for nothing, or takes back what was said. */
export async function changeEntry(
  db: Database,
  deciding: Deciding,
  { statementId, id }: OneEntry,
  change: EntryChange,
  expected: IfMatch
): Promise<EntryRow> {
  const { donation, ignored } = change
  if (ignored === true && donation) throw ignoredAndAssigned()
  return await db.transaction(async tx => {
    // In this order everywhere: statement, entry, donation.
    if ((await statements.lock(tx, statementId)) === undefined) throw statementNotFound(statementId)
    const before = await entries.lockEntry(tx, statementId, id)
    if (before === undefined) throw entryNotFound()
    refuseStale(expected, before.version)

    let entry = before
    if (donation === null) entry = await takeBack(tx, deciding, entry)
    if (donation) entry = await assign(tx, deciding, entry, donation)
    if (ignored === true) entry = await ignore(tx, entry)
    if (ignored === false && entry.result === 'ignored') entry = await entries.updateEntry(tx, atRest(entry))
    if (entry.version === before.version) return before
    await statements.recount(tx, statementId)
    await recordChange(tx, deciding, before, entry)
    return entry
  })
}

/** Books each for what was suggested, or for what is named, by itself: one that cannot be does not hold up the others. */
export async function confirmEntries(
  db: Database,
  deciding: Deciding,
  statementId: number,
  { entries: wanted }: Confirmation,
  language: Language
): Promise<Confirmed> {
  if (wanted.length < 1 || wanted.length > confirmedMax) throw wrongNumberOfEntries(confirmedMax)
  if ((await statements.find(db, statementId)) === undefined) throw statementNotFound(statementId)
  const results: Confirmed['results'] = []
  for (const { id, donation, version } of wanted) {
    try {
      const chosen = donation ?? (await firstSuggestion(db, statementId, id))
      const expected = version === undefined ? undefined : [version]
      await changeEntry(db, deciding, { statementId, id }, { donation: chosen }, expected)
      results.push({ id, ok: true })
    } catch (error) {
      // What is not the entry's fault, such as a database that went away, is an answer to the whole.
      if (!(error instanceof Problem) || error.status >= 500) throw error
      results.push({ id, ok: false, code: error.code, message: error.text[language] })
    }
  }
  return { results, booked: results.filter(({ ok }) => ok).length }
}

async function firstSuggestion(db: Database, statementId: number, id: string): Promise<OneDonation> {
  const entry = await entries.findEntry(db, statementId, id)
  if (entry === undefined) throw entryNotFound()
  if (entry.campaignId !== null && entry.donationId !== null) {
    return { campaignId: entry.campaignId, id: entry.donationId }
  }
  const [first] = entry.suggestions
  if (first === undefined) throw nothingSuggested()
  return { campaignId: first.campaignId, id: first.id }
}

async function assign(tx: Database, deciding: Deciding, given: EntryRow, wanted: OneDonation): Promise<EntryRow> {
  if (given.result === 'known' || given.isPending || given.amountCents === 0) throw entryCannotBeAssigned(given.result)
  if (given.donationId === wanted.id && given.campaignId === wanted.campaignId) return given
  const entry = await takeBack(tx, deciding, given)
  const [donation] = await lockAll(tx, [wanted])
  if (donation === undefined) throw noSuchDonationForEntry()

  const isReturn = entry.direction === 'out'
  const to: DonationStatus = isReturn ? 'FAILED' : 'TRANSFERRED'
  const canMove = isReturn ? ['TRANSFERRED', 'IN_PROCESS'] : ['IN_PROCESS', 'CANCELLED', 'FAILED']
  const moves = canMove.includes(donation.status)
  // What is there already is there: a second payment for the same donation, or its second return, moves nothing.
  if (!moves && donation.status !== to) throw donationHasMovedOn(donation.status)
  if (moves) await move(tx, deciding, entry, donation, to)
  await note(tx, deciding, entry, donation)

  const suggested = entry.suggestions.find(one => one.id === wanted.id && one.campaignId === wanted.campaignId)
  const reason: Reason | null = moves || isReturn ? null : 'already-received'
  return await entries.updateEntry(tx, {
    ...entry,
    result: isReturn ? 'returned' : 'booked',
    reason,
    campaignId: wanted.campaignId,
    donationId: wanted.id,
    matchedBy: suggested?.by ?? 'manual',
    statusBefore: moves ? donation.status : null
  })
}

async function move(
  tx: Database,
  { by, settings, now }: Deciding,
  entry: EntryRow,
  donation: DonationRow,
  to: DonationStatus
): Promise<void> {
  await bookDonations(tx, by, [{ before: donation, to, day: entry.bookedOn ?? entry.valueOn }], { settings, now })
}

/** The books say why a donation failed, and when another amount came than was promised: the donation keeps its own. */
async function note(
  tx: Database,
  { by, settings, now }: Deciding,
  entry: EntryRow,
  donation: DonationRow
): Promise<void> {
  const language = settings.defaultLanguage
  if (entry.direction === 'out') {
    await addNotes(tx, by, [{ of: donation, text: noteOfReturn(entry, entry.statementId, language) }], now)
    return
  }
  const [shown] = await statements.listDonations(tx, [donation])
  const isExact = shown?.currency === entry.currency && donation.amountCents === entry.amountCents
  if (isExact || shown === undefined) return
  const text = noteOfDifference(entry, shown, entry.statementId, language)
  await addNotes(tx, by, [{ of: donation, text }], now)
}

/**
 * A correction that only an entry can make: what it moved goes back to where it was. Not where a receipt certifies the money, nor
 * where the donation has moved on since.
 */
async function takeBack(tx: Database, deciding: Deciding, entry: EntryRow): Promise<EntryRow> {
  const { campaignId, donationId, statusBefore, statementId, id, result, matchedBy } = entry
  if (campaignId === null || donationId === null) return entry
  if (statusBefore !== null) {
    const [donation] = await lockAll(tx, [{ campaignId, id: donationId }])
    const made: DonationStatus = result === 'returned' ? 'FAILED' : 'TRANSFERRED'
    if (donation === undefined || donation.status !== made) throw donationHasMovedOn(donation?.status ?? '')
    const handed =
      result === 'booked' && (await entries.handOn(tx, { statementId, id, campaignId, donationId, statusBefore }))
    if (!handed) {
      const receipt = await receipts.findLiveOf(tx, { campaignId, id: donationId })
      if (receipt !== undefined && result === 'booked') throw donationHasReceipt(receipt.number)
      await bookDonations(tx, deciding.by, [{ before: donation, to: statusBefore, day: null }], deciding)
    }
  }
  const taken = { campaignId, id: donationId, by: matchedBy ?? ('manual' as const) }
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
  if (entry.donationId !== null) throw entryIsAssigned()
  if (entry.result === 'known') throw entryCannotBeAssigned(entry.result)
  return await entries.updateEntry(tx, { ...entry, result: 'ignored', reason: 'by-hand' satisfies Reason })
}

/** Where an entry is that nobody has said anything about. */
function atRest(entry: EntryRow): EntryRow {
  if (entry.isPending) throw entryCannotBeAssigned(entry.result)
  if (entry.suggestions.length > 0) return { ...entry, result: 'suggested', reason: null }
  const reason: Reason = entry.direction === 'out' ? 'outgoing' : 'no-donation'
  return { ...entry, result: 'unmatched', reason }
}

/** Who paid stays out of it; the donation's own record says what became of it. */
async function recordChange(
  tx: Database,
  { by, now }: Deciding,
  before: EntryRow,
  { id, statementId, result, campaignId, donationId, amountCents }: EntryRow
): Promise<void> {
  const details = { entryId: id, result, before: before.result, amount: toAmount(amountCents), campaignId, donationId }
  await record(tx, by, now, 'statement.entry_changed', { subject: 'statement', id: statementId, details })
}
