import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import { type Language, languages, type Text } from '#platform/language.ts'
import { toSingleLineText } from '../../content/html.ts'
import * as imports from '../queries.ts'
import { type Counts, type ImportRow, noCounts, type Outcome, type Policy } from '../schema.ts'
import { type Incoming, type ItemKind, itemKinds } from '../sources/source.ts'
import { chooseAction, hashItem, hasImage, type ImageIds } from './conflict-policy.ts'
import { reasons } from './reasons.ts'
import { listReferences, resolveReferences } from './references.ts'
import type { ImportedItem, ItemState, SourceKey } from './undo-log.ts'
import * as journal from './undo-log.ts'
import { type ContextFactory, createItem, type ResolvedItem, updateItem, type WrittenItem } from './write-item.ts'
import { runConcurrently, runInSavepoint, runWithFallback, type WriteMode } from './write-mode.ts'

/** The state of a running import. */
export interface ImportRun {
  id: number
  owner: string
  origin: string
  policy: Policy
  dryRun: boolean
  defaultLanguage: Language
  settings: Settings
  newContext: ContextFactory
  /** The last numbers assigned in the report and the undo log. */
  position: number
  number: number
}

/** The import was cancelled or another process has taken it over: this runner stops. */
export class LeaseLost extends Error {}

/** Rolls back the transaction of a dry run and carries its findings. */
class DryRunRollback extends Error {
  readonly findings: BatchResult

  constructor(findings: BatchResult) {
    super('Nothing is written in a try run.')
    this.findings = findings
  }
}

interface BatchResult {
  rows: ImportRow[]
  changes: journal.ImportChange[]
}

/**
 * Writes a batch in one transaction, each item on its own: a rejected item leaves nothing but its report row. A dry run
 * takes the same path and rolls back, so it reports exactly what would happen.
 */
export async function importBatch(db: Database, run: ImportRun, incoming: Incoming[], images: ImageIds): Promise<void> {
  const findings = await runWithFallback(async pace =>
    run.dryRun ? await tryBatch(db, run, incoming, pace) : await writeBatch(db, run, incoming, { images, pace })
  )
  run.position += findings.rows.length
  run.number += findings.changes.length
}

async function writeBatch(
  db: Database,
  run: ImportRun,
  incoming: Incoming[],
  { images, pace }: { images: ImageIds; pace: WriteMode }
): Promise<BatchResult> {
  return await db.transaction(async tx => {
    const { findings, known } = await processBatch(tx, run, incoming, { images, pace })
    if (findings.changes.length > 0) await journal.insertChanges(tx, run.id, findings.changes)
    if (known.length > 0) await journal.saveImportedItems(tx, run.origin, known)
    await saveReport(tx, run, findings.rows)
    return findings
  })
}

async function tryBatch(db: Database, run: ImportRun, incoming: Incoming[], pace: WriteMode): Promise<BatchResult> {
  const findings = await db
    .transaction(async tx => {
      throw new DryRunRollback((await processBatch(tx, run, incoming, { images: undefined, pace })).findings)
    })
    .catch((ended: unknown) => {
      if (ended instanceof DryRunRollback) return ended.findings
      throw ended
    })
  await db.transaction(async tx => await saveReport(tx, run, findings.rows))
  return findings
}

export async function saveReport(tx: Database, run: Pick<ImportRun, 'id' | 'owner'>, rows: ImportRow[]): Promise<void> {
  if (rows.length > 0) await imports.insertRows(tx, run.id, rows)
  const things = rows.filter(row => row.kind !== 'image')
  if (!(await imports.advance(tx, run.id, run.owner, { done: things.length, counts: countOutcomes(rows) }))) {
    throw new LeaseLost()
  }
}

function countOutcomes(rows: ImportRow[]): Counts {
  const counts = { ...noCounts }
  for (const { outcome } of rows) counts[outcome] += 1
  return counts
}

/** What is loaded at the start of a batch, and what the batch adds. */
interface BatchContext {
  known: Map<string, ImportedItem>
  states: Map<string, ItemState>
  /** Our ids of referenced items, by source key. */
  ids: Map<string, number>
  /** Items that already occurred in this import, with any outcome. */
  seen: Map<string, string>
  befores: Map<string, string>
}

const buildSourceKey = ({ kind, sourceId }: SourceKey) => `${kind} ${sourceId}`
const buildStateKey = (kind: ItemKind, id: number) => `${kind} ${id}`

/** An item and its outcome. */
interface ItemResult {
  item: Incoming
  outcome: Outcome
  reasons: Text[]
  itemId: number | null
  change?: 'made' | 'changed' | 'recognised'
  hash?: Buffer
}

async function processBatch(
  tx: Database,
  run: ImportRun,
  incoming: Incoming[],
  { images, pace }: { images: ImageIds | undefined; pace: WriteMode }
): Promise<{ findings: BatchResult; known: ImportedItem[] }> {
  if (!(await imports.renewLease(tx, run.id, run.owner))) throw new LeaseLost()
  const about = await loadContext(tx, run, incoming, images)
  const items = new Map(incoming.toReversed().map(item => [buildSourceKey(item), item]))
  const fresh = incoming.filter(
    item => items.get(buildSourceKey(item)) === item && !about.seen.has(buildSourceKey(item))
  )
  // Nothing references events, so they can be written concurrently, unless one has a parent event.
  const isFree = ({ kind }: Incoming) => kind === 'event' && pace === 'together' && !fresh.some(hasParentEvent)
  const done: ItemResult[] = []
  for (const item of fresh.filter(one => !isFree(one))) {
    const one = await importItem(tx, run, item, {
      about,
      images,
      attempt: async write => await runInSavepoint(tx, write)
    })
    if (one.itemId !== null && one.outcome !== 'problem') about.ids.set(buildSourceKey(item), one.itemId)
    done.push(one)
  }
  const rest = fresh.filter(isFree)
  done.push(
    ...(await runConcurrently(
      rest,
      async item => await importItem(tx, run, item, { about, images, attempt: runDirectly })
    ))
  )
  const versions = await loadVersions(tx, done)
  return {
    findings: { rows: buildRows(run, done), changes: buildChanges(run, done, about, versions) },
    known: buildImportedItems(done, versions)
  }
}

/** Loads everything for the batch in a few statements: known items, their current state, and snapshots for undo. */
async function loadContext(
  tx: Database,
  run: ImportRun,
  incoming: Incoming[],
  images: ImageIds | undefined
): Promise<BatchContext> {
  const named = [...incoming, ...incoming.flatMap(listReferences)].map(({ kind, sourceId }) => ({ kind, sourceId }))
  const [listed, seen] = await Promise.all([
    journal.listImportedItems(tx, run.origin, named),
    journal.listSeen(tx, run.id, named)
  ])
  const known = new Map(listed.map(one => [buildSourceKey(one), one]))
  const states = new Map<string, ItemState>()
  const befores = new Map<string, string>()
  for (const kind of itemKinds) {
    const items = incoming.flatMap(item => {
      const before = item.kind === kind ? known.get(buildSourceKey(item)) : undefined
      return before === undefined ? [] : [{ item, before }]
    })
    const ids = items.map(({ before }) => before.itemId)
    for (const state of await journal.lockStates(tx, kind, ids)) states.set(buildStateKey(kind, state.id), state)
    const changing = items.filter(({ item, before }) => {
      const state = states.get(buildStateKey(kind, before.itemId))
      return (
        chooseAction(run.policy, item, hashItem(item, hasImage(item, images)), { known: before, state }) === 'change'
      )
    })
    const changed = changing.map(({ before }) => before.itemId)
    for (const { id, before } of await journal.listSnapshots(tx, kind, changed))
      befores.set(buildStateKey(kind, id), before)
  }
  return {
    known,
    states,
    befores,
    ids: await findLinkableIds(tx, listed),
    seen: new Map(seen.map(one => [buildSourceKey(one), one.outcome]))
  }
}

/** Ids that events can link to: excludes items that were deleted here or are in the trash. */
async function findLinkableIds(tx: Database, listed: ImportedItem[]): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  for (const kind of itemKinds) {
    const ofKind = listed.filter(one => one.kind === kind)
    const live = new Set(
      await journal.listLive(
        tx,
        kind,
        ofKind.map(one => one.itemId)
      )
    )
    for (const one of ofKind) if (live.has(one.itemId)) ids.set(buildSourceKey(one), one.itemId)
  }
  return ids
}

const hasParentEvent = ({ fields }: Incoming) => fields.post_parent != null
const runDirectly = async (write: () => Promise<WrittenItem>) => await write()

async function importItem(
  tx: Database,
  run: ImportRun,
  item: Incoming,
  {
    about,
    images,
    attempt
  }: {
    about: BatchContext
    images: ImageIds | undefined
    attempt: (write: () => Promise<WrittenItem>) => Promise<WrittenItem | Text>
  }
): Promise<ItemResult> {
  const known = about.known.get(buildSourceKey(item))
  const state = known === undefined ? undefined : about.states.get(buildStateKey(item.kind, known.itemId))
  const isComplete = item.image === undefined || hasImage(item, images)
  const hash = hashItem(item, hasImage(item, images))
  const decision = chooseAction(run.policy, item, hash, { known, state })
  const ended = (outcome: Outcome, why: Text[]): ItemResult => ({
    item,
    outcome,
    reasons: [...why, ...(outcome === 'problem' ? [] : (item.notes ?? []))],
    itemId: state?.id ?? null
  })
  if (typeof decision === 'object') return ended(decision.outcome, decision.reasons)

  const { given, missing } = resolveReferences(
    item,
    key => about.ids.get(buildSourceKey(key)),
    key => run.dryRun && about.seen.has(buildSourceKey(key)) && about.seen.get(buildSourceKey(key)) !== 'problem'
  )
  const ready: ResolvedItem = {
    kind: item.kind,
    texts: orderTexts(item, run.defaultLanguage),
    given: state?.isTrashed === true ? { status: 'publish', ...given } : given,
    imageId: item.image === undefined ? undefined : images?.get(item.image.url)
  }
  const lost = isComplete ? [] : [reasons.withoutImage]
  const outcome = await attempt(async () => {
    if (decision === 'make') return await createItem(tx, run.newContext, ready)
    if (state === undefined) throw new Error('Only what is here is changed.')
    await updateItem(tx, run.newContext, ready, state.id)
    return { itemId: state.id, isRecognised: false }
  })
  if (!('itemId' in outcome)) return ended('problem', [outcome])

  const notes = [...missing, ...lost, ...(item.notes ?? [])]
  const { itemId } = outcome
  if (outcome.isRecognised) {
    return { item, outcome: 'same', reasons: [reasons.recognised, ...notes], itemId, change: 'recognised', hash }
  }
  return decision === 'make'
    ? { item, outcome: 'new', reasons: notes, itemId, change: 'made', hash }
    : { item, outcome: 'changed', reasons: notes, itemId, change: 'changed', hash }
}

/** Puts the site's default language first. */
function orderTexts({ texts }: Incoming, defaultLanguage: Language): ResolvedItem['texts'] {
  const inOrder = [defaultLanguage, ...languages.filter(language => language !== defaultLanguage)]
  return inOrder.flatMap((language): ResolvedItem['texts'] => {
    const words = texts[language]
    return words === undefined ? [] : [[language, words]]
  })
}

async function loadVersions(tx: Database, done: ItemResult[]): Promise<Map<string, number>> {
  const versions = new Map<string, number>()
  for (const kind of itemKinds) {
    const ids = done.flatMap(one => (one.item.kind === kind && one.change !== undefined ? (one.itemId ?? []) : []))
    for (const { id, version } of await journal.listVersions(tx, kind, ids))
      versions.set(buildStateKey(kind, id), version)
  }
  return versions
}

const titleLengthMax = 200

function buildRows(run: ImportRun, done: ItemResult[]): ImportRow[] {
  return done.map(({ item, outcome, reasons: why, itemId, change: what }, place) => ({
    position: run.position + place + 1,
    kind: item.kind,
    sourceId: item.sourceId,
    title: getTitle(item),
    outcome,
    reasons: why,
    // The rollback of a dry run removed the created item.
    itemId: run.dryRun && what === 'made' ? null : itemId
  }))
}

function getTitle({ texts }: Incoming): string {
  const { title = '' } = Object.values(texts)[0] ?? {}
  return toSingleLineText(title).slice(0, titleLengthMax).toWellFormed()
}

function buildChanges(
  run: ImportRun,
  done: ItemResult[],
  about: BatchContext,
  versions: Map<string, number>
): journal.ImportChange[] {
  return done
    .flatMap(({ item, itemId, change: what }) =>
      what === undefined || itemId === null ? [] : [{ item, itemId, what }]
    )
    .map(({ item, itemId, what }, place) => ({
      number: run.number + place + 1,
      change: what,
      kind: item.kind,
      itemId,
      sourceId: item.sourceId,
      version: versions.get(buildStateKey(item.kind, itemId)) ?? 0,
      before: what === 'changed' ? (about.befores.get(buildStateKey(item.kind, itemId)) ?? null) : null,
      known: about.known.get(buildSourceKey(item)) ?? null
    }))
}

function buildImportedItems(done: ItemResult[], versions: Map<string, number>): ImportedItem[] {
  return done.flatMap(({ item, itemId, change: what, hash }) =>
    itemId === null || hash === undefined
      ? []
      : [
          {
            kind: item.kind,
            sourceId: item.sourceId,
            itemId,
            hash,
            version: what === 'recognised' ? 0 : (versions.get(buildStateKey(item.kind, itemId)) ?? 0)
          }
        ]
  )
}
