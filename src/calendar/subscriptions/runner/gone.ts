import type { Database } from '#platform/database/database.ts'
import type { Text } from '#platform/language.ts'
import { buildText } from '#platform/messages/messages.ts'
import { parseParams } from '../../contract/param-definition.ts'
import { trashEvent, updateEvent } from '../../events/event.ts'
import { eventChangeParams } from '../../events/schema.ts'
import * as imported from '../../imports/runner/undo-log.ts'
import { type EventValues, listEventValues } from '../items/event-values.ts'
import { hashValue } from '../items/field-values.ts'
import type { TrackedEvent } from '../items/queries.ts'
import * as items from '../items/queries.ts'
import type { SubscriptionItem } from '../items/schema.ts'

import * as runs from '../run-queries.ts'
import type { SubscriptionRow } from '../schema.ts'
import { type RefreshRun, requireLease } from './refresh-run.ts'

const batchMax = 25

/** Handles upcoming events that are no longer at the source, as the subscription says. */
export async function handleGoneEvents(
  db: Database,
  run: RefreshRun,
  lost: TrackedEvent[],
  signal: AbortSignal
): Promise<void> {
  const gone = lost.filter(({ isUpcoming }) => isUpcoming)
  for (let first = 0; first < gone.length; first += batchMax) {
    signal.throwIfAborted()
    const batch = gone.slice(first, first + batchMax)
    await db.transaction(async tx => {
      await requireLease(tx, run)
      await handleBatch(tx, run, batch)
    })
  }
}

async function handleBatch(tx: Database, run: RefreshRun, batch: TrackedEvent[]): Promise<void> {
  const ids = batch.map(({ eventId }) => eventId)
  await imported.lockStates(tx, 'event', ids)
  const here = await listEventValues(tx, ids, run.now)
  const listed = await items.listBySource(
    tx,
    run.subscription.id,
    batch.map(({ sourceId }) => sourceId)
  )
  const bySource = new Map(listed.map(item => [item.sourceId, item]))
  const saved: SubscriptionItem[] = []
  const rows: Omit<SubscriptionRow, 'position'>[] = []
  for (const { sourceId, title, eventId } of batch) {
    const [item, values] = [bySource.get(sourceId), here.get(eventId)]
    // It was deleted or moved to the trash here meanwhile.
    if (item === undefined || values === undefined || values.status === 'trash') continue
    const { reason, after } = await handleGone(tx, run, item, values)
    saved.push(after)
    rows.push({
      kind: 'event',
      sourceId,
      title: title.slice(0, 200),
      outcome: 'gone',
      reasons: [reason],
      itemId: eventId
    })
  }
  await items.save(tx, run.subscription.id, saved)
  await runs.insertRows(tx, run.id, rows)
}

async function handleGone(
  tx: Database,
  run: RefreshRun,
  item: SubscriptionItem,
  { status, values }: EventValues
): Promise<{ reason: Text; after: SubscriptionItem }> {
  const work = run.newContext(tx, run.defaultLanguage)
  const goneAt = run.now.toISOString()
  const kept: SubscriptionItem = { ...item, conflicts: null, goneAt, goneAction: 'keep', goneStatus: null }
  switch (run.subscription.gone) {
    case 'keep':
      return { reason: buildText('subscription-reasons', 'goneKept'), after: kept }
    case 'trash':
      await trashEvent(tx, work, item.eventId, undefined)
      return {
        reason: buildText('subscription-reasons', 'goneTrashed'),
        after: { ...kept, goneAction: 'trash', goneStatus: status }
      }
    default: {
      const before = item.base.event_status?.[1]
      if (before !== undefined && before !== hashValue(values.event_status)) {
        return { reason: buildText('subscription-reasons', 'goneEdited'), after: kept }
      }
      const changes = parseParams(eventChangeParams, { event_status: 'canceled' }, work)
      await updateEvent(tx, work, item.eventId, { changes, expected: undefined })
      // Whatever status it has when it comes back is written then.
      const base = { ...item.base, event_status: ['gone', hashValue('canceled')] satisfies [string, string] }
      return {
        reason: buildText('subscription-reasons', 'goneCancelled'),
        after: { ...kept, base, goneAction: 'cancel' }
      }
    }
  }
}
