import { mkdir, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type pg from 'pg'
import type { Migrations } from '../database/migrate.ts'
import { type WrittenArchive, writeArchive } from './archive.ts'
import { toFileError } from './file-error.ts'
import { writeToFile } from './output-file.ts'
import { openArchive } from './restore.ts'

/** Writes a backup to a file. It counts only if every byte of it can be read back. */
export async function writeVerifiedBackup(
  connection: pg.ClientConfig,
  path: string,
  migrations: Migrations[],
  { stopping, onWrite = () => {} }: { stopping?: AbortSignal | undefined; onWrite?: (bytes: number) => void } = {}
): Promise<WrittenArchive> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  } catch (error) {
    throw toFileError(error, path)
  }
  let bytes = 0
  const written = await writeToFile(path, async write => {
    return await writeArchive(
      connection,
      migrations,
      async piece => {
        stopping?.throwIfAborted()
        await write(piece)
        bytes += piece.length
        onWrite(bytes)
      },
      'backup'
    )
  })
  try {
    const archive = await openArchive(path)
    await archive.close()
  } catch (error) {
    // A damaged file must not count as the newest backup.
    await rm(path, { force: true })
    throw error
  }
  return written
}
