import type { Database } from '#platform/database/database.ts'
import type { Language } from '#platform/language.ts'
import { type ComparisonContext, compareItem, type OurItem } from '../compare/compare-item.ts'
import { explanations } from '../compare/explanations.ts'
import type { Difference, ImportRow, Outcome } from '../schema.ts'
import { isExplained, type Reason } from '../sources/reason.ts'
import { type Incoming, type SingleKind, singleKinds } from '../sources/source.ts'
import { saveReport, tryItems } from './batch.ts'
import { buildSourceKey, buildStateKey } from './batch-context.ts'
import { getTitle } from './batch-report.ts'
import { hashItem } from './conflict-policy.ts'
import type { ImportRun } from './import-run.ts'
import { listCopySources, listFormerSlugs, loadOurItems } from './our-items.ts'
import { listReferences } from './references.ts'
import type { ImportedItem, ItemState } from './undo-log.ts'
import * as journal from './undo-log.ts'

/** Compares items of the source with what is stored here, and adds the result to the report. Writes nothing else. */
export async function compareBatch(db: Database, run: ImportRun, incoming: Incoming[]): Promise<void> {
  const named = [...incoming, ...incoming.flatMap(listReferences)].map(({ kind, sourceId }) => ({ kind, sourceId }))
  const seen = new Set((await journal.listSeen(db, run.id, named)).map(buildSourceKey))
  const items = [...new Map(incoming.toReversed().map(item => [buildSourceKey(item), item])).values()]
    .filter(item => !seen.has(buildSourceKey(item)))
    .toReversed()
  const known = new Map((await journal.listImportedItems(db, run.origin, named)).map(one => [buildSourceKey(one), one]))
  const found = await loadStored(db, run, items, known)
  const rejected = await listRejections(
    db,
    run,
    items.filter(item => isTried(item, known))
  )
  const rows = items.map((item, place): ImportRow => {
    const one = known.get(buildSourceKey(item))
    const stored = one === undefined ? undefined : found.items.get(buildStateKey(item.kind, one.itemId))
    const state = one === undefined ? undefined : found.states.get(buildStateKey(item.kind, one.itemId))
    const result =
      one === undefined || item.skipped !== undefined
        ? describeUnknown(item, rejected.get(buildSourceKey(item)))
        : stored === undefined || state === undefined || state.isTrashed
          ? newResult('explained', [explanations.removedHere()])
          : describeKnown(item, { known: one, state, stored }, found.context)
    return {
      ...result,
      position: run.position + place + 1,
      kind: item.kind,
      sourceId: item.sourceId,
      title: getTitle(item),
      itemId: state?.id ?? null,
      sourceUrl: item.url ?? null
    }
  })
  await db.transaction(async tx => await saveReport(tx, run, rows))
  run.position += rows.length
}

type Result = Pick<ImportRow, 'outcome' | 'reasons' | 'differences'>

const newResult = (outcome: Outcome, reasons: Reason[], differences: Difference[] = []): Result => ({
  outcome,
  reasons,
  differences
})

/** An item that no import has written: left out on purpose, rejected by a rule, or not imported yet. */
function describeUnknown({ problems, skipped }: Incoming, rejection: Reason[] | undefined): Result {
  if (problems.some(reason => reason.code === 'unreadable')) return newResult('problem', problems)
  if (problems.length > 0) return newResult('explained', problems)
  if (skipped !== undefined) return newResult('explained', skipped)
  return rejection === undefined
    ? newResult('missing', [explanations.notImported()])
    : newResult('explained', rejection)
}

const isTried = (item: Incoming, known: Map<string, ImportedItem>) =>
  !known.has(buildSourceKey(item)) && item.problems.length === 0 && item.skipped === undefined

/** The messages of the rules that an import of these items would break, by trying it without writing. */
async function listRejections(db: Database, run: ImportRun, items: Incoming[]): Promise<Map<string, Reason[]>> {
  if (items.length === 0) return new Map()
  const rows = await tryItems(db, run, items)
  return new Map(
    rows.filter(({ outcome }) => outcome === 'problem').map(row => [buildSourceKey(row), row.reasons] as const)
  )
}

function describeKnown(
  item: Incoming,
  { known, state, stored }: { known: ImportedItem; state: ItemState; stored: OurItem },
  context: ComparisonContext
): Result {
  const isEdited = known.version !== 0 && state.version !== known.version
  const isChanged = !hashItem(item).equals(known.hash)
  const cause =
    known.version === 0 ? explanations.recognised() : isEdited && !isChanged ? explanations.editedHere() : undefined
  const differences = compareItem(item, stored, context).map(difference =>
    difference.reason !== undefined || cause === undefined ? difference : { ...difference, reason: cause }
  )
  if (differences.length === 0) return newResult('same', [])
  const isWhole = differences.every(({ reason }) => reason !== undefined && isExplained(reason))
  const reasons = new Map(differences.flatMap(({ reason }) => (reason === undefined ? [] : [[reason.en, reason]])))
  const others = isWhole
    ? []
    : [...(isChanged ? [explanations.changedAtSource()] : []), ...(isEdited ? [explanations.editedHere()] : [])]
  return newResult(isWhole ? 'explained' : 'differs', [...others, ...reasons.values()], differences)
}

interface Stored {
  items: Map<string, OurItem>
  states: Map<string, ItemState>
  context: ComparisonContext
}

/** Loads what is stored here of these items, in a few statements. */
async function loadStored(
  db: Database,
  run: ImportRun,
  incoming: Incoming[],
  known: Map<string, ImportedItem>
): Promise<Stored> {
  const items = new Map<string, OurItem>()
  const states = new Map<string, ItemState>()
  const slugs = new Set<string>()
  for (const kind of singleKinds) {
    const ofKind = incoming.filter(item => item.kind === kind)
    const ids = ofKind.flatMap(item => known.get(buildSourceKey(item))?.itemId ?? [])
    const languages = [...new Set(ofKind.flatMap(item => Object.keys(item.originals ?? {}) as Language[]))]
    for (const state of await journal.lockStates(db, kind, ids)) states.set(buildStateKey(kind, state.id), state)
    const ours = await loadOurItems(db, run, kind, { ids, languages })
    for (const [id, item] of ours) items.set(buildStateKey(kind, id), item)
    for (const key of await listFormerSlugs(db, kind, ids)) slugs.add(key)
  }
  const text = JSON.stringify([...items.values()])
  const sources = await listCopySources(db, { media: listCopyIds(text, 'media'), files: listCopyIds(text, 'files') })
  return {
    items,
    states,
    context: {
      findId: (kind, sourceId) => known.get(buildSourceKey({ kind, sourceId }))?.itemId,
      findSource: url => sources.get(copyUrl.exec(url)?.[1] ?? ''),
      isFormerSlug: (kind: SingleKind, id, slug) => slugs.has(`${kind} ${id} ${slug}`)
    }
  }
}

/** The address of one of our copies. */
const copyUrl = /^(?:https?:\/\/[^/]+)?\/((?:media|files)\/\d{1,15})\/[0-9a-f]{16}\//

function listCopyIds(text: string, folder: 'media' | 'files'): number[] {
  const found = text.matchAll(new RegExp(`/${folder}/(\\d{1,15})/[0-9a-f]{16}/`, 'g'))
  return [...new Set([...found].map(([, id]) => Number(id)))]
}
