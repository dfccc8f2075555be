import type { Actor, Caller } from '../caller.ts'
import type { Change, Database } from '../database/database.ts'
import { type Sql, sql } from '../database/sql.ts'
import { newUuidV7 } from '../ids.ts'
import type { NewActivity } from './queries.ts'
import * as activities from './queries.ts'
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
 * through this function, except that of donations (`newRecord`).
 */
export async function record(
  tx: Database,
  actor: Required<Actor>,
  action: string,
  what: RecordedSubject
): Promise<void> {
  const { activity, change } = newRecord(actor, action, what)
  const isOver = what.endsSample === true && actor.by.makesSamples !== true
  await Promise.all([
    insertRecord(tx, activity),
    markSample(tx, actor.by, change),
    isOver ? samples.remove(tx, change.subject, [change.subjectId]) : undefined
  ])
  tx.addChange(change)
}

/** Inserts the activity and its webhook deliveries with the commit: no transaction reads what it has recorded. */
export async function insertRecord(tx: Database, activity: NewActivity): Promise<void> {
  await tx.runAtCommit(sql`with ${buildRecords([activity])} select`)
}

/** Marks what was created as sample content, if it is. */
export async function markSample(tx: Database, by: Caller, { action, subject, subjectId }: Change): Promise<void> {
  if (by.makesSamples === true && action === `${subject}.created`) await samples.insert(tx, subject, subjectId)
}

/** The activity of `record`, for a statement that makes the change itself and whose caller adds the change. */
export function newRecord(
  { by, now }: Required<Actor>,
  action: string,
  { subject, id, details = {} }: RecordedSubject
): { activity: NewActivity; change: Change } {
  const change = { action, subject, subjectId: String(id), details }
  const requestId = by.requestId === '' ? null : by.requestId
  const activity = { ...change, at: now.toISOString(), actor: by.name, requestId, messageId: newUuidV7(now.getTime()) }
  return { activity, change }
}

/**
 * Inserts activities and their webhook deliveries, as parts of a `with`. `withDeliveries` is false if there is no
 * webhook that is on: looking for some would take a tenth of the time of a donation.
 */
export function buildRecords(records: NewActivity[], withDeliveries = true): Sql {
  return withDeliveries ? activities.buildInsertWithDeliveries(records) : activities.buildInsert(records)
}
