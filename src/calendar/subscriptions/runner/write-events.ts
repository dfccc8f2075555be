import type { Database } from '#platform/database/database.ts'
import { findLinkableIds } from '../../imports/runner/batch-context.ts'
import { hashItem, type ImageCopies } from '../../imports/runner/conflict-policy.ts'
import { copyImages, type ImageFetchState } from '../../imports/runner/images.ts'
import { listImages } from '../../imports/runner/inline-images.ts'
import { listReferences } from '../../imports/runner/references.ts'
import * as imported from '../../imports/runner/undo-log.ts'
import type { Incoming, IncomingImage } from '../../imports/sources/source.ts'
import { listEventValues } from '../items/event-values.ts'
import { hashValue } from '../items/field-values.ts'
import * as items from '../items/queries.ts'
import type { SubscriptionItem } from '../items/schema.ts'
import * as runs from '../run-queries.ts'
import { type EventResult, type EventsContext, refreshEvent } from './refresh-event.ts'
import { type RefreshRun, requireLease, toImageTarget } from './refresh-run.ts'

/** Events per transaction: few enough to hold locks only briefly. */
const batchMax = 25

/** Writes what is new or has changed. After an interruption, what is done already is the same and is not written again. */
export async function writeEvents(
  db: Database,
  run: RefreshRun,
  events: Incoming[],
  { memory, signal }: { memory: ImageFetchState; signal: AbortSignal }
): Promise<void> {
  for (let first = 0; first < events.length; first += batchMax) {
    signal.throwIfAborted()
    const batch = events.slice(first, first + batchMax)
    const wanted = await listImagesToCopy(db, run, batch)
    const copies = await copyImages(db, toImageTarget(db, run), wanted, memory)
    await db.transaction(async tx => {
      await requireLease(tx, run)
      await writeBatch(tx, run, batch, copies)
    })
  }
}

/** Images of new events, and of events whose image or description has changed. */
async function listImagesToCopy(db: Database, run: RefreshRun, batch: Incoming[]): Promise<IncomingImage[]> {
  const pictured = batch.filter(
    event => listImages(event).length > 0 && event.problems.length === 0 && event.skipped === undefined
  )
  if (pictured.length === 0) return []
  const tracked = await listItemsBySource(db, run, pictured)
  return pictured.flatMap(event => {
    const item = tracked.get(event.sourceId)
    if (item === undefined) return listImages(event)
    const hasChanged = (name: string, value: unknown) => hashValue(value) !== item.base[name]?.[0]
    const hasNewText = Object.entries(event.texts).some(([language, { description }]) =>
      hasChanged(`description.${language}`, description)
    )
    return [
      ...(event.image !== undefined && hasChanged('image', event.image.url) ? [event.image] : []),
      ...(hasNewText ? (event.inlineImages ?? []) : [])
    ]
  })
}

async function listItemsBySource(
  db: Database,
  { subscription }: RefreshRun,
  events: Incoming[]
): Promise<Map<string, SubscriptionItem>> {
  const listed = await items.listBySource(
    db,
    subscription.id,
    events.map(({ sourceId }) => sourceId)
  )
  return new Map(listed.map(item => [item.sourceId, item]))
}

async function writeBatch(tx: Database, run: RefreshRun, batch: Incoming[], copies: ImageCopies): Promise<void> {
  const about = await loadContext(tx, run, batch, copies)
  const results: EventResult[] = []
  for (const event of batch) results.push(await refreshEvent(tx, run, event, about))
  const after = await listEventValues(
    tx,
    results.flatMap(({ written }) => written?.eventId ?? []),
    run.now
  )
  const saved = results.flatMap(({ written }) => {
    const values = written === undefined ? undefined : after.get(written.eventId)
    return written === undefined || values === undefined ? [] : [{ written, values }]
  })
  await items.save(
    tx,
    run.subscription.id,
    saved.map(({ written, values }) => written.toItem(values.values))
  )
  const known = saved.map(({ written: { event, eventId, isEdited, knownVersion }, values }) => ({
    kind: event.kind,
    sourceId: event.sourceId,
    itemId: eventId,
    hash: hashItem(event, copies),
    // Later imports recognise by the old version that the event was edited here, and keep the edit.
    version: isEdited ? knownVersion : values.version
  }))
  if (known.length > 0) await imported.saveImportedItems(tx, run.origin, known)
  await runs.insertRows(
    tx,
    run.id,
    results.flatMap(({ row }) => row ?? [])
  )
}

/** Everything that the batch needs, in a few statements; the events stay locked. */
async function loadContext(
  tx: Database,
  run: RefreshRun,
  batch: Incoming[],
  copies: ImageCopies
): Promise<EventsContext> {
  const tracked = await listItemsBySource(tx, run, batch)
  const keys = [...batch.map(({ kind, sourceId }) => ({ kind, sourceId })), ...batch.flatMap(listReferences)]
  const listed = await imported.listImportedItems(tx, run.origin, keys)
  const known = new Map(listed.filter(({ kind }) => kind === 'event').map(one => [one.sourceId, one]))
  const uids = batch.flatMap(({ uid, sourceId }) =>
    uid === undefined || tracked.has(sourceId) || known.has(sourceId) ? [] : [uid]
  )
  const sameUids = await items.listByUid(tx, uids)
  const untracked = [...known.values()].filter(({ sourceId }) => !tracked.has(sourceId)).map(({ itemId }) => itemId)
  const others = [...untracked, ...sameUids.map(({ eventId }) => eventId)]
  const ids = [...[...tracked.values()].map(({ eventId }) => eventId), ...others]
  await imported.lockStates(tx, 'event', ids)
  return {
    tracked,
    known,
    sameUids: new Map(sameUids.map(one => [one.uid, one])),
    taken: new Set(await items.listSubscribedEvents(tx, others)),
    here: await listEventValues(tx, ids, run.now),
    linkable: await findLinkableIds(tx, listed),
    copies
  }
}
