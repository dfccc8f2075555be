import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../database/database.ts'
import { deleteInBatches } from '../database/delete-in-batches.ts'
import { sql } from '../database/sql.ts'
import { type EncryptionKeys, listKeyedHashes } from '../encryption/encryption.ts'
import { buildText } from '../messages/messages.ts'
import { Problem } from '../problem.ts'
import { getRateLimitKey } from './client-address.ts'
import { isFilePart } from './file-part.ts'
import { buildUrl } from './links.ts'
import type { RouteContext } from './service.ts'

/** How long the first response is stored. */
const keptHours = 24
const keyLengthMax = 255
/** A key of this length cannot be guessed: a repeat comes from the same visitor, or from someone they gave it to. */
const uniqueKeyLengthMin = 16

interface IdempotencyContext extends Pick<RouteContext, 'db' | 'settings'> {
  /** Input of the request besides its body. */
  extraHashInput?: string
}

export interface CreatedResponse<Body> {
  /** The path of the new resource. */
  location: string
  body: Body
  etag?: string
}

/**
 * Responds 201 with what `create` made. With an `Idempotency-Key` it creates it once however often the request is
 * repeated: the response is stored in the same transaction as the effect, and an error rolls both back.
 */
export async function withIdempotency<Body>(
  { db, settings, extraHashInput = '' }: IdempotencyContext,
  request: FastifyRequest,
  reply: FastifyReply,
  create: (db: Database) => Promise<CreatedResponse<Body>>
): Promise<Body> {
  const key = parseIdempotencyKey(request)
  const { created, replayed } =
    key === undefined
      ? { created: await create(db), replayed: false }
      : await createOnce({ db, settings, extraHashInput }, request, key, create)
  reply.code(201).header('location', buildUrl(request, settings, created.location))
  if (created.etag !== undefined) reply.header('etag', created.etag)
  if (replayed) reply.header('idempotent-replayed', 'true')
  return created.body
}

export async function deleteExpiredResponses(db: Database, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - keptHours * 3_600_000)
  await deleteInBatches(
    async limit =>
      await db.run(sql`
        delete from platform.idempotency
        where key_hash in (
          select key_hash from platform.idempotency where created_at < ${oldest} order by created_at limit ${limit}
        )`)
  )
}

/** Rejects a bad key at once, for a request that has effects before `withIdempotency`. */
export function requireValidIdempotencyKey(request: FastifyRequest): void {
  parseIdempotencyKey(request)
}

function parseIdempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && key.length <= keyLengthMax && /^[\x21-\x7e]+$/.test(key)) return key
  const message = buildText('request-problems', 'idempotencyKey', { keyLengthMax })
  throw new Problem(400, 'invalid-input', message, {
    errors: [{ in: 'header', pointer: '/idempotency-key', code: 'idempotency-key', message }]
  })
}

async function createOnce<Body>(
  { db, settings, extraHashInput }: Required<IdempotencyContext>,
  request: FastifyRequest,
  key: string,
  create: (db: Database) => Promise<CreatedResponse<Body>>
): Promise<{ created: CreatedResponse<Body>; replayed: boolean }> {
  const bodyHash = hashBody(request.body, extraHashInput)
  const { scoped, elsewhere } = getScope(request, key, bodyHash)
  const keyHash = hashSha256(scoped)
  const locks = elsewhere === undefined ? [keyHash] : [keyHash, elsewhere.requestHash]
  const secrets = listSecrets(settings, scoped)

  return await db.transaction(async tx => {
    // The lock only rejects concurrent repeats at once; the primary key guarantees that there is one response.
    const [lock, stored] = await Promise.all([
      tx.one<{ free: boolean }>(sql`
        select bool_and(pg_try_advisory_xact_lock(lock)) as free
        from unnest(${locks.map(hash => String(hash.readBigInt64BE()))}::bigint[]) as lock`),
      tx.maybeOne<{ bodyHash: Buffer; response: Buffer; expired: boolean }>(sql`
        select body_hash as "bodyHash", response, created_at < ${new Date(Date.now() - keptHours * 3_600_000)} as expired
        from platform.idempotency
        where key_hash = ${keyHash}`)
    ])
    if (!lock.free) throw newInFlightProblem()
    if (stored !== undefined && !stored.expired) {
      if (!stored.bodyHash.equals(bodyHash)) throw newKeyReusedProblem()
      // The stored response may not have reached the standby yet, if the primary failed in between. Only a commit waits
      // for replication, so the replay commits too.
      await tx.run(sql`update platform.idempotency set created_at = created_at where key_hash = ${keyHash}`)
      return { created: decryptResponse<Body>(stored.response, secrets), replayed: true }
    }

    if (elsewhere !== undefined && (await hasMatchElsewhere(tx, elsewhere, bodyHash))) throw newOtherNetworkProblem()
    const created = await create(tx)
    await tx.run(sql`
      insert into platform.idempotency (key_hash, body_hash, request_hash, response, created_at)
      values (
        ${keyHash}, ${bodyHash}, ${elsewhere?.requestHash ?? null}, ${encryptResponse(created, secrets)}, ${new Date()}
      )
      on conflict (key_hash) do update
      set body_hash = excluded.body_hash, request_hash = excluded.request_hash, response = excluded.response,
        created_at = excluded.created_at`)
    return { created, replayed: false }
  })
}

interface KeyScope {
  /** The key with the caller and the request that it belongs to. */
  scoped: string
  /** Finds the same request of a visitor that came from another network. */
  elsewhere: { requestHash: Buffer; keyHashBefore: Buffer } | undefined
}

/**
 * Each caller with credentials has a key space. Visitors are known by their network only, so the key space is that of
 * the network: no other network gets the response, which contains the token of a donation. A client whose network
 * changes between two attempts must not donate twice either, so the same request with an unguessable key is not
 * executed again.
 */
function getScope(request: FastifyRequest, key: string, bodyHash: Buffer): KeyScope {
  const { caller, method } = request
  const path = (request.url.split('?', 1)[0] ?? '').replace(/(?<!\/)\/+$/, '')
  const named = [caller.keyId ?? caller.name, method, path, key]
  if (caller.role !== undefined) {
    return { scoped: JSON.stringify(named), elsewhere: undefined }
  }
  const scoped = JSON.stringify([...named, getRateLimitKey(request)])
  if (key.length < uniqueKeyLengthMin) return { scoped, elsewhere: undefined }
  const keyHashBefore = hashSha256(JSON.stringify(named))
  const requestHash = hashSha256(Buffer.concat([keyHashBefore, bodyHash]))
  return { scoped, elsewhere: { requestHash, keyHashBefore } }
}

/** Also finds rows from before networks had key spaces of their own. */
async function hasMatchElsewhere(
  tx: Database,
  { requestHash, keyHashBefore }: NonNullable<KeyScope['elsewhere']>,
  bodyHash: Buffer
): Promise<boolean> {
  const { found } = await tx.one<{ found: boolean }>(sql`
    select exists (
      select from platform.idempotency
      where (request_hash = ${requestHash} or (key_hash = ${keyHashBefore} and body_hash = ${bodyHash}))
        and created_at >= ${new Date(Date.now() - keptHours * 3_600_000)}
    ) as found`)
  return found
}

const hashSha256 = (text: string | Buffer) => createHash('sha256').update(text).digest()

/** Hashes files by their content. */
function hashBody(body: unknown, extraHashInput: string): Buffer {
  if (Buffer.isBuffer(body)) return hashSha256(Buffer.concat([Buffer.from(extraHashInput), body]))
  const fields = Object.entries(body ?? {}).map(([name, value]) =>
    isFilePart(value) ? [name, value.filename, hashSha256(value.bytes).toString('hex')] : [name, value]
  )
  return hashSha256(JSON.stringify([extraHashInput, fields]))
}

const nonceBytes = 12
const tagBytes = 16

/**
 * Secrets for encrypting a response: made of the installation's key and the request's own, so that neither a copy of
 * the database nor a guessed Idempotency-Key decrypts it alone. The last one, made of the request's key only, is for
 * responses from before, and for pages that run in another process and have no key.
 */
function listSecrets(settings: EncryptionKeys, scoped: string): Buffer[] {
  const keyed = settings.encryptionKey === undefined ? [] : listKeyedHashes(settings, 'kept answers', scoped)
  return [...keyed, hashSha256(`answer ${scoped}`)]
}

function encryptResponse(response: CreatedResponse<unknown>, [secret = Buffer.alloc(0)]: Buffer[]): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', secret, nonce)
  const text = Buffer.concat([cipher.update(JSON.stringify(response), 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), text])
}

/** The request has taken effect, so it is not repeated, even if its response cannot be decrypted any more. */
function decryptResponse<Body>(bytes: Buffer, secrets: Buffer[]): CreatedResponse<Body> {
  for (const secret of secrets) {
    const text = decryptBytes(bytes, secret)
    if (text !== undefined) return JSON.parse(text)
  }
  throw newResponseLostProblem()
}

/** Undefined if another secret is needed. */
function decryptBytes(bytes: Buffer, secret: Buffer): string | undefined {
  const decipher = createDecipheriv('aes-256-gcm', secret, bytes.subarray(0, nonceBytes))
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8')
  } catch {
    // The authentication tag does not match: the response was encrypted with another key.
    return undefined
  }
}

const newResponseLostProblem = () =>
  new Problem(409, 'idempotency-answer-lost', buildText('request-problems', 'responseLost'))

const newInFlightProblem = () =>
  new Problem(409, 'idempotency-key-in-flight', buildText('request-problems', 'inFlight'), {
    headers: { 'retry-after': '1' }
  })

const newOtherNetworkProblem = () =>
  new Problem(409, 'idempotency-key-of-another-network', buildText('request-problems', 'otherNetwork'))

const newKeyReusedProblem = () => new Problem(422, 'idempotency-key-reused', buildText('request-problems', 'keyReused'))
