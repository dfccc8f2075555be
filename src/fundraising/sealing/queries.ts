import type { Database } from '#platform/database.ts'
import type { Keys } from '#platform/encryption.ts'
import { totpSecrets } from '#platform/factors/queries.ts'
import type { SealedColumns, SealedPurpose } from '#platform/sealed-columns.ts'
import { literal, Sql, sql } from '#platform/sql.ts'
import { webhookSecrets } from '#platform/webhooks/queries.ts'
import { hashToken } from '../donor-token.ts'
import { printOf } from '../vault.ts'

/** All columns with sealed values: tables whose key is a number, or a number and a uuid. A new one needs a line here. */
export const sealedColumns: readonly SealedColumns[] = [
  {
    table: 'fundraising.donations',
    key: ['campaign_id', 'id'],
    sealed: 'account_sealed',
    purpose: 'accounts',
    before: { column: 'account_iban', isText: true },
    found: { column: 'account_print', isKeyed: true, from: fingerprintAccount }
  },
  {
    table: 'fundraising.donations',
    key: ['campaign_id', 'id'],
    sealed: 'donor_token_sealed',
    purpose: 'donor links',
    before: { column: 'donor_token', isText: true },
    found: { column: 'donor_token_hash', isKeyed: false, from: (_settings, value) => hashToken(value.toString('utf8')) }
  },
  {
    table: 'fundraising.statement_entries',
    key: ['statement_id', 'id'],
    sealed: 'counterpart_iban_sealed',
    purpose: 'accounts',
    found: { column: 'counterpart_iban_print', isKeyed: true, from: fingerprintAccount }
  },
  {
    table: 'fundraising.payer_rules',
    key: ['position', 'id'],
    sealed: 'iban_sealed',
    purpose: 'accounts',
    found: { column: 'iban_print', isKeyed: true, from: fingerprintAccount }
  },
  ...webhookSecrets,
  totpSecrets
]

function fingerprintAccount(settings: Keys, value: Buffer): Buffer {
  return printOf(settings, value.toString('utf8'))
}

/** Which key everything is sealed with, and whether nothing is left that is sealed with another one. */
export interface VaultRow {
  keyId: Buffer
  isSettled: boolean
}

export async function find(db: Database): Promise<VaultRow | undefined> {
  return await db.maybeOne(sql`select key_id as "keyId", is_settled as "isSettled" from fundraising.vault`)
}

export async function lock(tx: Database): Promise<VaultRow | undefined> {
  return await tx.maybeOne(sql`select key_id as "keyId", is_settled as "isSettled" from fundraising.vault for update`)
}

/** Somebody else's row stays. */
export async function insert(tx: Database, keyId: Buffer): Promise<void> {
  await tx.run(sql`
    insert into fundraising.vault (key_id, is_settled) values (${keyId}, true)
    on conflict (is_only) do nothing`)
}

export async function update(tx: Database, { keyId, isSettled }: VaultRow): Promise<void> {
  await tx.run(sql`update fundraising.vault set key_id = ${keyId}, is_settled = ${isSettled}`)
}

export async function remove(db: Database): Promise<void> {
  await db.run(sql`delete from fundraising.vault`)
}

/** A value that is sealed, or one from before values were. */
export interface Found {
  first: number
  second: string
  value: Buffer
}

/** What replaces it. */
export interface Change extends Found {
  sealed: Buffer
  found: Buffer | null
}

/** In the order of the key, from behind a given one: those that are sealed with one of these keys. */
export async function listSealedWith(
  db: Database,
  columns: SealedColumns,
  keyIds: Buffer[],
  { after, rows }: { after: Found | undefined; rows: number }
): Promise<Found[]> {
  const { table, first, second, sealed } = named(columns)
  return await db.all(sql`
    select ${first} as first, ${second} as second, ${sealed} as value
    from ${table} as kept
    where (${first}, ${second}) > (${after?.first ?? 0}, ${after?.second ?? lowest}::uuid)
      and substring(${sealed} from 2 for 4) = any(${keyIds})
    order by ${first}, ${second}
    limit ${literal(rows)}`)
}

/** What somebody changed or erased meanwhile stays as it is. */
export async function updateSealed(db: Database, columns: SealedColumns, changes: Change[]): Promise<void> {
  const { table, first, second, sealed, assignments } = named(columns)
  await db.run(sql`
    update ${table} as kept
    set ${assignments}
    from ${listed(changes)}
    where ${first} = change.first and ${second} = change.second and ${sealed} = change.before`)
}

/** Values from before they were sealed. */
export async function listNotSealed(db: Database, columns: SealedColumns, rows: number): Promise<Found[]> {
  const { table, first, second, before, beforeValue } = named(columns)
  return await db.all(sql`
    select ${first} as first, ${second} as second, ${beforeValue} as value
    from ${table} as kept
    where ${before} is not null
    order by ${first}, ${second}
    limit ${literal(rows)}`)
}

/** Seals them; what somebody changed or erased meanwhile stays as it is. */
export async function seal(db: Database, columns: SealedColumns, changes: Change[]): Promise<number> {
  const { table, first, second, beforeName, beforeValue, assignments } = named(columns)
  return await db.run(sql`
    update ${table} as kept
    set ${assignments}, ${beforeName} = null
    from ${listed(changes)}
    where ${first} = change.first and ${second} = change.second and ${beforeValue} = change.before`)
}

function listed(changes: Change[]): Sql {
  return sql`unnest(
    ${changes.map(change => change.first)}::bigint[],
    ${changes.map(change => change.second)}::uuid[],
    ${changes.map(change => change.value)}::bytea[],
    ${changes.map(change => change.sealed)}::bytea[],
    ${changes.map(change => change.found)}::bytea[]
  ) as change (first, second, before, sealed, found)`
}

export async function countNotSealed(db: Database): Promise<number> {
  let total = 0
  for (const columns of sealedColumns.filter(hasBefore)) {
    const { table, before } = named(columns)
    const { count } = await db.one<{ count: number }>(sql`
      select count(*) as count from ${table} as kept where ${before} is not null`)
    total += count
  }
  return total
}

/** Does the column have values from before they were sealed? */
export function hasBefore(columns: SealedColumns): boolean {
  return columns.before !== undefined
}

/** How many values are sealed with which other keys than this one. Reads everything. */
export async function countByOtherKeys(db: Database, keyId: Buffer): Promise<{ keyId: Buffer; count: number }[]> {
  const counts = new Map<string, number>()
  for (const columns of sealedColumns) {
    const { table, sealed } = named(columns)
    const found = await db.all<{ keyId: Buffer; count: number }>(sql`
      select substring(${sealed} from 2 for 4) as "keyId", count(*) as count
      from ${table} as kept
      where ${sealed} is not null and substring(${sealed} from 2 for 4) <> ${keyId}
      group by 1
      limit 1000`)
    for (const one of found) {
      const id = one.keyId.toString('hex')
      counts.set(id, (counts.get(id) ?? 0) + one.count)
    }
  }
  return [...counts].map(([id, count]) => ({ keyId: Buffer.from(id, 'hex'), count }))
}

/** How many values of each kind no key opens any more. */
export type GivenUp = Record<SealedPurpose, number>

/** Gives up the values that none of these keys opens, and answers how many of each kind. */
export async function removeUnlessSealedWith(tx: Database, keyIds: Buffer[]): Promise<GivenUp> {
  const removed: GivenUp = { accounts: 0, 'donor links': 0, 'webhook secrets': 0, 'second factors': 0 }
  for (const columns of sealedColumns) {
    const { table, sealed, emptied } = named(columns)
    removed[columns.purpose] += await tx.run(sql`
      update ${table} as kept
      set ${emptied}
      where ${sealed} is not null and substring(${sealed} from 2 for 4) <> all(${keyIds})`)
  }
  return removed
}

/** The uuid that none is below. */
const lowest = '00000000-0000-0000-0000-000000000000'

/** Names out of the list above, as pieces of a statement about the table as `kept`. */
function named({ table, key: [first, second], sealed, before, found }: SealedColumns) {
  const piece = (text: string) => new Sql(text, [])
  const beforeName = before?.column ?? ''
  return {
    table: piece(table),
    first: piece(`kept.${first}`),
    second: piece(second === undefined ? `'${lowest}'::uuid` : `kept.${second}`),
    sealed: piece(`kept.${sealed}`),
    before: piece(`kept.${beforeName}`),
    beforeName: piece(beforeName),
    beforeValue: piece(before?.isText === true ? `convert_to(kept.${beforeName}, 'UTF8')` : `kept.${beforeName}`),
    assignments: piece(`${sealed} = change.sealed${found === undefined ? '' : `, ${found.column} = change.found`}`),
    // A fingerprint that nobody can make again finds nothing; a plain hash still does.
    emptied: piece(`${sealed} = null${found?.isKeyed === true ? `, ${found.column} = null` : ''}`)
  }
}
