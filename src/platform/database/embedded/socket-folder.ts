import { createHash } from 'node:crypto'
import { chmod, lstat, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasCode } from './file-access.ts'
import { socketName } from './process.ts'
import { chownTo, type Runner } from './runner.ts'

/** A unix socket's path has 108 bytes on Linux, 104 on macOS, and ends with a zero byte. */
const socketPathBytesMax = process.platform === 'linux' ? 107 : 103

export function chooseSocketFolder(dataDir: string): string {
  const folder = join(dataDir, 'socket')
  if (Buffer.byteLength(join(folder, socketName)) <= socketPathBytesMax) return folder
  return join(tmpdir(), `kalends-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`)
}

export async function makePrivate(folder: string, runner: Runner): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  }
  await assertOwnFolder(folder, runner)
  await chownTo(folder, runner)
  await chmod(folder, 0o700)
}

/**
 * A user who may enter the socket's folder is the database's superuser, and its owner could respond in place of the
 * server. Another user might have created a folder in the shared temporary directory.
 */
export async function assertOwnFolder(folder: string, runner: Runner): Promise<void> {
  const found = await lstat(folder)
  if (found.isDirectory() && (found.uid === process.getuid?.() || found.uid === runner.user?.uid)) return
  throw new ForeignFolderError(
    `${folder}, where PostgreSQL's socket belongs, is not a folder of this user. Find out who made it and remove it, or ` +
      'set DATA_DIR to another folder (with a path of less than 80 characters, the socket is kept inside).'
  )
}

export class ForeignFolderError extends Error {}
