import type { Database } from '#platform/database/database.ts'
import type { Document } from '../../files/document.ts'
import { fetchDocument, storeDocument } from '../../files/file.ts'
import * as files from '../../files/queries.ts'
import { buildFileUrl } from '../../files/wire.ts'
import { parseFileName } from '../../media/media.ts'
import type { ImportRow } from '../schema.ts'
import { newFileStayedReason } from '../sources/reason.ts'
import type { Incoming } from '../sources/source.ts'
import { saveReport } from './batch.ts'
import type { ImageCopies } from './conflict-policy.ts'
import { failuresMax, type ImageFetchState, listItemsToWrite, rememberedMax } from './images.ts'
import type { ImportRun } from './import-run.ts'
import * as journal from './undo-log.ts'

/** Downloads the files that the texts of all items to write link to, before the transaction. */
export async function fetchFiles(
  db: Database,
  run: ImportRun,
  incoming: Incoming[],
  memory: ImageFetchState
): Promise<ImageCopies> {
  const items = await listItemsToWrite(db, run, incoming, item => (item.files ?? []).length > 0)
  const wanted = [...new Set(items.flatMap(({ files: linked = [] }) => linked.map(({ url }) => url)))]
  if (wanted.length === 0) return new Map()
  const ids = new Map<string, number | undefined>()
  for (const { id, source } of await files.listBySource(db, wanted)) ids.set(source, id)
  for (const url of wanted.filter(one => !ids.has(one))) {
    const isHopeless = memory.failedUrls.has(url) || memory.failuresInARow >= failuresMax
    const document = isHopeless ? undefined : await fetchDocument(url, run.settings)
    ids.set(
      url,
      document === undefined ? await reportFailure(db, run, url, memory) : await store(db, run, url, document)
    )
    if (document !== undefined) memory.failuresInARow = 0
  }
  const { site } = run.newContext(db, run.defaultLanguage)
  const stored = await files.listByIds(
    db,
    [...ids.values()].flatMap(id => id ?? [])
  )
  const urls = new Map(stored.map(row => [row.id, buildFileUrl(row, site)]))
  return new Map(
    [...ids].map(([source, id = 0]) => {
      const url = urls.get(id)
      return [source, url === undefined ? undefined : { id, url }]
    })
  )
}

async function store(db: Database, run: ImportRun, url: string, document: Document): Promise<number> {
  const alsoWrite = async (tx: Database, id: number) => {
    const change = { kind: 'file', sourceId: url, change: 'made', itemId: id, version: 0 } as const
    await journal.insertChanges(tx, run.id, [{ ...change, number: run.number + 1, before: null, known: null }])
    await saveReport(tx, run, [newRow(run, url, id)])
  }
  const context = run.newContext(db, run.defaultLanguage)
  const { id, isNew } = await storeDocument(db, context, document, { url, alsoWrite })
  if (isNew) {
    run.position += 1
    run.number += 1
  }
  return id
}

/** Reports a failed URL once. */
async function reportFailure(db: Database, run: ImportRun, url: string, memory: ImageFetchState): Promise<undefined> {
  if (memory.failedUrls.has(url)) return undefined
  memory.failuresInARow += 1
  if (memory.failedUrls.size < rememberedMax) memory.failedUrls.add(url)
  await db.transaction(async tx => await saveReport(tx, run, [newRow(run, url, undefined)]))
  run.position += 1
  return undefined
}

function newRow(run: ImportRun, url: string, id: number | undefined): ImportRow {
  return {
    position: run.position + 1,
    kind: 'file',
    sourceId: url,
    title: parseFileName(url).slice(0, 200).toWellFormed(),
    outcome: id === undefined ? 'problem' : 'new',
    reasons: id === undefined ? [newFileStayedReason(url)] : [],
    itemId: id ?? null,
    sourceUrl: url,
    differences: []
  }
}
