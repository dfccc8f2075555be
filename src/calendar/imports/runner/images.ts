import type { Database } from '#platform/database/database.ts'
import type { Picture } from '#platform/images/image.ts'
import { toSingleLineText } from '#platform/rich-text/html.ts'
import { fetchPicture, hashPicture as hashOfPicture, parseFileName, storeImage } from '../../media/media.ts'
import * as media from '../../media/queries.ts'
import { toImageJson } from '../../media/wire.ts'
import type { ImportRow } from '../schema.ts'
import { type Incoming, type IncomingImage, itemKinds } from '../sources/source.ts'
import { saveReport } from './batch.ts'
import { chooseAction, hashItem, type ImageCopies } from './conflict-policy.ts'
import type { ImportRun } from './import-run.ts'
import { listImages } from './inline-images.ts'
import { reasons } from './reasons.ts'
import * as journal from './undo-log.ts'

/** Concurrent downloads: each may be 10 MB. */
const concurrencyMax = 4
/** After this many consecutive failures, the remaining images are skipped. */
export const failuresMax = 20
/** How many failed URLs to remember. */
export const rememberedMax = 10_000

/** Image download state that an import keeps between batches. */
export interface ImageFetchState {
  failedUrls: Set<string>
  failuresInARow: number
}

export const newImageFetchState = (): ImageFetchState => ({ failedUrls: new Set(), failuresInARow: 0 })

/** Where copies of images are stored and failures are reported. */
export interface ImageTarget extends Pick<ImportRun, 'settings' | 'newContext' | 'defaultLanguage'> {
  store(picture: Picture, image: Required<IncomingImage>): Promise<number>
  reportFailure(url: string): Promise<void>
}

/** Downloads the images of all items to write, before the transaction, because it may take long. */
export async function fetchImages(
  db: Database,
  run: ImportRun,
  incoming: Incoming[],
  memory: ImageFetchState
): Promise<ImageCopies> {
  const items = await listItemsToWrite(db, run, incoming, item => listImages(item).length > 0)
  return await copyImages(db, toImageTarget(db, run), items.flatMap(listImages), memory)
}

/** Downloads images that are not stored yet. The same bytes are stored once, whatever their URL. */
export async function copyImages(
  db: Database,
  target: ImageTarget,
  images: IncomingImage[],
  memory: ImageFetchState
): Promise<ImageCopies> {
  const ids = new Map<string, number | undefined>()
  const wanted = new Map<string, string>()
  // The same image may have a text in one place only.
  for (const { url, alt = '' } of images) wanted.set(url, alt || (wanted.get(url) ?? ''))
  if (wanted.size === 0) return new Map()
  for (const { id, source } of await media.listBySource(db, [...wanted.keys()])) {
    ids.set(source, id)
    await media.fillAlt(db, id, toSingleLineText(wanted.get(source) ?? ''))
  }

  const missing = [...wanted.keys()].filter(url => !ids.has(url))
  for (let first = 0; first < missing.length; first += concurrencyMax) {
    const some = missing.slice(first, first + concurrencyMax)
    const fetched = await Promise.all(
      some.map(async url => ({ url, picture: await fetchKnownPicture(target, url, memory) }))
    )
    for (const { url, picture } of fetched) {
      const alt = wanted.get(url) ?? ''
      ids.set(url, await storeFetched(db, target, { url, alt, picture }, memory))
    }
  }
  return await findCopies(db, target, ids)
}

async function findCopies(
  db: Database,
  { newContext, defaultLanguage }: ImageTarget,
  ids: Map<string, number | undefined>
): Promise<ImageCopies> {
  const { site } = newContext(db, defaultLanguage)
  const stored = await media.listByIds(
    db,
    [...ids.values()].flatMap(id => id ?? [])
  )
  const urls = new Map(stored.map(({ image }) => [image.id, toImageJson(image, site).url]))
  return new Map(
    [...ids].map(([source, id]) => {
      const url = id === undefined ? undefined : urls.get(id)
      return [source, id === undefined || url === undefined ? undefined : { id, url }]
    })
  )
}

/** Items that are new or changed, among those that meet the condition. */
export async function listItemsToWrite(
  db: Database,
  run: ImportRun,
  incoming: Incoming[],
  condition: (item: Incoming) => boolean
): Promise<Incoming[]> {
  const items = incoming.filter(item => condition(item) && item.problems.length === 0)
  if (run.dryRun || items.length === 0) return []
  const keys = items.map(({ kind, sourceId }) => ({ kind, sourceId }))
  const known = await journal.listImportedItems(db, run.origin, keys)
  const states = new Map<string, journal.ItemState>()
  for (const kind of itemKinds) {
    const ids = known.filter(one => one.kind === kind).map(one => one.itemId)
    for (const state of await journal.lockStates(db, kind, ids)) states.set(`${kind} ${state.id}`, state)
  }
  return items.filter(item => {
    const before = known.find(one => one.kind === item.kind && one.sourceId === item.sourceId)
    const state = before === undefined ? undefined : states.get(`${item.kind} ${before.itemId}`)
    return typeof chooseAction(run.policy, item, hashItem(item), { known: before, state }) === 'string'
  })
}

async function fetchKnownPicture(
  { settings }: ImageTarget,
  url: string,
  memory: ImageFetchState
): Promise<Picture | undefined> {
  if (memory.failedUrls.has(url) || memory.failuresInARow >= failuresMax) return undefined
  return await fetchPicture(url, settings)
}

async function storeFetched(
  db: Database,
  target: ImageTarget,
  { url, alt, picture }: Required<IncomingImage> & { picture: Picture | undefined },
  memory: ImageFetchState
): Promise<number | undefined> {
  if (picture === undefined) {
    if (memory.failedUrls.has(url)) return undefined
    memory.failuresInARow += 1
    if (memory.failedUrls.size < rememberedMax) memory.failedUrls.add(url)
    await target.reportFailure(url)
    return undefined
  }
  memory.failuresInARow = 0
  return (await media.findByHash(db, hashOfPicture(picture))) ?? (await target.store(picture, { url, alt }))
}

/** Images of an import are in its report and its undo log. */
function toImageTarget(db: Database, run: ImportRun): ImageTarget {
  return {
    ...run,
    reportFailure: async url => {
      await db.transaction(async tx => await reportImage(tx, run, url, undefined))
      run.position += 1
    },
    store: async (picture, { url, alt }) => {
      const alsoWrite = async (tx: Database, imageId: number) => {
        const change = { kind: 'image', sourceId: url, change: 'made', itemId: imageId, version: 0 } as const
        await journal.insertChanges(tx, run.id, [{ ...change, number: run.number + 1, before: null, known: null }])
        await reportImage(tx, run, url, imageId)
      }
      const about = { name: parseFileName(url), alt, source: url, alsoWrite }
      const id = await storeImage(db, run.newContext(db, run.defaultLanguage), picture, about)
      run.position += 1
      run.number += 1
      return id
    }
  }
}

async function reportImage(tx: Database, run: ImportRun, url: string, id: number | undefined): Promise<void> {
  const row: ImportRow = {
    position: run.position + 1,
    kind: 'image',
    sourceId: url,
    title: parseFileName(url).slice(0, 200).toWellFormed(),
    outcome: id === undefined ? 'problem' : 'new',
    reasons: id === undefined ? [reasons.imageFailed()] : [],
    itemId: id ?? null,
    sourceUrl: url,
    differences: []
  }
  await saveReport(tx, run, [row])
}
