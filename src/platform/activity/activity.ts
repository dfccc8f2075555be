import type { Actor } from '../caller.ts'
import type { Change, Database } from '../database/database.ts'
import { emptySql, type Sql, sql } from '../database/sql.ts'
import { newUuidV7 } from '../ids.ts'
import * as activity from './queries.ts'
import * as samples from './sample-queries.ts'

/** What a change is about. */
interface RecordedSubject {
  subject: string
  id: number | string
  details?: object
  /** The row was edited, so it belongs to the user now and is no sample any more, or it was deleted. */
  endsSample?: boolean
}

/**
 * Inserts an activity row and its webhook deliveries in the caller's transaction, so webhooks are sent only after the
 * commit. Every action is listed in the activity types of its service. Details hold field names and public values,
 * never an account number, an e-mail address or a key. Sample content is marked here, because every creation goes
 * through this function or `buildRecord`.
 */
export async function record(
  tx: Database,
  actor: Required<Actor>,
  action: string,
  what: RecordedSubject
): Promise<void> {
  const { parts, change } = buildRecord(actor, action, what)
  await insertRecord(tx, parts)
  tx.addChange(change)
}

/** The parts of `buildRecord` as a statement of their own. */
export async function insertRecord(tx: Database, parts: Sql): Promise<void> {
  await tx.run(sql`with ${parts} select`)
}

/**
 * The same as parts of a `with`, for a statement that makes the change itself. Its caller adds the change to the
 * transaction. `withDeliveries` is false if there is no webhook that is on: looking for some would take a tenth of the
 * time of a donation.
 */
export function buildRecord(
  { by, now }: Required<Actor>,
  action: string,
  { subject, id, details = {}, endsSample = false }: RecordedSubject,
  withDeliveries = true
): { parts: Sql; change: Change } {
  const change = { action, subject, subjectId: String(id), details }
  const requestId = by.requestId === '' ? null : by.requestId
  const row = { ...change, at: now.toISOString(), actor: by.name, requestId, messageId: newUuidV7(now.getTime()) }
  const inserted = withDeliveries
    ? activity.buildInsertWithDeliveries(row)
    : sql`recorded as (${activity.buildInsert(row)})`
  const parts = sql`${inserted} ${buildSamplePart(by.makesSamples === true, endsSample, change)}`
  return { parts, change }
}

function buildSamplePart(makesSamples: boolean, endsSample: boolean, { action, subject, subjectId }: Change): Sql {
  if (makesSamples && action === `${subject}.created`) {
    return sql`, sample as (${samples.buildInsert(subject, subjectId)})`
  }
  if (!makesSamples && endsSample) return sql`, sample as (${samples.buildRemove(subject, [subjectId])})`
  return emptySql
}
