import { totpSecretColumn } from '#platform/auth/second-factor/queries.ts'
import type { Database } from '#platform/database/database.ts'
import { Sql, sql, toLiteral } from '#platform/database/sql.ts'
import type { EncryptedColumn, EncryptedColumnPurpose } from '#platform/encryption/encrypted-columns.ts'
import type { EncryptionKeys } from '#platform/encryption/encryption.ts'
import { webhookSecretColumns } from '#platform/webhooks/queries.ts'
import { hashToken } from './donor-token.ts'
import { getIbanFingerprint } from './iban-encryption.ts'

/** All columns with encrypted values. The primary key is a number, or a number and a uuid. Add new columns here. */
export const encryptedColumns: readonly EncryptedColumn[] = [
  {
    table: 'fundraising.donations',
    key: ['campaign_id', 'id'],
    encrypted: 'iban_encrypted',
    purpose: 'accounts',
    plaintext: { column: 'account_iban', isText: true },
    fingerprint: { column: 'iban_fingerprint', isKeyed: true, from: fingerprintAccount }
  },
  {
    table: 'fundraising.donations',
    key: ['campaign_id', 'id'],
    encrypted: 'donor_token_encrypted',
    purpose: 'donor links',
    plaintext: { column: 'donor_token', isText: true },
    fingerprint: {
      column: 'donor_token_hash',
      isKeyed: false,
      from: (_settings, value) => hashToken(value.toString('utf8'))
    }
  },
  {
    table: 'fundraising.news_consents',
    key: ['campaign_id', 'donation_id'],
    encrypted: 'token_encrypted',
    purpose: 'donor links',
    fingerprint: {
      column: 'token_hash',
      isKeyed: false,
      from: (_settings, value) => hashToken(value.toString('utf8'))
    }
  },
  {
    table: 'fundraising.statement_entries',
    key: ['statement_id', 'id'],
    encrypted: 'counterpart_iban_encrypted',
    purpose: 'accounts',
    fingerprint: { column: 'counterpart_iban_fingerprint', isKeyed: true, from: fingerprintAccount }
  },
  {
    table: 'fundraising.payer_rules',
    key: ['position', 'id'],
    encrypted: 'iban_encrypted',
    purpose: 'accounts',
    fingerprint: { column: 'iban_fingerprint', isKeyed: true, from: fingerprintAccount }
  },
  ...webhookSecretColumns,
  totpSecretColumn
]

function fingerprintAccount(settings: EncryptionKeys, value: Buffer): Buffer {
  return getIbanFingerprint(settings, value.toString('utf8'))
}

/** The current key, and whether no value is left that another key encrypts. */
export interface KeyRow {
  keyId: Buffer
  isRotationComplete: boolean
}

export async function find(db: Database): Promise<KeyRow | undefined> {
  return await db.maybeOne(
    sql`select key_id as "keyId", is_rotation_complete as "isRotationComplete" from fundraising.encryption_key`
  )
}

export async function lock(tx: Database): Promise<KeyRow | undefined> {
  return await tx.maybeOne(
    sql`select key_id as "keyId", is_rotation_complete as "isRotationComplete" from fundraising.encryption_key for update`
  )
}

/** Keeps the row of a concurrent process. */
export async function insert(tx: Database, keyId: Buffer): Promise<void> {
  await tx.run(sql`
    insert into fundraising.encryption_key (key_id, is_rotation_complete) values (${keyId}, true)
    on conflict (is_only) do nothing`)
}

export async function update(tx: Database, { keyId, isRotationComplete }: KeyRow): Promise<void> {
  await tx.run(
    sql`update fundraising.encryption_key set key_id = ${keyId}, is_rotation_complete = ${isRotationComplete}`
  )
}

export async function remove(db: Database): Promise<void> {
  await db.run(sql`delete from fundraising.encryption_key`)
}

/** An encrypted value, or a plaintext one from before encryption. */
export interface EncryptedValue {
  first: number
  second: string
  value: Buffer
}

/** The value with its replacement. */
export interface ReencryptedValue extends EncryptedValue {
  encrypted: Buffer
  found: Buffer | null
}

/** Values encrypted with one of these keys, ordered by primary key, starting after the given row. */
export async function listEncryptedWith(
  db: Database,
  columns: EncryptedColumn,
  keyIds: Buffer[],
  { after, rows }: { after: EncryptedValue | undefined; rows: number }
): Promise<EncryptedValue[]> {
  const { table, first, second, encrypted } = toSqlNames(columns)
  return await db.all(sql`
    select ${first} as first, ${second} as second, ${encrypted} as value
    from ${table} as kept
    where (${first}, ${second}) > (${after?.first ?? 0}, ${after?.second ?? lowest}::uuid)
      and substring(${encrypted} from 2 for 4) = any(${keyIds})
    order by ${first}, ${second}
    limit ${toLiteral(rows)}`)
}

/** Skips rows that were changed or erased concurrently. */
export async function updateEncrypted(
  db: Database,
  columns: EncryptedColumn,
  changes: ReencryptedValue[]
): Promise<void> {
  const { table, first, second, encrypted, assignments } = toSqlNames(columns)
  await db.run(sql`
    update ${table} as kept
    set ${assignments}
    from ${unnestChanges(changes)}
    where ${first} = change.first and ${second} = change.second and ${encrypted} = change.before`)
}

/** Plaintext values from before encryption. */
export async function listPlaintext(db: Database, columns: EncryptedColumn, rows: number): Promise<EncryptedValue[]> {
  const { table, first, second, before, beforeValue } = toSqlNames(columns)
  return await db.all(sql`
    select ${first} as first, ${second} as second, ${beforeValue} as value
    from ${table} as kept
    where ${before} is not null
    order by ${first}, ${second}
    limit ${toLiteral(rows)}`)
}

/** Encrypts plaintext values; skips rows that were changed or erased concurrently. */
export async function encryptPlaintext(
  db: Database,
  columns: EncryptedColumn,
  changes: ReencryptedValue[]
): Promise<number> {
  const { table, first, second, before, beforeName, assignments } = toSqlNames(columns)
  // Text is compared as text: Citus does not convert the values of a column in an update.
  const values =
    columns.plaintext?.isText === true
      ? sql`${changes.map(change => change.value.toString('utf8'))}::text[]`
      : sql`${changes.map(change => change.value)}::bytea[]`
  return await db.run(sql`
    update ${table} as kept
    set ${assignments}, ${beforeName} = null
    from ${unnestChanges(changes, values)}
    where ${first} = change.first and ${second} = change.second and ${before} = change.before`)
}

function unnestChanges(
  changes: ReencryptedValue[],
  before = sql`${changes.map(change => change.value)}::bytea[]`
): Sql {
  return sql`unnest(
    ${changes.map(change => change.first)}::bigint[],
    ${changes.map(change => change.second)}::uuid[],
    ${before},
    ${changes.map(change => change.encrypted)}::bytea[],
    ${changes.map(change => change.found)}::bytea[]
  ) as change (first, second, before, encrypted, found)`
}

export async function countPlaintext(db: Database): Promise<number> {
  let total = 0
  for (const columns of encryptedColumns.filter(hasPlaintextColumn)) {
    const { table, before } = toSqlNames(columns)
    const { count } = await db.one<{ count: number }>(sql`
      select count(*) as count from ${table} as kept where ${before} is not null`)
    total += count
  }
  return total
}

/** Whether the column has a plaintext predecessor. */
export function hasPlaintextColumn(columns: EncryptedColumn): boolean {
  return columns.plaintext !== undefined
}

/** Counts values per key, for all keys but this one. Scans all encrypted columns. */
export async function countByOtherKeys(db: Database, keyId: Buffer): Promise<{ keyId: Buffer; count: number }[]> {
  const counts = new Map<string, number>()
  for (const columns of encryptedColumns) {
    const { table, encrypted } = toSqlNames(columns)
    const found = await db.all<{ keyId: Buffer; count: number }>(sql`
      select substring(${encrypted} from 2 for 4) as "keyId", count(*) as count
      from ${table} as kept
      where ${encrypted} is not null and substring(${encrypted} from 2 for 4) <> ${keyId}
      group by 1
      limit 1000`)
    for (const one of found) {
      const id = one.keyId.toString('hex')
      counts.set(id, (counts.get(id) ?? 0) + one.count)
    }
  }
  return [...counts].map(([id, count]) => ({ keyId: Buffer.from(id, 'hex'), count }))
}

/** The number of values per kind that no key can decrypt. */
export type LostValues = Record<EncryptedColumnPurpose, number>

/** Clears the values that none of these keys can decrypt; returns how many of each kind. */
export async function removeUnreadable(tx: Database, keyIds: Buffer[]): Promise<LostValues> {
  const removed: LostValues = { accounts: 0, 'donor links': 0, 'webhook secrets': 0, 'second factors': 0 }
  for (const columns of encryptedColumns) {
    const { table, encrypted, emptied } = toSqlNames(columns)
    removed[columns.purpose] += await tx.run(sql`
      update ${table} as kept
      set ${emptied}
      where ${encrypted} is not null and substring(${encrypted} from 2 for 4) <> all(${keyIds})`)
  }
  return removed
}

/** The lowest uuid. */
const lowest = '00000000-0000-0000-0000-000000000000'

/** SQL fragments for the names in the list above; the table has the alias `kept`. */
function toSqlNames({ table, key: [first, second], encrypted, plaintext, fingerprint }: EncryptedColumn) {
  const piece = (text: string) => new Sql(text, [])
  const beforeName = plaintext?.column ?? ''
  return {
    table: piece(table),
    first: piece(`kept.${first}`),
    second: piece(second === undefined ? `'${lowest}'::uuid` : `kept.${second}`),
    encrypted: piece(`kept.${encrypted}`),
    before: piece(`kept.${beforeName}`),
    beforeName: piece(beforeName),
    beforeValue: piece(plaintext?.isText === true ? `convert_to(kept.${beforeName}, 'UTF8')` : `kept.${beforeName}`),
    assignments: piece(
      `${encrypted} = change.encrypted${fingerprint === undefined ? '' : `, ${fingerprint.column} = change.found`}`
    ),
    // A keyed fingerprint cannot be computed again without its key, so it finds nothing; a plain hash still does.
    emptied: piece(`${encrypted} = null${fingerprint?.isKeyed === true ? `, ${fingerprint.column} = null` : ''}`)
  }
}
