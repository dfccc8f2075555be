import type { Database } from '#platform/database.ts'
import type { Picture } from '../../media/image.ts'
import { fetchPicture, hashOf as hashOfPicture, nameIn, storeImage } from '../../media/media.ts'
import * as media from '../../media/queries.ts'
import type { Row } from '../schema.ts'
import { type Incoming, kinds } from '../source.ts'
import { type Run, report } from './batch.ts'
import { decide, hashOf, type Images } from './decision.ts'
import * as journal from './journal.ts'
import { reasons } from './reasons.ts'

/** How many are fetched at the same time: each may be 10 MB. */
const atOnceMax = 4
/** After so many in a row that could not be had, the others are not waited for. */
const failuresMax = 20
/** Addresses that are remembered as useless. */
const rememberedMax = 10_000

/** What an import remembers of images between its batches. */
export interface ImageMemory {
  useless: Set<string>
  failuresInARow: number
}

export const noImages = (): ImageMemory => ({ useless: new Set(), failuresInARow: 0 })

/** The images of all that is going to be written, before the transaction: to fetch them may take long. */
export async function fetchImages(db: Database, run: Run, incoming: Incoming[], memory: ImageMemory): Promise<Images> {
  const images: Images = new Map()
  const wanted = new Map((await itemsToWrite(db, run, incoming)).map(item => [item.image?.url ?? '', item]))
  if (wanted.size === 0) return images
  for (const { id, source } of await media.listBySource(db, [...wanted.keys()])) images.set(source, id)

  const missing = [...wanted.keys()].filter(url => !images.has(url))
  for (let first = 0; first < missing.length; first += atOnceMax) {
    const some = missing.slice(first, first + atOnceMax)
    const fetched = await Promise.all(some.map(async url => ({ url, picture: await pictureAt(run, url, memory) })))
    for (const { url, picture } of fetched) {
      const alt = wanted.get(url)?.image?.alt ?? ''
      images.set(url, await stored(db, run, { url, alt }, picture, memory))
    }
  }
  return images
}

/** Those with an image that are new, or that have changed. */
async function itemsToWrite(db: Database, run: Run, incoming: Incoming[]): Promise<Incoming[]> {
  const items = incoming.filter(({ image, problems }) => image !== undefined && problems.length === 0)
  if (run.dryRun || items.length === 0) return []
  const keys = items.map(({ kind, sourceId }) => ({ kind, sourceId }))
  const known = await journal.listKnown(db, run.origin, keys)
  const states = new Map<string, journal.State>()
  for (const kind of kinds) {
    const ids = known.filter(one => one.kind === kind).map(one => one.itemId)
    for (const state of await journal.lockStates(db, kind, ids)) states.set(`${kind} ${state.id}`, state)
  }
  return items.filter(item => {
    const before = known.find(one => one.kind === item.kind && one.sourceId === item.sourceId)
    const state = before === undefined ? undefined : states.get(`${item.kind} ${before.itemId}`)
    return typeof decide(run.policy, item, hashOf(item, true), before, state) === 'string'
  })
}

async function pictureAt(run: Run, url: string, memory: ImageMemory): Promise<Picture | undefined> {
  if (memory.useless.has(url) || memory.failuresInARow >= failuresMax) return undefined
  return await fetchPicture(url, run.settings)
}

/** The same bytes are stored once, wherever they come from. */
async function stored(
  db: Database,
  run: Run,
  { url, alt }: { url: string; alt: string },
  picture: Picture | undefined,
  memory: ImageMemory
): Promise<number | undefined> {
  if (picture === undefined) {
    if (memory.useless.has(url)) return undefined
    memory.failuresInARow += 1
    if (memory.useless.size < rememberedMax) memory.useless.add(url)
    await db.transaction(async tx => await reportImage(tx, run, url, undefined))
    run.position += 1
    return undefined
  }
  memory.failuresInARow = 0
  const same = await media.findByHash(db, hashOfPicture(picture))
  if (same !== undefined) return same
  const about = { name: nameIn(url), alt, source: url }
  const id = await storeImage(db, run.workIn(db, run.defaultLanguage), picture, about, async (tx, imageId) => {
    const change = { kind: 'image', sourceId: url, change: 'made', itemId: imageId, version: 0 } as const
    await journal.insertChanges(tx, run.id, [{ ...change, number: run.number + 1, before: null, known: null }])
    await reportImage(tx, run, url, imageId)
  })
  run.position += 1
  run.number += 1
  return id
}

async function reportImage(tx: Database, run: Run, url: string, id: number | undefined): Promise<void> {
  const row: Row = {
    position: run.position + 1,
    kind: 'image',
    sourceId: url,
    title: nameIn(url).slice(0, 200).toWellFormed(),
    outcome: id === undefined ? 'problem' : 'new',
    reasons: id === undefined ? [reasons.imageFailed] : [],
    itemId: id ?? null
  }
  await report(tx, run, [row])
}
