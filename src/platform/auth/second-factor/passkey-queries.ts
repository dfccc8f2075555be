import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Passkey } from './passkey-schema.ts'

export interface PasskeyRow extends Passkey {
  userId: number
  credentialId: Buffer
  publicKey: Buffer
  counter: number
  transports: string[]
}

const publicColumns = sql`
  id, name,
  created_at as "createdAt",
  last_used_at as "lastUsedAt",
  clone_warning_at as "cloneWarningAt"`

const columns = sql`
  ${publicColumns}, counter, transports,
  user_id as "userId",
  credential_id as "credentialId",
  public_key as "publicKey"`

export async function list(db: Database, userId: number): Promise<Passkey[]> {
  return await db.all(sql`
    select ${publicColumns}
    from platform.passkeys
    where user_id = ${userId}
    order by id
    limit 100`)
}

export async function listCredentials(
  db: Database,
  userId: number
): Promise<Pick<PasskeyRow, 'credentialId' | 'transports'>[]> {
  return await db.all(sql`
    select credential_id as "credentialId", transports
    from platform.passkeys
    where user_id = ${userId}
    order by id
    limit 100`)
}

export async function lockByCredential(tx: Database, credentialId: Buffer): Promise<PasskeyRow | undefined> {
  return await tx.maybeOne(sql`
    select ${columns} from platform.passkeys where credential_id = ${credentialId} for update`)
}

/** Uses the next number of the account, whose row is locked; undefined if the credential is already registered. */
export async function insert(
  tx: Database,
  passkey: Pick<PasskeyRow, 'userId' | 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'name'> & { now: Date }
): Promise<Passkey | undefined> {
  return await tx.maybeOne(sql`
    insert into platform.passkeys (user_id, id, credential_id, public_key, counter, transports, name, created_at)
    select ${passkey.userId}, coalesce(max(id), 0) + 1, ${passkey.credentialId}, ${passkey.publicKey},
      ${passkey.counter}, ${passkey.transports}::text[], ${passkey.name}, ${passkey.now}
    from platform.passkeys
    where user_id = ${passkey.userId}
    on conflict (credential_id) do nothing
    returning ${publicColumns}`)
}

export async function updateUse(
  tx: Database,
  { userId, id, counter }: Pick<PasskeyRow, 'userId' | 'id' | 'counter'>,
  now: Date
): Promise<void> {
  await tx.run(sql`
    update platform.passkeys
    set counter = ${counter}, last_used_at = ${now}
    where user_id = ${userId} and id = ${id}`)
}

export async function setCloneWarning(
  tx: Database,
  credentialId: Buffer,
  now: Date
): Promise<{ userId: number; name: string } | undefined> {
  return await tx.maybeOne(sql`
    update platform.passkeys
    set clone_warning_at = ${now}
    where credential_id = ${credentialId}
    returning user_id as "userId", name`)
}

export async function rename(
  tx: Database,
  { userId, id, name }: { userId: number; id: number; name: string }
): Promise<Passkey | undefined> {
  return await tx.maybeOne(sql`
    update platform.passkeys
    set name = ${name}
    where user_id = ${userId} and id = ${id}
    returning ${publicColumns}`)
}

export async function remove(tx: Database, userId: number, id: number): Promise<boolean> {
  return (await tx.run(sql`delete from platform.passkeys where user_id = ${userId} and id = ${id}`)) > 0
}

export async function removeOfUser(tx: Database, userId: number): Promise<void> {
  await tx.run(sql`delete from platform.passkeys where user_id = ${userId}`)
}
