import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import { queueEmail } from '#platform/email/outbox.ts'
import * as suggestions from './queries.ts'
import * as retention from './retention-queries.ts'

export const notifyJob = 'notify-editors-of-suggestions'

const hourMs = 3_600_000

/** Queues one email about all new suggestions, at most once an hour. */
export async function notifyEditors(db: Database, settings: Settings, now: Date): Promise<void> {
  if (settings.smtpUrl === undefined) return
  await db.transaction(async tx => {
    await suggestions.lockQueue(tx)
    const marked = await retention.markNotified(tx, now, new Date(now.getTime() - hourMs))
    if (marked > 0) await queueEmail(tx, settings, { kind: 'suggestions-waiting', about: now.toISOString() }, now)
  })
}
