import type { Actor, Caller } from '#platform/caller.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import { RetryTransaction } from '#platform/database/errors.ts'
import { type IfMatch, requireVersion } from '#platform/http/etag.ts'
import { type Language, pickByLanguage } from '#platform/language.ts'
import { Problem } from '#platform/problem.ts'
import { toLocalDay } from '../../dates.ts'
import { undoEntry } from '../../payments/statements/entries/entry.ts'
import { newDonationCountProblem, newDonationHasReceiptProblem } from '../../problems/donations.ts'
import { newEntrySharedProblem, newNothingToUndoProblem } from '../../problems/payments.ts'
import * as receipts from '../../receipts/queries.ts'
import { type BulkResult, type BulkStatusChange, bulkMax } from '../all-donations/schema.ts'
import { lockDonation } from '../donation.ts'
import { undoStatusChange } from '../donation-payments.ts'
import type { DonationRow } from '../donation-row.ts'
import * as payments from '../payments/queries.ts'
import * as donations from '../queries.ts'
import { findNewestChange } from '../status-queries.ts'

interface DonationKey {
  campaignId: number
  id: string
}

interface UndoOptions {
  settings: Settings
  now?: Date
}

/**
 * Undoes the newest status change of a donation with the payments it recorded, unless something depends on it. A change
 * caused by a bank entry is undone together with the booking of that entry.
 */
export async function undoChange(
  db: Database,
  { by, expected, settings, now = new Date() }: Actor & UndoOptions & { expected: IfMatch },
  one: DonationKey
): Promise<DonationRow> {
  return await db.transaction(async tx => {
    const seen = await findNewestChange(tx, one)
    // Lock order: statements before donations, as everywhere else.
    if (seen?.statementId != null && seen.entryId !== null) {
      const entry = { statementId: seen.statementId, id: seen.entryId }
      const deciding = { by, settings, now, today: toLocalDay(now, settings.timezone) }
      const booked = await payments.listOfEntry(tx, entry.statementId, entry.id)
      if (new Set(booked.map(payment => payment.donationId)).size > 1) throw newEntrySharedProblem(entry.statementId)
      const before = await donations.find(tx, one.campaignId, one.id, 'all')
      requireVersion(expected, before?.version ?? 0)
      if (before !== undefined && before.status !== seen.status) throw newNothingToUndoProblem()
      await undoEntry(tx, deciding, entry)
      return await lockDonation(tx, one.campaignId, one.id)
    }
    const before = await lockDonation(tx, one.campaignId, one.id)
    requireVersion(expected, before.version)
    const change = await findNewestChange(tx, one)
    // An undo at a bank entry can leave a history row that no longer matches the status.
    if (change?.status !== before.status) throw newNothingToUndoProblem()
    if (change.number === 1 && before.status === 'IN_PROCESS') throw newNothingToUndoProblem()
    if (change.statementId !== null) throw new RetryTransaction('A bank entry has just been booked for the donation.')
    if (before.status === 'TRANSFERRED') {
      const receipt = await receipts.findLiveReceipt(tx, before)
      if (receipt !== undefined) throw newDonationHasReceiptProblem(receipt.number)
    }
    return await undoStatusChange(tx, { by, settings, now }, before, change)
  })
}

/** Undoes the newest change of each in a transaction of its own, so that one failure does not block the others. */
export async function undoChanges(
  db: Database,
  by: Caller,
  { donations: wanted }: Pick<BulkStatusChange, 'donations'>,
  { language, ...options }: UndoOptions & { language: Language }
): Promise<BulkResult> {
  if (wanted.length < 1 || wanted.length > bulkMax) throw newDonationCountProblem(bulkMax)
  const results: BulkResult['results'] = []
  for (const { campaignId, id, version } of wanted) {
    try {
      const expected = version === undefined ? undefined : [version]
      await undoChange(db, { by, expected, ...options }, { campaignId, id })
      results.push({ id, ok: true })
    } catch (error) {
      // An error that the donation did not cause, such as a lost database connection, fails the whole request.
      if (!(error instanceof Problem) || error.status >= 500) throw error
      results.push({ id, ok: false, code: error.code, message: pickByLanguage(error.text, language) })
    }
  }
  return { results, changed: results.filter(({ ok }) => ok).length }
}
