import { open, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/** Takes the next piece; the one after it waits until this is done. */
export type WritePiece = (piece: Buffer | string) => Promise<void>

/** A file that is there when it is whole, and readable only by its owner; `-` is standard output. */
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

/** On the disk before it gets its name. */
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
