import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Stores a stream in a file of `folder` that only this process can open. It has no name any more, so that nothing is left behind,
 * however the process ends. The folder is that of the data: in a container, /tmp is memory.
 */
export async function storeInUnnamedFile(stream: AsyncIterable<Buffer>, folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `.stored-${process.pid}`)
  const file = await open(path, 'wx+', 0o600)
  try {
    await unlink(path)
    for await (const piece of stream) await file.appendFile(piece)
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}
