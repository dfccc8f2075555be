import type { Database } from '#platform/database/database.ts'
import { type Language, languages, type Text } from '#platform/language.ts'
import * as imports from '../queries.ts'
import { insertRows } from '../row-queries.ts'
import type { ImportRow, Outcome } from '../schema.ts'
import type { Reason } from '../sources/reason.ts'
import { type Incoming, type IncomingSeries, itemKinds } from '../sources/source.ts'
import { type BatchContext, buildSourceKey, buildStateKey, hasParentEvent, loadContext } from './batch-context.ts'
import { buildChanges, buildImportedItems, buildRows, countOutcomes, type ItemResult } from './batch-report.ts'
import { chooseAction, hashItem, type ImageCopies } from './conflict-policy.ts'
import type { ImportRun } from './import-run.ts'
import { listLostImages, replaceInlineImages } from './inline-images.ts'
import { reasons } from './reasons.ts'
import { resolveReferences } from './references.ts'
import { saveSourcePaths } from './source-paths.ts'
import { saveSourceSlugs } from './source-slugs.ts'
import type { ImportedItem } from './undo-log.ts'
import * as journal from './undo-log.ts'
import { createItem, type ResolvedItem, updateItem, type WrittenItem } from './write-item.ts'
import { runConcurrently, runInSavepoint, runWithFallback, type WriteMode } from './write-mode.ts'

/** The import was cancelled or another process has taken it over: this runner stops. */
export class LeaseLost extends Error {}

/** Rolls back the transaction of a dry run and carries its findings. */
class DryRunRollback extends Error {
  readonly findings: BatchResult

  constructor(findings: BatchResult) {
    super('A dry run must not write.')
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
export async function importBatch(
  db: Database,
  run: ImportRun,
  incoming: Incoming[],
  images: ImageCopies
): Promise<void> {
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
  { images, pace }: { images: ImageCopies; pace: WriteMode }
): Promise<BatchResult> {
  return await db.transaction(async tx => {
    const { findings, known } = await processBatch(tx, run, incoming, { images, pace })
    if (findings.changes.length > 0) await journal.insertChanges(tx, run.id, findings.changes)
    if (known.length > 0) await journal.saveImportedItems(tx, run.origin, known)
    await saveSourceSlugs(tx, run.origin, incoming)
    await saveSourcePaths(tx, incoming)
    await saveReport(tx, run, findings.rows)
    return findings
  })
}

async function tryBatch(db: Database, run: ImportRun, incoming: Incoming[], pace: WriteMode): Promise<BatchResult> {
  const findings = await rollBackBatch(db, run, incoming, pace)
  await db.transaction(async tx => await saveReport(tx, run, findings.rows))
  return findings
}

/** What would become of these items, without writing anything. */
export async function tryItems(db: Database, run: ImportRun, incoming: Incoming[]): Promise<ImportRow[]> {
  return (await runWithFallback(async pace => await rollBackBatch(db, run, incoming, pace))).rows
}

async function rollBackBatch(
  db: Database,
  run: ImportRun,
  incoming: Incoming[],
  pace: WriteMode
): Promise<BatchResult> {
  return await db
    .transaction(async tx => {
      throw new DryRunRollback((await processBatch(tx, run, incoming, { images: undefined, pace })).findings)
    })
    .catch((ended: unknown) => {
      if (ended instanceof DryRunRollback) return ended.findings
      throw ended
    })
}

export async function saveReport(tx: Database, run: Pick<ImportRun, 'id' | 'owner'>, rows: ImportRow[]): Promise<void> {
  if (rows.length > 0) await insertRows(tx, run.id, rows)
  const things = rows.filter(row => row.kind !== 'image' && row.kind !== 'file' && row.outcome !== 'gone')
  if (!(await imports.advance(tx, run.id, run.owner, { done: things.length, counts: countOutcomes(rows) }))) {
    throw new LeaseLost()
  }
}

async function processBatch(
  tx: Database,
  run: ImportRun,
  incoming: Incoming[],
  { images, pace }: { images: ImageCopies | undefined; pace: WriteMode }
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
    images: ImageCopies | undefined
    attempt: (write: () => Promise<WrittenItem>) => Promise<WrittenItem | Text>
  }
): Promise<ItemResult> {
  const known = about.known.get(buildSourceKey(item))
  const state = known === undefined ? undefined : about.states.get(buildStateKey(item.kind, known.itemId))
  const hash = hashItem(item, images)
  const decision = chooseAction(run.policy, item, hash, { known, state })
  const ended = (outcome: Outcome, why: Reason[]): ItemResult => ({
    item,
    outcome,
    reasons: [...why, ...(outcome === 'problem' ? [] : (item.notes ?? []))],
    itemId: state?.id ?? null
  })
  if (typeof decision === 'object') return ended(decision.outcome, decision.reasons)

  const resolve = (one: Pick<Incoming, 'fields'>) =>
    resolveReferences(
      one,
      key => about.ids.get(buildSourceKey(key)),
      key => run.dryRun && about.seen.has(buildSourceKey(key)) && about.seen.get(buildSourceKey(key)) !== 'problem'
    )
  const toImageId = ({ image }: Pick<Incoming, 'image'>) =>
    image === undefined ? undefined : images?.get(image.url)?.id
  const resolveSeries = (one: IncomingSeries) => {
    const changes = one.changes.map(change => ({ change, ...resolve(change) }))
    const ready = changes.map(({ change, given: fields }) => ({
      date: change.date,
      texts: orderTexts(change, run.defaultLanguage),
      given: fields,
      imageId: toImageId(change)
    }))
    return { ready: { ...one, changes: ready }, missing: changes.flatMap(change => change.missing) }
  }
  const { given, missing } = resolve(item)
  const series = item.series === undefined ? undefined : resolveSeries(item.series)
  const ready: ResolvedItem = {
    kind: item.kind,
    texts: orderTexts(replaceInlineImages(item, images), run.defaultLanguage),
    given: state?.isTrashed === true ? { status: 'publish', ...given } : given,
    imageId: toImageId(item),
    uid: item.uid,
    ...(series === undefined ? {} : { series: series.ready })
  }
  const lost = listLostImages(item, images)
  const outcome = await attempt(async () => {
    if (decision === 'make') return await createItem(tx, run.newContext, ready)
    if (state === undefined) throw new Error('Only an existing item can be updated.')
    await updateItem(tx, run.newContext, ready, state.id)
    return { itemId: state.id, isRecognised: false }
  })
  if (!('itemId' in outcome)) return ended('problem', [{ ...outcome, code: 'rejected' }])

  const notes = [...missing, ...(series?.missing ?? []), ...lost, ...(item.notes ?? [])]
  const { itemId } = outcome
  if (outcome.isRecognised) {
    return { item, outcome: 'same', reasons: [reasons.recognised(), ...notes], itemId, change: 'recognised', hash }
  }
  return decision === 'make'
    ? { item, outcome: 'new', reasons: notes, itemId, change: 'made', hash }
    : { item, outcome: 'changed', reasons: notes, itemId, change: 'changed', hash }
}

/** Puts the site's default language first. */
export function orderTexts({ texts }: Pick<Incoming, 'texts'>, defaultLanguage: Language): ResolvedItem['texts'] {
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
