import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { toFileError } from '../file-error.ts'
import { openArchive, RestoreError } from '../restore.ts'
import { listBackups, listNames, removeOldest } from './backup-files.ts'
import { buildFileName } from './names.ts'
import { newBackupUnusableProblem, newUploadOffsetProblem, newUploadTooLargeProblem } from './problems.ts'
import { type Backup, type UploadPiece, type UploadState, uploadBytesMax } from './schema.ts'

const partPattern = /^upload-[0-9a-f]{32}\.part$/
/** A user who has not continued after this time does not come back. */
const uploadMs = 24 * 60 * 60_000

/** Appends a piece to the file of its upload. The last one makes it a backup, if it is complete. */
export async function storePiece(folder: string, piece: UploadPiece): Promise<UploadState> {
  await removeExpiredUploads(folder)
  const path = join(folder, `upload-${piece.uploadId}.part`)
  const receivedBytes = await append(folder, path, piece)
  return { receivedBytes, backup: piece.isLast === true ? await finishUpload(folder, path, piece.uploadId) : null }
}

async function append(folder: string, path: string, { offset, content }: UploadPiece): Promise<number> {
  const bytes = Buffer.from(content, 'base64')
  if (offset + bytes.length > uploadBytesMax) throw newUploadTooLargeProblem()
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const file = await open(path, offset === 0 ? 'w' : 'a', 0o600)
    try {
      const { size } = await file.stat()
      if (size !== offset) throw newUploadOffsetProblem(size)
      await file.appendFile(bytes)
    } finally {
      await file.close()
    }
  } catch (error) {
    throw toFileError(error, path)
  }
  return offset + bytes.length
}

/** A file that is not a whole backup is removed. */
async function finishUpload(folder: string, path: string, uploadId: string): Promise<Backup> {
  try {
    const archive = await openArchive(path)
    await archive.close()
    const takenAt = archive.manifest.takenAt === undefined ? new Date() : new Date(archive.manifest.takenAt)
    const name = buildFileName('uploaded', takenAt, uploadId)
    await rename(path, join(folder, name))
    await removeOldest(folder, 'uploaded')
    const { size, mtime } = await stat(join(folder, name))
    return { name, kind: 'uploaded', bytes: size, createdAt: mtime.toISOString() }
  } catch (error) {
    await rm(path, { force: true })
    if (!(error instanceof RestoreError)) throw error
    throw newBackupUnusableProblem(error.message.replace(path, 'The file'))
  }
}

/** Uploads are there to be restored at once, and contain all personal data. */
async function removeExpiredUploads(folder: string): Promise<void> {
  const isOld = (at: string | number) => new Date(at).getTime() < Date.now() - uploadMs
  for (const name of await listNames(folder)) {
    if (partPattern.test(name) && isOld((await stat(join(folder, name))).mtimeMs)) await rm(join(folder, name))
  }
  for (const { kind, name, createdAt } of await listBackups(folder)) {
    if (kind === 'uploaded' && isOld(createdAt)) await rm(join(folder, name))
  }
}
