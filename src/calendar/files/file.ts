import { createHash } from 'node:crypto'
import { record } from '#platform/activity/activity.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import { buildText } from '#platform/messages/messages.ts'
import { Problem } from '#platform/problem.ts'
import { toSlug } from '#platform/rich-text/slug.ts'
import { fetchBytes, SafeFetchError } from '#platform/safe-fetch.ts'
import type { WriteContext } from '../contract/routing/route.ts'
import { parseFileName } from '../media/media.ts'
import { getAuthorId } from '../permissions/permissions.ts'
import { type Document, readDocument } from './document.ts'
import * as files from './queries.ts'

const fileBytesMax = 10 * 1024 * 1024
const fetchMs = 20_000

/** Downloads a document; undefined if that fails for any reason. */
export async function fetchDocument(url: string, settings: Settings): Promise<Document | undefined> {
  const fetched = await fetchBytes(url, {
    allowPrivate: settings.allowPrivateAddresses,
    bytesMax: fileBytesMax,
    timeoutMs: fetchMs,
    redirectsMax: 3,
    accept: '*/*'
  }).catch((error: unknown) => {
    if (error instanceof SafeFetchError) return undefined
    throw error
  })
  return fetched?.status === 200 ? readDocument(parseFileName(url), fetched.bytes) : undefined
}

/** Stores a document once, whatever its URL; `isNew` is false if it exists already. */
export async function storeDocument(
  db: Database,
  context: WriteContext,
  document: Document,
  { url, alsoWrite }: { url: string; alsoWrite: (tx: Database, id: number) => Promise<void> }
): Promise<{ id: number; isNew: boolean }> {
  const hash = createHash('sha256').update(document.bytes).digest()
  const same = await files.findByHash(db, hash, document.extension)
  if (same !== undefined) return { id: same, isNew: false }
  return await db.transaction(async tx => {
    const name = toSlug(parseFileName(url).replace(/\.\w{1,5}$/, ''), 'en').slice(0, 100) || 'file'
    const authorId = getAuthorId(context.caller)
    const id = await files.insert(tx, { authorId, name, source: url, hash }, document, context.now)
    await record(tx, { by: context.caller, now: context.now }, 'file.created', {
      subject: 'file',
      id,
      details: { bytes: document.bytes.length }
    })
    await alsoWrite(tx, id)
    return { id, isNew: true }
  })
}

/** Deletes the file; links to it lead nowhere afterwards. */
export async function removeFile({ db, caller, now }: WriteContext, id: number): Promise<void> {
  await db.transaction(async tx => {
    if (!(await files.remove(tx, id))) throw newFileNotFoundProblem(id)
    await record(tx, { by: caller, now }, 'file.deleted', { subject: 'file', id })
  })
}

export const newFileNotFoundProblem = (id: number) =>
  new Problem(404, 'rest-file-not-found', buildText('calendar-problems', 'fileNotFound', { id }))
