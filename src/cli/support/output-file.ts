import { open, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/** Writes the next chunk; await it before writing another (backpressure). */
export type WritePiece = (piece: Buffer | string) => Promise<void>

/** Writes a file that appears only when complete, readable only by its owner; `-` means standard output. */
export async function writeToFileOrStdout<Result>(
  path: string,
  write: (to: WritePiece) => Promise<Result>
): Promise<Result> {
  if (path === '-') return await write(writeToStdout)
  const unfinished = `${resolve(path)}.unfinished-${process.pid}`
  try {
    const result = await writeToFile(unfinished, write)
    await rename(unfinished, path)
    const folder = await open(dirname(resolve(path)), 'r')
    await folder.sync().finally(() => folder.close())
    return result
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

/** Syncs to disk before renaming to the final name. */
async function writeToFile<Result>(path: string, write: (to: WritePiece) => Promise<Result>): Promise<Result> {
  const file = await open(path, 'wx', 0o600)
  try {
    const result = await write(async piece => await file.appendFile(piece))
    await file.sync()
    return result
  } finally {
    await file.close()
  }
}

async function writeToStdout(piece: Buffer | string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(piece, error => (error ? reject(error) : resolve()))
  })
}
