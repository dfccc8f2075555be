import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from './database.ts'
import { isFilePart } from './form.ts'
import { urlOf } from './links.ts'
import { Problem } from './problem.ts'
import type { Scope } from './service.ts'
import { sql } from './sql.ts'

/** How long a first answer is kept. */
const keptHours = 24
const keyLengthMax = 255

export interface Created<Body> {
  /** The path of the new thing. */
  location: string
  body: Body
  etag?: string
}

/**
 * Answers 201 with what `create` made. With an `Idempotency-Key` it makes it once however often the request comes:
 * the answer is stored in the same transaction as the effect, and a refusal rolls both back.
 */
export async function once<Body>(
  { db, settings }: Pick<Scope, 'db' | 'settings'>,
  request: FastifyRequest,
  reply: FastifyReply,
  create: (db: Database) => Promise<Created<Body>>,
  /** What belongs to the request besides its body. */
  besides = ''
): Promise<Body> {
  const key = keyOf(request)
  const { created, replayed } =
    key === undefined
      ? { created: await create(db), replayed: false }
      : await createOnce(db, request, key, create, besides)
  reply.code(201).header('location', urlOf(request, settings, created.location))
  if (created.etag !== undefined) reply.header('etag', created.etag)
  if (replayed) reply.header('idempotent-replayed', 'true')
  return created.body
}

/** Forgets answers that are older than they are kept. */
export async function forgetOldAnswers(db: Database, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - keptHours * 3_600_000)
  await db.run(sql`delete from platform.idempotency where created_at < ${oldest}`)
}

function keyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && key.length <= keyLengthMax && /^[\x21-\x7e]+$/.test(key)) return key
  const message = {
    en: `Idempotency-Key must be 1 to ${keyLengthMax} printable characters without blanks.`,
    de: `Idempotency-Key muss aus 1 bis ${keyLengthMax} druckbaren Zeichen ohne Leerzeichen bestehen.`
  }
  throw new Problem(400, 'invalid-input', message, {
    errors: [{ in: 'header', pointer: '/idempotency-key', code: 'idempotency-key', message }]
  })
}

async function createOnce<Body>(
  db: Database,
  request: FastifyRequest,
  key: string,
  create: (db: Database) => Promise<Created<Body>>,
  besides: string
): Promise<{ created: Created<Body>; replayed: boolean }> {
  const { caller, method } = request
  const path = (request.url.split('?', 1)[0] ?? '').replace(/(?<!\/)\/+$/, '')
  const scoped = JSON.stringify([caller.keyId ?? caller.name, method, path, key])
  const keyHash = sha256(scoped)
  const bodyHash = hashOfBody(request.body, besides)
  const secret = sha256(`answer ${scoped}`)

  return await db.transaction(async tx => {
    // The lock only tells those who come meanwhile at once; that there is one answer is the primary key's doing.
    const [lock, stored] = await Promise.all([
      tx.one<{ free: boolean }>(sql`select pg_try_advisory_xact_lock(${keyHash.readBigInt64BE()}) as free`),
      tx.maybeOne<{ bodyHash: Buffer; answer: Buffer; expired: boolean }>(sql`
        select body_hash as "bodyHash", answer, created_at < ${new Date(Date.now() - keptHours * 3_600_000)} as expired
        from platform.idempotency
        where key_hash = ${keyHash}`)
    ])
    if (!lock.free) throw stillInFlight()
    if (stored !== undefined && !stored.expired) {
      if (!stored.bodyHash.equals(bodyHash)) throw keyUsedDifferently()
      // What was committed here may not have reached the standby yet, if the primary broke down in between. Only a commit waits
      // for that, so the answer that comes again is one too.
      await tx.run(sql`update platform.idempotency set created_at = created_at where key_hash = ${keyHash}`)
      return { created: decrypted<Body>(stored.answer, secret), replayed: true }
    }

    const created = await create(tx)
    await tx.run(sql`
      insert into platform.idempotency (key_hash, body_hash, answer, created_at)
      values (${keyHash}, ${bodyHash}, ${encrypted(created, secret)}, ${new Date()})
      on conflict (key_hash) do update
      set body_hash = excluded.body_hash, answer = excluded.answer, created_at = excluded.created_at`)
    return { created, replayed: false }
  })
}

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest()

/** Files count by their content. */
function hashOfBody(body: unknown, besides: string): Buffer {
  if (Buffer.isBuffer(body)) return sha256(Buffer.concat([Buffer.from(besides), body]))
  const fields = Object.entries(body ?? {}).map(([name, value]) =>
    isFilePart(value) ? [name, value.filename, sha256(value.bytes).toString('hex')] : [name, value]
  )
  return sha256(JSON.stringify([besides, fields]))
}

const nonceBytes = 12
const tagBytes = 16

function encrypted(answer: Created<unknown>, secret: Buffer): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', secret, nonce)
  const text = Buffer.concat([cipher.update(JSON.stringify(answer), 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), text])
}

function decrypted<Body>(bytes: Buffer, secret: Buffer): Created<Body> {
  const decipher = createDecipheriv('aes-256-gcm', secret, bytes.subarray(0, nonceBytes))
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  const text = Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()])
  return JSON.parse(text.toString('utf8'))
}

const stillInFlight = () =>
  new Problem(
    409,
    'idempotency-key-in-flight',
    {
      en: 'A request with this Idempotency-Key is still being worked on. Try again in a moment.',
      de: 'Eine Anfrage mit diesem Idempotency-Key wird noch bearbeitet. Bitte gleich noch einmal versuchen.'
    },
    { headers: { 'retry-after': '1' } }
  )

const keyUsedDifferently = () =>
  new Problem(422, 'idempotency-key-reused', {
    en: 'This Idempotency-Key was used before with another body.',
    de: 'Dieser Idempotency-Key wurde schon mit einem anderen Inhalt benutzt.'
  })
