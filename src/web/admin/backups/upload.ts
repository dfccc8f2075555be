import { randomBytes } from 'node:crypto'
import { type Backup, pieceBytesMax, type UploadState } from '#platform/backup/files/schema.ts'
import { isFilePart } from '#platform/http/file-part.ts'
import type { ApiClient } from '../../server/api-client.ts'
import { getFormField, type PageContext } from '../../server/context.ts'

/** Body limit of the form without script, below the memory limit for request bodies; the script sends pieces. */
export const uploadFormBytesMax = 50 * 1024 * 1024

/**
 * Passes the file of a form to the API: the whole file, or one piece of it that the script sent. Returns the backup after
 * the last piece, undefined before, and 'missing' if no file was chosen.
 */
export async function sendUpload(
  context: PageContext,
  headers: Record<string, string> = {}
): Promise<Backup | 'missing' | undefined> {
  const { file } = context.form
  if (!isFilePart(file)) return 'missing'
  const isPiece = getFormField(context, 'uploadId') !== ''
  const uploadId = isPiece ? getFormField(context, 'uploadId') : randomBytes(16).toString('hex')
  const start = isPiece ? Number(getFormField(context, 'offset')) : 0
  const isLast = !isPiece || getFormField(context, 'isLast') === 'yes'
  for (let at = 0; ; at += pieceBytesMax) {
    const content = file.bytes.subarray(at, at + pieceBytesMax)
    const isEnd = at + pieceBytesMax >= file.bytes.length
    const piece = { uploadId, offset: start + at, content, isLast: isLast && isEnd }
    const { backup } = await sendPiece(context.api, headers, piece)
    if (isEnd) return backup ?? undefined
  }
}

async function sendPiece(
  api: ApiClient,
  headers: Record<string, string>,
  { content, ...piece }: { uploadId: string; offset: number; content: Buffer; isLast: boolean }
): Promise<UploadState> {
  const body = { ...piece, content: content.toString('base64') }
  return (await api.post<UploadState>('/backups/uploads', body, headers)).body
}
