import type { Caller } from '../caller.ts'
import { addChange } from '../database/after-commit.ts'
import type { Database } from '../database/database.ts'
import { newUuidV7 } from '../ids.ts'
import * as activity from './queries.ts'
import * as samples from './sample-queries.ts'

/**
 * Writes down what happened, in the transaction in which it happened, and for whom it waits: webhooks are told of it
 * when that has committed. Every action is listed in the `subjects` of its service. Details name fields and public values,
 * never an account number, an e-mail address or a key. What the sample content creates is marked here, where nothing that is
 * created gets past.
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
    /** Somebody edited it, so that it is no sample any more but theirs, or it is gone. */
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
  addChange(tx, change)
}
