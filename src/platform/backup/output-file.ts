import { open, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { toFileError } from './file-error.ts'

/** Writes the next chunk; await it before writing another (backpressure). */
export type WritePiece = (piece: Buffer | string) => Promise<void>

/** Writes a file as `writeToFile` does; `-` means standard output. */
export async function writeToFileOrStdout<Result>(
  path: string,
  write: (to: WritePiece) => Promise<Result>
): Promise<Result> {
  return path === '-' ? await write(writeToStdout) : await writeToFile(path, write)
}

/** Writes a file that appears only when complete, readable only by its owner. A failure leaves no file behind. */
export async function writeToFile<Result>(path: string, write: (to: WritePiece) => Promise<Result>): Promise<Result> {
  const unfinished = `${resolve(path)}.unfinished-${process.pid}`
  try {
    const result = await writeAndSync(unfinished, path, write)
    await rename(unfinished, path)
    const folder = await open(dirname(resolve(path)), 'r')
    await folder.sync().finally(() => folder.close())
    return result
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

/** Only errors of the file itself are about its path. */
async function writeAndSync<Result>(
  unfinished: string,
  path: string,
  write: (to: WritePiece) => Promise<Result>
): Promise<Result> {
  const onFile = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    try {
      return await work()
    } catch (error) {
      throw toFileError(error, path)
    }
  }
  const file = await onFile(async () => await open(unfinished, 'wx', 0o600))
  try {
    const result = await write(async piece => await onFile(async () => await file.appendFile(piece)))
    await onFile(async () => await file.sync())
    return result
  } finally {
    await file.close()
  }
}

async function writeToStdout(piece: Buffer | string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(piece, error => (error ? reject(toFileError(error, 'standard output')) : resolve()))
  })
}
