import type { Caller } from '../caller.ts'
import type { Database } from '../database/database.ts'
import { newUuidV7 } from '../ids.ts'
import * as activity from './queries.ts'
import * as samples from './sample-queries.ts'

/**
 * Inserts an activity row and its webhook deliveries in the caller's transaction, so webhooks are sent only after the
 * commit. Every action is listed in the activity types of its service. Details hold field names and public values,
 * never an account number, an e-mail address or a key. Sample content is marked here, because every creation goes
 * through this function.
 */
export async function record(
  tx: Database,
  by: Caller,
  now: Date,
  action: string,
  what: {
    subject: string
    id: number | string
    details?: object
    /** The row was edited, so it belongs to the user now and is no sample any more, or it was deleted. */
    endsSample?: boolean
  }
): Promise<void> {
  const change = { action, subject: what.subject, subjectId: String(what.id), details: what.details ?? {} }
  await activity.insert(
    tx,
    { ...change, at: now, actor: by.name, requestId: by.requestId === '' ? null : by.requestId },
    newUuidV7(now.getTime())
  )
  if (by.makesSamples === true && action === `${change.subject}.created`) {
    await samples.insert(tx, change.subject, change.subjectId)
  }
  if (by.makesSamples !== true && what.endsSample === true) {
    await samples.remove(tx, change.subject, [change.subjectId])
  }
  tx.addChange(change)
}
