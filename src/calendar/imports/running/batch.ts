import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database.ts'
import { type Language, languages, type Text } from '#platform/language.ts'
import { plainText } from '../../html.ts'
import * as imports from '../queries.ts'
import { type Counts, noCounts, type Outcome, type Policy, type Row } from '../schema.ts'
import { type Incoming, type Kind, kinds } from '../source.ts'
import { decide, hashOf, hasImage, type Images } from './decision.ts'
import type { Known, SourceKey, State } from './journal.ts'
import * as journal from './journal.ts'
import { apart, inPace, type Pace, together } from './pace.ts'
import { reasons } from './reasons.ts'
import { referencesIn, withIds } from './references.ts'
import { change, make, type Ready, type WorkIn, type WrittenItem } from './write.ts'

/** An import while it runs. */
export interface Run {
  id: number
  owner: string
  origin: string
  policy: Policy
  dryRun: boolean
  defaultLanguage: Language
  settings: Settings
  workIn: WorkIn
  /** The last numbers that were given out in the report and the journal. */
  position: number
  number: number
}

/** It was cancelled, or another process has taken it over: whoever runs it stops. */
export class NotOurs extends Error {}

/** How a try run ends: with its findings, and without what it has written. */
class OnlyTried extends Error {
  readonly findings: Findings

  constructor(findings: Findings) {
    super('Nothing is written in a try run.')
    this.findings = findings
  }
}

interface Findings {
  rows: Row[]
  changes: journal.Change[]
}

/**
 * Writes some of what came, all in one transaction, each by itself: what a rule refuses leaves no trace but its row. A try
 * run goes the same way and takes everything back, so that what it reports is what would happen.
 */
export async function importBatch(db: Database, run: Run, incoming: Incoming[], images: Images): Promise<void> {
  const findings = await inPace(async pace =>
    run.dryRun ? await tried(db, run, incoming, pace) : await written(db, run, incoming, images, pace)
  )
  run.position += findings.rows.length
  run.number += findings.changes.length
}

async function written(db: Database, run: Run, incoming: Incoming[], images: Images, pace: Pace): Promise<Findings> {
  return await db.transaction(async tx => {
    const { findings, known } = await work(tx, run, incoming, images, pace)
    if (findings.changes.length > 0) await journal.insertChanges(tx, run.id, findings.changes)
    if (known.length > 0) await journal.saveKnown(tx, run.origin, known)
    await report(tx, run, findings.rows)
    return findings
  })
}

async function tried(db: Database, run: Run, incoming: Incoming[], pace: Pace): Promise<Findings> {
  const findings = await db
    .transaction(async tx => {
      throw new OnlyTried((await work(tx, run, incoming, undefined, pace)).findings)
    })
    .catch((ended: unknown) => {
      if (ended instanceof OnlyTried) return ended.findings
      throw ended
    })
  await db.transaction(async tx => await report(tx, run, findings.rows))
  return findings
}

export async function report(tx: Database, run: Pick<Run, 'id' | 'owner'>, rows: Row[]): Promise<void> {
  if (rows.length > 0) await imports.insertRows(tx, run.id, rows)
  const things = rows.filter(row => row.kind !== 'image')
  if (!(await imports.advance(tx, run.id, run.owner, { done: things.length, counts: countsOf(rows) }))) {
    throw new NotOurs()
  }
}

function countsOf(rows: Row[]): Counts {
  const counts = { ...noCounts }
  for (const { outcome } of rows) counts[outcome] += 1
  return counts
}

/** What is known at the beginning of a batch, and what it learns on its way. */
interface Surroundings {
  known: Map<string, Known>
  states: Map<string, State>
  /** The ids of what others name, by the source's own. */
  ids: Map<string, number>
  /** Came earlier in this import, whatever became of it. */
  seen: Map<string, string>
  befores: Map<string, string>
}

const keyOf = ({ kind, sourceId }: SourceKey) => `${kind} ${sourceId}`
const stateKey = (kind: Kind, id: number) => `${kind} ${id}`

/** One thing, and what became of it. */
interface Done {
  item: Incoming
  outcome: Outcome
  reasons: Text[]
  itemId: number | null
  change?: 'made' | 'changed' | 'recognised'
  hash?: Buffer
}

async function work(
  tx: Database,
  run: Run,
  incoming: Incoming[],
  images: Images | undefined,
  pace: Pace
): Promise<{ findings: Findings; known: Known[] }> {
  if (!(await imports.renewLease(tx, run.id, run.owner))) throw new NotOurs()
  const about = await surroundings(tx, run, incoming, images)
  const items = new Map(incoming.toReversed().map(item => [keyOf(item), item]))
  const fresh = incoming.filter(item => items.get(keyOf(item)) === item && !about.seen.has(keyOf(item)))
  // Nothing else names events, so they need not wait for each other; unless one belongs to another.
  const isFree = ({ kind }: Incoming) => kind === 'event' && pace === 'together' && !fresh.some(belongsToAnother)
  const done: Done[] = []
  for (const item of fresh.filter(one => !isFree(one))) {
    const one = await importOne(tx, run, item, about, images, async write => await apart(tx, write))
    if (one.itemId !== null && one.outcome !== 'problem') about.ids.set(keyOf(item), one.itemId)
    done.push(one)
  }
  const rest = fresh.filter(isFree)
  done.push(...(await together(rest, async item => await importOne(tx, run, item, about, images, straight))))
  const versions = await versionsOf(tx, done)
  return {
    findings: { rows: rowsOf(run, done), changes: changesOf(run, done, about, versions) },
    known: knownOf(done, versions)
  }
}

/** A few statements for all of them: what is known, what is here, and what it looks like before it is changed. */
async function surroundings(
  tx: Database,
  run: Run,
  incoming: Incoming[],
  images: Images | undefined
): Promise<Surroundings> {
  const named = [...incoming, ...incoming.flatMap(referencesIn)].map(({ kind, sourceId }) => ({ kind, sourceId }))
  const [listed, seen] = await Promise.all([
    journal.listKnown(tx, run.origin, named),
    journal.listSeen(tx, run.id, named)
  ])
  const known = new Map(listed.map(one => [keyOf(one), one]))
  const states = new Map<string, State>()
  const befores = new Map<string, string>()
  for (const kind of kinds) {
    const items = incoming.flatMap(item => {
      const before = item.kind === kind ? known.get(keyOf(item)) : undefined
      return before === undefined ? [] : [{ item, before }]
    })
    const ids = items.map(({ before }) => before.itemId)
    for (const state of await journal.lockStates(tx, kind, ids)) states.set(stateKey(kind, state.id), state)
    const changing = items.filter(({ item, before }) => {
      const state = states.get(stateKey(kind, before.itemId))
      return decide(run.policy, item, hashOf(item, hasImage(item, images)), before, state) === 'change'
    })
    const changed = changing.map(({ before }) => before.itemId)
    for (const { id, before } of await journal.listImages(tx, kind, changed)) befores.set(stateKey(kind, id), before)
  }
  return {
    known,
    states,
    befores,
    ids: await linkable(tx, listed),
    seen: new Map(seen.map(one => [keyOf(one), one.outcome]))
  }
}

/** What others can be linked with: what has been removed here, or is in the trash, is not among it. */
async function linkable(tx: Database, listed: Known[]): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  for (const kind of kinds) {
    const ofKind = listed.filter(one => one.kind === kind)
    const live = new Set(
      await journal.listLive(
        tx,
        kind,
        ofKind.map(one => one.itemId)
      )
    )
    for (const one of ofKind) if (live.has(one.itemId)) ids.set(keyOf(one), one.itemId)
  }
  return ids
}

const belongsToAnother = ({ fields }: Incoming) => fields.post_parent != null
const straight = async (write: () => Promise<WrittenItem>) => await write()

async function importOne(
  tx: Database,
  run: Run,
  item: Incoming,
  about: Surroundings,
  images: Images | undefined,
  attempt: (write: () => Promise<WrittenItem>) => Promise<WrittenItem | Text>
): Promise<Done> {
  const known = about.known.get(keyOf(item))
  const state = known === undefined ? undefined : about.states.get(stateKey(item.kind, known.itemId))
  const isComplete = item.image === undefined || hasImage(item, images)
  const hash = hashOf(item, hasImage(item, images))
  const decision = decide(run.policy, item, hash, known, state)
  const ended = (outcome: Outcome, why: Text[]): Done => ({
    item,
    outcome,
    reasons: [...why, ...(outcome === 'problem' ? [] : (item.notes ?? []))],
    itemId: state?.id ?? null
  })
  if (typeof decision === 'object') return ended(decision.outcome, decision.reasons)

  const { given, missing } = withIds(
    item,
    key => about.ids.get(keyOf(key)),
    key => run.dryRun && about.seen.has(keyOf(key)) && about.seen.get(keyOf(key)) !== 'problem'
  )
  const ready: Ready = {
    kind: item.kind,
    texts: textsOf(item, run.defaultLanguage),
    given: state?.isTrashed === true ? { status: 'publish', ...given } : given,
    imageId: item.image === undefined ? undefined : images?.get(item.image.url)
  }
  const lost = isComplete ? [] : [reasons.withoutImage]
  const outcome = await attempt(async () => {
    if (decision === 'make') return await make(tx, run.workIn, ready)
    if (state === undefined) throw new Error('Only what is here is changed.')
    await change(tx, run.workIn, ready, state.id)
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

/** The site's own language comes first. */
function textsOf({ texts }: Incoming, defaultLanguage: Language): Ready['texts'] {
  const inOrder = [defaultLanguage, ...languages.filter(language => language !== defaultLanguage)]
  return inOrder.flatMap((language): Ready['texts'] => {
    const words = texts[language]
    return words === undefined ? [] : [[language, words]]
  })
}

async function versionsOf(tx: Database, done: Done[]): Promise<Map<string, number>> {
  const versions = new Map<string, number>()
  for (const kind of kinds) {
    const ids = done.flatMap(one => (one.item.kind === kind && one.change !== undefined ? (one.itemId ?? []) : []))
    for (const { id, version } of await journal.listVersions(tx, kind, ids)) versions.set(stateKey(kind, id), version)
  }
  return versions
}

const titleLengthMax = 200

function rowsOf(run: Run, done: Done[]): Row[] {
  return done.map(({ item, outcome, reasons: why, itemId, change: what }, place) => ({
    position: run.position + place + 1,
    kind: item.kind,
    sourceId: item.sourceId,
    title: titleOf(item),
    outcome,
    reasons: why,
    // What a try run made is gone again.
    itemId: run.dryRun && what === 'made' ? null : itemId
  }))
}

function titleOf({ texts }: Incoming): string {
  const { title = '' } = Object.values(texts)[0] ?? {}
  return plainText(title).slice(0, titleLengthMax).toWellFormed()
}

function changesOf(run: Run, done: Done[], about: Surroundings, versions: Map<string, number>): journal.Change[] {
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
      version: versions.get(stateKey(item.kind, itemId)) ?? 0,
      before: what === 'changed' ? (about.befores.get(stateKey(item.kind, itemId)) ?? null) : null,
      known: about.known.get(keyOf(item)) ?? null
    }))
}

function knownOf(done: Done[], versions: Map<string, number>): Known[] {
  return done.flatMap(({ item, itemId, change: what, hash }) =>
    itemId === null || hash === undefined
      ? []
      : [
          {
            kind: item.kind,
            sourceId: item.sourceId,
            itemId,
            hash,
            version: what === 'recognised' ? 0 : (versions.get(stateKey(item.kind, itemId)) ?? 0)
          }
        ]
  )
}
