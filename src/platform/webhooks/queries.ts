import type { Database } from '../database/database.ts'
import { sql, toLiteral } from '../database/sql.ts'
import type { EncryptedColumn } from '../encryption/encrypted-columns.ts'
import type { Webhook } from './schema.ts'

/** A webhook with its version for editing, without its secrets, so that no response can leak them. */
export interface WebhookRow extends Webhook {
  version: number
}

/** The columns of secrets, encrypted and from before encryption. */
export const webhookSecretColumns: readonly EncryptedColumn[] = [
  {
    table: 'platform.webhooks',
    key: ['id'],
    encrypted: 'secret_encrypted',
    purpose: 'webhook secrets',
    plaintext: { column: 'secret', isText: false }
  },
  {
    table: 'platform.webhooks',
    key: ['id'],
    encrypted: 'previous_secret_encrypted',
    purpose: 'webhook secrets',
    plaintext: { column: 'previous_secret', isText: false }
  }
]

const columns = sql`
  id, version, url, actions, description,
  is_on as "isOn",
  failing_since as "failingSince",
  switched_off_at as "switchedOffAt",
  last_delivered_at as "lastDeliveredAt",
  created_at as "createdAt",
  updated_at as "updatedAt"`

/** To join with what another statement reads: one row with `is_any_on`. */
export const isAnyOn = sql`select exists (select 1 from platform.webhooks where is_on) as is_any_on`

/** More than anyone needs, and few enough that every activity can be matched against all of them. */
export const webhooksMax = 50

export async function list(db: Database): Promise<WebhookRow[]> {
  return await db.all(sql`select ${columns} from platform.webhooks order by id limit ${toLiteral(webhooksMax)}`)
}

export async function find(db: Database, id: number): Promise<WebhookRow | undefined> {
  return await db.maybeOne(sql`select ${columns} from platform.webhooks where id = ${id}`)
}

export async function lock(tx: Database, id: number): Promise<WebhookRow | undefined> {
  return await tx.maybeOne(sql`select ${columns} from platform.webhooks where id = ${id} for no key update`)
}

/** Counts webhooks under a lock, so that no other transaction creates one meanwhile. */
export async function lockAndCount(tx: Database): Promise<number> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended('platform.webhooks', 0))`)
  const { total } = await tx.one<{ total: number }>(sql`select count(*) as total from platform.webhooks`)
  return total
}

export async function insert(
  tx: Database,
  webhook: { url: string; actions: string[]; description: string; encryptedSecret: Buffer },
  now: Date
): Promise<WebhookRow> {
  return await tx.one(sql`
    insert into platform.webhooks (url, actions, description, secret_encrypted, created_at, updated_at)
    values (${webhook.url}, ${webhook.actions}, ${webhook.description}, ${webhook.encryptedSecret}, ${now}, ${now})
    returning ${columns}`)
}

export async function update(
  tx: Database,
  id: number,
  webhook: Pick<Webhook, 'url' | 'actions' | 'description' | 'isOn'>,
  now: Date
): Promise<WebhookRow> {
  return await tx.one(sql`
    update platform.webhooks
    set
      version = version + 1,
      url = ${webhook.url},
      actions = ${webhook.actions},
      description = ${webhook.description},
      is_on = ${webhook.isOn},
      updated_at = ${now}
    where id = ${id}
    returning ${columns}`)
}

/** Resets the failure state, for a webhook that is switched on or has a new URL. */
export async function resetFailures(tx: Database, id: number): Promise<WebhookRow> {
  return await tx.one(sql`
    update platform.webhooks
    set failing_since = null, failures = 0, recent_responses = '', not_before = null, switched_off_at = null
    where id = ${id}
    returning ${columns}`)
}

/** Ends the pause of the receiver now, so that a waiting delivery is tried at once. */
export async function clearBackoff(tx: Database, id: number): Promise<void> {
  await tx.run(sql`update platform.webhooks set not_before = now() where id = ${id} and not_before > now()`)
}

export async function switchOff(tx: Database, id: number, now: Date): Promise<boolean> {
  const changed = await tx.run(sql`
    update platform.webhooks
    set version = version + 1, is_on = false, switched_off_at = ${now}, updated_at = ${now}
    where id = ${id} and is_on`)
  return changed === 1
}

/** Keeps the previous secret valid for a while, so that receivers have time to switch. */
export async function replaceSecret(
  tx: Database,
  id: number,
  encryptedSecret: Buffer,
  { now, until }: { now: Date; until: Date }
): Promise<void> {
  await tx.run(sql`
    update platform.webhooks
    set
      version = version + 1,
      previous_secret = secret,
      previous_secret_encrypted = secret_encrypted,
      previous_secret_until = ${until},
      secret = null,
      secret_encrypted = ${encryptedSecret},
      updated_at = ${now}
    where id = ${id}`)
}

export async function remove(tx: Database, id: number): Promise<void> {
  await tx.run(sql`delete from platform.webhooks where id = ${id}`)
}

/** False after the key that encrypts the secret is lost: messages cannot be signed then. */
export async function hasSecret(tx: Database, id: number): Promise<boolean> {
  const row = await tx.maybeOne<{ found: boolean }>(sql`
    select coalesce(secret, secret_encrypted) is not null as found from platform.webhooks where id = ${id}`)
  return row?.found === true
}

/** Active webhooks whose secret is lost. */
export async function listWithoutSecret(tx: Database): Promise<{ id: number; url: string }[]> {
  return await tx.all(sql`
    select id, url
    from platform.webhooks
    where is_on and coalesce(secret, secret_encrypted) is null
    order by id
    limit ${toLiteral(webhooksMax)}`)
}
