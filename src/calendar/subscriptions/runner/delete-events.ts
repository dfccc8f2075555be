import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import { trashEvent } from '../../events/event.ts'
import * as imported from '../../imports/runner/undo-log.ts'
import * as items from '../items/queries.ts'
import * as subscriptions from '../queries.ts'
import { newContextFactory } from './refresh-run.ts'

const batchMax = 25

/** Moves the events of deleted subscriptions to the trash, then removes the subscriptions. */
export async function removeDeleted(
  db: Database,
  { settings, signal, getNow }: { settings: Settings; signal: AbortSignal; getNow: () => Date }
): Promise<void> {
  for (const deleted of await subscriptions.listDeleted(db)) {
    for (let left = batchMax; left > 0 && !signal.aborted; ) {
      left = await db.transaction(async tx => {
        const ids = await items.listToTrash(tx, deleted.id, batchMax)
        const states = await imported.lockStates(tx, 'event', ids)
        const work = newContextFactory(deleted, settings, getNow())(tx, settings.defaultLanguage)
        for (const { id, isTrashed } of states) if (!isTrashed) await trashEvent(tx, work, id, undefined)
        return ids.length
      })
    }
    if (!signal.aborted) await subscriptions.remove(db, deleted.id)
  }
}
