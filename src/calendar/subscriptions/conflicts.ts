import { record } from '#platform/activity/activity.ts'
import type { Database } from '#platform/database/database.ts'
import { type IfMatch, requireVersion } from '#platform/http/etag.ts'
import { parseParams } from '../contract/param-definition.ts'
import type { WriteContext } from '../contract/routing/route.ts'
import { updateEvent } from '../events/event.ts'
import { eventChangeParams } from '../events/schema.ts'
import { parseTranslations } from '../imports/runner/write-item.ts'
import { resolveImageId } from '../media/media.ts'
import { listEventValues } from './items/event-values.ts'
import { hashValue, toEventParams } from './items/field-values.ts'
import * as items from './items/queries.ts'
import type { FieldBase, SubscriptionItem } from './items/schema.ts'
import { newNoConflictProblem, newSubscriptionNotFoundProblem } from './problems.ts'
import * as subscriptions from './queries.ts'

/** Ends the conflict of an event: with the values of its source, or with those that it has here. */
export async function resolveConflict(
  db: Database,
  context: WriteContext,
  id: number,
  { event, take, expected }: { event: number; take: 'theirs' | 'here'; expected: IfMatch }
): Promise<void> {
  const imageId = take === 'theirs' ? await fetchImage(db, context, { id, event }) : undefined
  await db.transaction(async tx => {
    // A run locks the subscription, too, before it looks at its items.
    const subscription = await subscriptions.lock(tx, id)
    if (subscription === undefined) throw newSubscriptionNotFoundProblem(id)
    requireVersion(expected, subscription.version)
    const item = await items.findByEvent(tx, id, event)
    if (item === undefined || item.conflicts === null) throw newNoConflictProblem()
    if (take === 'theirs') await writeTheirs(tx, context, item, imageId)
    const here = (await listEventValues(tx, [event], context.now)).get(event)
    const base = Object.fromEntries(
      Object.entries(item.conflicts).map(([name, { hash }]) => [
        name,
        // What was kept stays an edited value: a later change at the source is a conflict again.
        [
          hash,
          take === 'theirs' ? hashValue(here?.values[name]) : (item.base[name]?.[1] ?? '')
        ] satisfies FieldBase[string]
      ])
    )
    await items.save(tx, id, [{ ...item, base: { ...item.base, ...base }, conflicts: null }])
    const details = { event, take, changed: Object.keys(item.conflicts) }
    await record(tx, { by: context.caller, now: context.now }, 'subscription.resolved', {
      subject: 'subscription',
      id,
      details
    })
  })
}

/** The image of a conflict is a URL: it is downloaded before the transaction, because that may take long. */
async function fetchImage(
  db: Database,
  context: WriteContext,
  { id, event }: { id: number; event: number }
): Promise<number | null> {
  const url = (await items.findByEvent(db, id, event))?.conflicts?.image?.value
  return typeof url === 'string' ? await resolveImageId(context, { url }) : null
}

async function writeTheirs(
  tx: Database,
  context: WriteContext,
  item: SubscriptionItem,
  imageId: number | null | undefined
): Promise<void> {
  const values = new Map(Object.entries(item.conflicts ?? {}).map(([name, { value }]) => [name, value]))
  if (values.has('image')) values.set('image', imageId ?? null)
  const { fields, texts } = toEventParams(values)
  const [[language, words] = [undefined, {}] as const, ...others] = texts
  const work = { ...context, db: tx, requestedLanguage: language ?? context.requestedLanguage }
  const changes = parseParams(eventChangeParams, { ...fields, ...words }, work)
  const translations = parseTranslations(others, work)
  await updateEvent(tx, work, item.eventId, { changes, expected: undefined, translations })
}
