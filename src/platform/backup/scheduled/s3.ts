import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { S3Client, S3Errors } from '@bradenmacdonald/s3-lite-client'
import type { S3Settings } from '../../settings/backup-settings.ts'

/** Four parts are sent at the same time, each in memory. The client takes larger ones if it would need more than 10,000. */
const partBytes = 16 * 1024 * 1024

/** A request to the object store failed; the message says which and why, without credentials. */
export class ObjectStoreError extends Error {}

export interface ObjectStore {
  /** Uploads a file and compares its size. The store compares the SHA-256 of each request, which is signed. */
  upload(path: string, name: string): Promise<void>
  /** Names of the objects, without the prefix. */
  list(): Promise<string[]>
  remove(name: string): Promise<void>
}

export function newObjectStore({
  endpoint,
  bucket,
  prefix,
  region,
  accessKeyId,
  secretAccessKey
}: S3Settings): ObjectStore {
  const client = new S3Client({
    endPoint: endpoint,
    bucket,
    region,
    accessKey: accessKeyId,
    secretKey: secretAccessKey
  })

  async function attempt<Result>(action: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      throw new ObjectStoreError(`cannot ${action} in ${endpoint}/${bucket}: ${describeError(error)}`, { cause: error })
    }
  }

  return {
    upload: async (path, name) =>
      await attempt(`store ${prefix}${name}`, async () => {
        const { size } = await stat(path)
        // The typings of Node and of the web differ in the kind of buffer only.
        const content = Readable.toWeb(createReadStream(path)) as unknown as ReadableStream<Uint8Array>
        await client.putObject(prefix + name, content, {
          size,
          partSize: Math.max(partBytes, Math.ceil(size / 10_000)),
          metadata: { 'Content-Type': 'application/x-tar' }
        })
        const stored = await client.statObject(prefix + name)
        if (stored.size !== size) throw new Error(`it has ${stored.size} bytes instead of ${size}`)
      }),
    list: async () =>
      await attempt('list objects', async () => {
        const names: string[] = []
        for await (const { key } of client.listObjects({ prefix })) names.push(key.slice(prefix.length))
        return names
      }),
    remove: async name => await attempt(`remove ${prefix}${name}`, async () => await client.deleteObject(prefix + name))
  }
}

/** `fetch` hides the reason of a failed connection in `cause`. */
function describeError(error: unknown): string {
  if (error instanceof S3Errors.ServerError) return `${error.code} (${error.statusCode}): ${error.message}`
  const { message, cause } = error as Error
  const { message: reason, code } = (cause ?? {}) as NodeJS.ErrnoException
  return reason || code || message
}
