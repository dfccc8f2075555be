import type { Caller } from '#platform/access.ts'
import { type IfMatch, refuseStale } from '#platform/conditional.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database.ts'
import { TryAgain } from '#platform/database-server.ts'
import type { Language } from '#platform/language.ts'
import { Problem } from '#platform/problem.ts'
import { dayOf } from '../days.ts'
import { lockDonation } from '../donations/donation.ts'
import { undoStatusChange } from '../donations/donation-payments.ts'
import type { DonationRow } from '../donations/queries.ts'
import * as donations from '../donations/queries.ts'
import { findNewestChange } from '../donations/status-queries.ts'
import { movesMax, type StatusMove, type StatusMoved } from '../ledger/schema.ts'
import { entryIsShared, nothingToUndo } from '../payment-problems.ts'
import * as payments from '../payments/queries.ts'
import { donationHasReceipt, wrongNumberOfDonations } from '../problems.ts'
import * as receipts from '../receipts/queries.ts'
import { takeBackEntry } from '../statements/entry.ts'

interface OneDonation {
  campaignId: number
  id: string
}

interface Options {
  settings: Settings
  now?: Date
}

/**
 * Takes back the newest change of a donation's status, with the payments that it recorded, as long as nothing rests on it. What a bank
 * entry did is taken back together with what the entry is booked for.
 */
export async function undoChange(
  db: Database,
  by: Caller,
  one: OneDonation,
  expected: IfMatch,
  { settings, now = new Date() }: Options
): Promise<DonationRow> {
  return await db.transaction(async tx => {
    const seen = await findNewestChange(tx, one)
    // A statement is locked before its donations everywhere, so it comes first here as well.
    if (seen?.statementId != null && seen.entryId !== null) {
      const entry = { statementId: seen.statementId, id: seen.entryId }
      const deciding = { by, settings, now, today: dayOf(now, settings.timezone) }
      const booked = await payments.listOfEntry(tx, entry.statementId, entry.id)
      if (new Set(booked.map(payment => payment.donationId)).size > 1) throw entryIsShared(entry.statementId)
      const before = await donations.find(tx, one.campaignId, one.id, 'all')
      refuseStale(expected, before?.version ?? 0)
      if (before !== undefined && before.status !== seen.status) throw nothingToUndo()
      await takeBackEntry(tx, deciding, entry)
      return await lockDonation(tx, one.campaignId, one.id)
    }
    const before = await lockDonation(tx, one.campaignId, one.id)
    refuseStale(expected, before.version)
    const change = await findNewestChange(tx, one)
    // What was taken back at a bank entry may have left a change behind that holds no more.
    if (change?.status !== before.status) throw nothingToUndo()
    if (change.number === 1 && before.status === 'IN_PROCESS') throw nothingToUndo()
    if (change.statementId !== null) throw new TryAgain('A bank entry has just been booked for the donation.')
    if (before.status === 'TRANSFERRED') {
      const receipt = await receipts.findLiveOf(tx, before)
      if (receipt !== undefined) throw donationHasReceipt(receipt.number)
    }
    return await undoStatusChange(tx, by, before, change, { settings, now })
  })
}

/** Takes back the newest change of each, in a transaction of its own, so that one that cannot be does not hold up the others. */
export async function undoChanges(
  db: Database,
  by: Caller,
  { donations: wanted }: Pick<StatusMove, 'donations'>,
  { language, ...options }: Options & { language: Language }
): Promise<StatusMoved> {
  if (wanted.length < 1 || wanted.length > movesMax) throw wrongNumberOfDonations(movesMax)
  const results: StatusMoved['results'] = []
  for (const { campaignId, id, version } of wanted) {
    try {
      const expected = version === undefined ? undefined : [version]
      await undoChange(db, by, { campaignId, id }, expected, options)
      results.push({ id, ok: true })
    } catch (error) {
      // What is not the donation's fault, such as a database that went away, is an answer to the whole.
      if (!(error instanceof Problem) || error.status >= 500) throw error
      results.push({ id, ok: false, code: error.code, message: error.text[language] })
    }
  }
  return { results, changed: results.filter(({ ok }) => ok).length }
}
