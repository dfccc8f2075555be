import type { Database } from '#platform/database.ts'
import { literal, Sql, sql } from '#platform/sql.ts'

/** Where account numbers are sealed: tables whose key is a number and a uuid. A new one needs a line here. */
export interface SealedColumns {
  table: string
  key: [string, string]
  sealed: string
  print: string
}

export const sealedColumns: readonly SealedColumns[] = [
  {
    table: 'fundraising.donations',
    key: ['campaign_id', 'id'],
    sealed: 'account_sealed',
    print: 'account_print'
  },
  {
    table: 'fundraising.statement_entries',
    key: ['statement_id', 'id'],
    sealed: 'counterpart_iban_sealed',
    print: 'counterpart_iban_print'
  },
  {
    table: 'fundraising.payer_rules',
    key: ['position', 'id'],
    sealed: 'iban_sealed',
    print: 'iban_print'
  }
]

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

/** A number that is sealed, or one from before numbers were. */
export interface Found<Value> {
  first: number
  second: string
  value: Value
}

/** In the order of the key, from behind a given one: those that are sealed with one of these keys. */
export async function listSealedWith(
  db: Database,
  columns: SealedColumns,
  keyIds: Buffer[],
  { after, rows }: { after: Found<Buffer> | undefined; rows: number }
): Promise<Found<Buffer>[]> {
  const { table, first, second, sealed } = named(columns)
  return await db.all(sql`
    select ${first} as first, ${second} as second, ${sealed} as value
    from ${table}
    where (${first}, ${second}) > (${after?.first ?? 0}, ${after?.second ?? lowest}::uuid)
      and substring(${sealed} from 2 for 4) = any(${keyIds})
    order by ${first}, ${second}
    limit ${literal(rows)}`)
}

/** What somebody changed or erased meanwhile stays as it is. */
export async function updateSealed(
  db: Database,
  columns: SealedColumns,
  changes: (Found<Buffer> & { sealed: Buffer; print: Buffer })[]
): Promise<void> {
  const { table, first, second, sealed, print } = named(columns)
  await db.run(sql`
    update ${table} as kept
    set ${sealed} = change.sealed, ${print} = change.print
    from unnest(
      ${changes.map(change => change.first)}::bigint[],
      ${changes.map(change => change.second)}::uuid[],
      ${changes.map(change => change.value)}::bytea[],
      ${changes.map(change => change.sealed)}::bytea[],
      ${changes.map(change => change.print)}::bytea[]
    ) as change (first, second, before, sealed, print)
    where kept.${first} = change.first and kept.${second} = change.second and kept.${sealed} = change.before`)
}

export async function listNotSealed(db: Database, rows: number): Promise<Found<string>[]> {
  return await db.all(sql`
    select campaign_id as first, id as second, account_iban as value
    from fundraising.donations
    where account_iban is not null
    order by campaign_id, id
    limit ${literal(rows)}`)
}

export async function seal(
  db: Database,
  changes: (Found<string> & { sealed: Buffer; print: Buffer })[]
): Promise<number> {
  return await db.run(sql`
    update fundraising.donations as donation
    set account_sealed = change.sealed, account_print = change.print, account_iban = null
    from unnest(
      ${changes.map(change => change.first)}::bigint[],
      ${changes.map(change => change.second)}::uuid[],
      ${changes.map(change => change.value)}::text[],
      ${changes.map(change => change.sealed)}::bytea[],
      ${changes.map(change => change.print)}::bytea[]
    ) as change (campaign_id, id, before, sealed, print)
    where donation.campaign_id = change.campaign_id and donation.id = change.id and donation.account_iban = change.before`)
}

export async function countNotSealed(db: Database): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*) as count from fundraising.donations where account_iban is not null`)
  return count
}

/** How many numbers are sealed with which other keys than this one. Reads everything. */
export async function countByOtherKeys(db: Database, keyId: Buffer): Promise<{ keyId: Buffer; count: number }[]> {
  const counts = new Map<string, number>()
  for (const columns of sealedColumns) {
    const { table, sealed } = named(columns)
    const found = await db.all<{ keyId: Buffer; count: number }>(sql`
      select substring(${sealed} from 2 for 4) as "keyId", count(*) as count
      from ${table}
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

/** Gives up the numbers that none of these keys opens, and answers how many. */
export async function removeUnlessSealedWith(tx: Database, keyIds: Buffer[]): Promise<number> {
  let removed = 0
  for (const columns of sealedColumns) {
    const { table, sealed, print } = named(columns)
    removed += await tx.run(sql`
      update ${table}
      set ${sealed} = null, ${print} = null
      where ${sealed} is not null and substring(${sealed} from 2 for 4) <> all(${keyIds})`)
  }
  return removed
}

/** The uuid that none is below. */
const lowest = '00000000-0000-0000-0000-000000000000'

/** Names out of the list above, as pieces of a statement. */
function named({ table, key: [first, second], sealed, print }: SealedColumns) {
  const piece = (name: string) => new Sql(name, [])
  return {
    table: piece(table),
    first: piece(first),
    second: piece(second),
    sealed: piece(sealed),
    print: piece(print)
  }
}
