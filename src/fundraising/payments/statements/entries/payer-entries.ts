import { record } from '#platform/activity/activity.ts'
import type { Database } from '#platform/database/database.ts'
import { type IfMatch, requireVersion } from '#platform/http/etag.ts'
import { decryptIban } from '../../../encryption/iban-encryption.ts'
import { toAmount } from '../../../money/money.ts'
import {
  newEntryNotFoundProblem,
  newPayerHasNoIbanProblem,
  newStatementNotFoundProblem,
  newTooManyPayerEntriesProblem
} from '../../../problems/statements.ts'
import { rememberPayer } from '../../payer-rules/payer-rule.ts'
import type { EntryRow } from '../entry-queries.ts'
import * as entries from '../entry-queries.ts'
import type { Reason } from '../matching/reasons.ts'
import * as statements from '../queries.ts'
import { changeEntry, type DecisionContext, type EntryKey } from './entry.ts'
import { listStatementsOfPayer, lockOpenOfPayer } from './payer-queries.ts'
import { getPayerFingerprints } from './suggested-campaign.ts'

/** The most entries of a payer per decision, because it is one transaction. */
export const payerEntriesMax = 200

export interface LockedPayerEntries {
  entry: EntryRow
  /** The other unmatched entries of the same payer; empty unless all are requested. */
  others: EntryRow[]
}

/** Locks an entry and optionally all open ones of the same payer: first their statements, in the order of ids. */
export async function lockPayerEntries(
  tx: Database,
  { settings }: DecisionContext,
  { statementId, id }: EntryKey,
  { expected, isAll }: { expected: IfMatch; isAll: boolean }
): Promise<LockedPayerEntries> {
  const seen = await entries.findEntry(tx, statementId, id)
  const fingerprints = seen === undefined || !isAll ? [] : getPayerFingerprints(settings, seen)
  const others = fingerprints.length === 0 ? [] : await listStatementsOfPayer(tx, fingerprints)
  const ids = [...new Set([statementId, ...others])].sort((one, other) => one - other)
  for (const one of ids) {
    if ((await statements.lock(tx, one)) === undefined) throw newStatementNotFoundProblem(one)
  }
  const entry = await entries.lockEntry(tx, statementId, id)
  if (entry === undefined) throw newEntryNotFoundProblem()
  requireVersion(expected, entry.version)
  if (fingerprints.length === 0) {
    if (isAll) throw newPayerHasNoIbanProblem('/allOfPayer')
    return { entry, others: [] }
  }
  const found = await lockOpenOfPayer(tx, fingerprints, ids, payerEntriesMax + 1)
  if (found.length > payerEntriesMax) throw newTooManyPayerEntriesProblem(payerEntriesMax)
  return { entry, others: found.filter(one => one.id !== id) }
}

/** Ignores an entry, all other unmatched entries of its payer, and future ones. */
export async function ignorePayer(
  db: Database,
  deciding: DecisionContext,
  one: EntryKey,
  { note, expected }: { note: string | null; expected: IfMatch }
): Promise<EntryRow> {
  return await db.transaction(async tx => {
    const seen = await entries.findEntry(tx, one.statementId, one.id)
    if (seen !== undefined && seen.encryptedIban === null) throw newPayerHasNoIbanProblem('/remember')
    const { entry, others } = await lockPayerEntries(tx, deciding, one, { expected, isAll: true })
    if (entry.encryptedIban === null) throw newPayerHasNoIbanProblem('/remember')
    await changeEntry(tx, deciding, { ...one, expected: undefined }, { ignored: true })
    const payer = { iban: decryptIban(deciding.settings, entry.encryptedIban), name: entry.counterpartName }
    const rule = await rememberPayer(tx, deciding, payer, { action: 'ignore', campaignId: null, note })
    for (const other of others) {
      const after = { ...other, result: 'ignored' as const, reason: 'by-rule' satisfies Reason, ruleId: rule.id }
      await entries.updateEntry(tx, after)
      await recordIgnored(tx, deciding, other)
    }
    for (const id of new Set(others.map(({ statementId }) => statementId))) await statements.recount(tx, id)
    const ignored = await entries.lockEntry(tx, one.statementId, one.id)
    if (ignored === undefined) throw newEntryNotFoundProblem()
    return await entries.updateEntry(tx, { ...ignored, reason: 'by-rule' satisfies Reason, ruleId: rule.id })
  })
}

async function recordIgnored(
  tx: Database,
  { by, now }: DecisionContext,
  { id, statementId, result, amountCents }: EntryRow
): Promise<void> {
  const details = { entryId: id, result: 'ignored', before: result, amount: toAmount(amountCents) }
  await record(tx, { by, now }, 'statement.entry_changed', { subject: 'statement', id: statementId, details })
}
