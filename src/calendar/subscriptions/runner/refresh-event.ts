import type { Database } from '#platform/database/database.ts'
import type { Text } from '#platform/language.ts'
import { buildText } from '#platform/messages/messages.ts'
import { parseParams } from '../../contract/param-definition.ts'
import { updateEvent } from '../../events/event.ts'
import { eventChangeParams } from '../../events/schema.ts'
import { orderTexts } from '../../imports/runner/batch.ts'
import { buildSourceKey } from '../../imports/runner/batch-context.ts'
import { hasCopy, type ImageCopies } from '../../imports/runner/conflict-policy.ts'
import { listLostImages, replaceInlineImages } from '../../imports/runner/inline-images.ts'
import { resolveReferences } from '../../imports/runner/references.ts'
import type { ImportedItem } from '../../imports/runner/undo-log.ts'
import { createItem, parseTranslations } from '../../imports/runner/write-item.ts'
import { runInSavepoint } from '../../imports/runner/write-mode.ts'
import type { Incoming } from '../../imports/sources/source.ts'
import type { EventValues } from '../items/event-values.ts'
import { listFieldNames } from '../items/field-names.ts'
import {
  buildBase,
  buildConflicts,
  type FieldPlan,
  listFieldValues,
  planFields,
  type SourceValues,
  toEventParams,
  updateBase
} from '../items/field-values.ts'
import type { SameUid } from '../items/queries.ts'
import type { FieldBase, FieldConflicts, SubscriptionItem } from '../items/schema.ts'

import type { RowOutcome, SubscriptionRow } from '../schema.ts'
import { buildRow, type RefreshRun } from './refresh-run.ts'

/** What is loaded for a batch of events. */
export interface EventsContext {
  /** By the id at the source. */
  tracked: Map<string, SubscriptionItem>
  known: Map<string, ImportedItem>
  sameUids: Map<string, SameUid>
  /** Events of other subscriptions. */
  taken: Set<number>
  here: Map<number, EventValues>
  /** Our ids of referenced items, by source key. */
  linkable: Map<string, number>
  copies: ImageCopies
}

/** What became of an event. One that is simply the same has neither. */
export interface EventResult {
  row?: Omit<SubscriptionRow, 'position'>
  written?: {
    event: Incoming
    eventId: number
    /** It was edited here since the version that is known. */
    isEdited: boolean
    knownVersion: number
    toItem(here: Record<string, unknown>): SubscriptionItem
  }
}

export async function refreshEvent(
  tx: Database,
  run: RefreshRun,
  event: Incoming,
  about: EventsContext
): Promise<EventResult> {
  if (event.problems.length > 0) return { row: buildRow(event, 'problem', event.problems, null) }
  if (event.skipped !== undefined) return { row: buildRow(event, 'skipped', event.skipped, null) }
  const existing = findExisting(event, about)
  if (existing === undefined) return await createSubscribed(tx, run, event, about)
  if ('reason' in existing) return { row: buildRow(event, 'skipped', [existing.reason], existing.eventId) }
  return await updateSubscribed(tx, run, event, { ...existing, about })
}

interface ExistingEvent {
  item: SubscriptionItem
  here: EventValues
  knownVersion: number
  isAdopted: boolean
}

/** The event here, or why it is left alone. */
function findExisting(
  { sourceId, uid }: Incoming,
  { tracked, known, sameUids, taken, here }: EventsContext
): ExistingEvent | { reason: Text; eventId: number | null } | undefined {
  const item = tracked.get(sourceId)
  const earlier = known.get(sourceId)
  const same = sameUids.get(uid ?? '')
  const eventId = item?.eventId ?? earlier?.itemId ?? same?.eventId
  if (eventId === undefined) return undefined
  const found = here.get(eventId)
  if (item === undefined) {
    if (earlier === undefined && same?.isInImportedSeries === true)
      return { reason: buildText('subscription-reasons', 'inSeries'), eventId }
    if (earlier === undefined && same?.importedVersion === null)
      return { reason: buildText('subscription-reasons', 'own'), eventId }
    if (taken.has(eventId)) return { reason: buildText('subscription-reasons', 'ofAnother'), eventId }
  }
  if (found === undefined) return { reason: buildText('subscription-reasons', 'removed'), eventId: null }
  if (found.status === 'trash' && item?.goneAction !== 'trash')
    return { reason: buildText('subscription-reasons', 'inTrash'), eventId }
  const knownVersion = earlier?.version ?? same?.importedVersion ?? 0
  if (item !== undefined) return { item, here: found, knownVersion, isAdopted: false }
  // A second id of the same event in this batch must not take it again.
  taken.add(eventId)
  const base = found.version === knownVersion ? buildBase(new Map(), found.values) : buildEditedBase(found.values)
  const adopted = { sourceId, eventId, base, conflicts: null, goneAt: null, goneAction: null, goneStatus: null }
  return { item: adopted, here: found, knownVersion, isAdopted: true }
}

/** Nobody knows which fields were edited: each that differs from the source may have been. */
function buildEditedBase(here: Record<string, unknown>): FieldBase {
  return Object.fromEntries(Object.keys(here).map(name => [name, ['', 'edited'] satisfies FieldBase[string]]))
}

/** The values of the source, as it has them and as the API takes them. */
function readValues(event: Incoming, { linkable, copies }: EventsContext) {
  const { given, missing } = resolveReferences(
    event,
    key => linkable.get(buildSourceKey(key)),
    () => false
  )
  const { texts } = replaceInlineImages(event, copies)
  const image = event.image !== undefined && hasCopy(event.image, copies) ? event.image.url : undefined
  const theirs = listFieldValues({ fields: event.fields, texts: event.texts, image })
  const resolved = listFieldValues({ fields: given, texts, image: image && (copies.get(image)?.id ?? image) })
  return { given, texts, theirs, resolved, notes: [...missing, ...listLostImages(event, copies)] }
}

async function createSubscribed(
  tx: Database,
  run: RefreshRun,
  event: Incoming,
  about: EventsContext
): Promise<EventResult> {
  const { given, texts, theirs, notes } = readValues(event, about)
  const outcome = await runInSavepoint(tx, async () => {
    const own = Array.isArray(given.categories) ? given.categories : []
    return await createItem(tx, run.newContext, {
      kind: 'event',
      texts: orderTexts({ texts }, run.defaultLanguage),
      given: {
        ...given,
        status: run.subscription.status,
        ...(run.categoryId === null ? {} : { categories: [...new Set([...own, run.categoryId])] })
      },
      imageId: event.image === undefined ? undefined : about.copies.get(event.image.url)?.id,
      uid: event.uid
    })
  })
  if (!('itemId' in outcome)) return { row: buildRow(event, 'problem', [outcome], null) }
  const { itemId: eventId } = outcome
  const { sourceId } = event
  return {
    row: buildRow(event, 'new', [...notes, ...(event.notes ?? [])], eventId),
    written: {
      event,
      eventId,
      isEdited: false,
      knownVersion: 0,
      toItem: here => ({
        ...{ sourceId, eventId, base: buildBase(theirs, here), conflicts: null },
        ...{ goneAt: null, goneAction: null, goneStatus: null }
      })
    }
  }
}

async function updateSubscribed(
  tx: Database,
  run: RefreshRun,
  event: Incoming,
  { item, here, knownVersion, isAdopted, about }: ExistingEvent & { about: EventsContext }
): Promise<EventResult> {
  const { theirs, resolved, notes } = readValues(event, about)
  const plan = await planFields(item.base, theirs, {
    here: here.values,
    resolved,
    context: run.newContext(tx, run.defaultLanguage)
  })
  const refused = await writeFields(tx, run, { item, here }, pickValues(run, plan, resolved, here))
  if (refused !== undefined) return { row: buildRow(event, 'problem', [refused], item.eventId) }
  const conflicts = buildConflicts(plan.conflicts, theirs, resolved)
  const settled = [...plan.write, ...plan.agreed]
  const isBack = item.goneAt !== null
  const isSame = settled.length === 0 && !isBack && !isAdopted && listHashes(conflicts) === listHashes(item.conflicts)
  if (isSame) return {}
  const outcome = chooseOutcome(plan, item, { conflicts, isBack })
  return {
    ...(outcome === undefined
      ? {}
      : { row: buildRow(event, outcome, [...describePlan(plan, isBack), ...notes], item.eventId) }),
    written: {
      event,
      eventId: item.eventId,
      isEdited: here.version !== knownVersion,
      knownVersion,
      toItem: after => ({
        ...item,
        base: updateBase(item.base, theirs, { here: after, written: settled }),
        conflicts,
        ...{ goneAt: null, goneAction: null, goneStatus: null }
      })
    }
  }
}

/** The category of the subscription stays with an event that has it. */
function pickValues(run: RefreshRun, plan: FieldPlan, resolved: SourceValues, { values }: EventValues): SourceValues {
  const picked: SourceValues = new Map(plan.write.map(name => [name, resolved.get(name)]))
  const [theirs, here] = [picked.get('categories'), values.categories]
  if (Array.isArray(theirs) && Array.isArray(here) && run.categoryId !== null && here.includes(run.categoryId)) {
    picked.set('categories', [...new Set([...theirs, run.categoryId])])
  }
  return picked
}

/** Returns the reason if the values are refused. */
async function writeFields(
  tx: Database,
  run: RefreshRun,
  { item, here }: Pick<ExistingEvent, 'item' | 'here'>,
  values: SourceValues
): Promise<Text | undefined> {
  const isTrashed = here.status === 'trash'
  if (values.size === 0 && !isTrashed) return undefined
  const { fields, texts } = toEventParams(values)
  const [[language, words] = [run.defaultLanguage, {}] as const, ...others] = texts
  const outcome = await runInSavepoint(tx, async () => {
    const work = run.newContext(tx, language)
    const given = { ...fields, ...words, ...(isTrashed ? { status: item.goneStatus ?? 'publish' } : {}) }
    const changes = parseParams(eventChangeParams, given, work)
    const translations = parseTranslations(others, work)
    return await updateEvent(tx, work, item.eventId, { changes, expected: undefined, translations })
  })
  return 'id' in outcome ? undefined : outcome
}

const listHashes = (conflicts: FieldConflicts | null) =>
  Object.entries(conflicts ?? {})
    .map(([name, { hash }]) => `${name} ${hash}`)
    .sort()
    .join('\n')

function chooseOutcome(
  plan: FieldPlan,
  item: SubscriptionItem,
  { conflicts, isBack }: { conflicts: FieldConflicts | null; isBack: boolean }
): RowOutcome | undefined {
  if (isBack) return 'restored'
  const isNew = Object.entries(conflicts ?? {}).some(([name, { hash }]) => item.conflicts?.[name]?.hash !== hash)
  if (isNew) return 'conflict'
  return plan.write.length > 0 ? 'changed' : undefined
}

function describePlan(plan: FieldPlan, isBack: boolean): Text[] {
  return [
    ...(isBack ? [buildText('subscription-reasons', 'restored')] : []),
    ...(plan.conflicts.length === 0
      ? []
      : [
          buildText('subscription-reasons', 'conflict', language => ({
            fields: listFieldNames(plan.conflicts, language)
          }))
        ]),
    ...(plan.write.length === 0
      ? []
      : [buildText('subscription-reasons', 'changed', language => ({ fields: listFieldNames(plan.write, language) }))])
  ]
}
