import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { UserRole } from '../users/schema.ts'

export interface PolicyRow {
  version: number
  requireSecondFactor: UserRole[]
}

const columns = sql`version, require_second_factor as "requireSecondFactor"`

export async function find(db: Database): Promise<PolicyRow> {
  const row = await db.maybeOne<PolicyRow>(sql`select ${columns} from platform.sign_in_policy where id = 1`)
  return row ?? { version: 1, requireSecondFactor: [] }
}

export async function lock(tx: Database): Promise<PolicyRow> {
  await tx.run(sql`insert into platform.sign_in_policy (id) values (1) on conflict (id) do nothing`)
  return await tx.one(sql`select ${columns} from platform.sign_in_policy where id = 1 for update`)
}

export async function update(tx: Database, requireSecondFactor: UserRole[]): Promise<PolicyRow> {
  return await tx.one(sql`
    update platform.sign_in_policy
    set version = version + 1, require_second_factor = ${requireSecondFactor}::text[]
    where id = 1
    returning ${columns}`)
}

/** True if at least one admin has a second factor. */
export async function hasProtectedAdmin(db: Database): Promise<boolean> {
  const { found } = await db.one<{ found: boolean }>(sql`
    select exists (
      select
      from platform.users as person
      where person.role = 'admin' and person.removed_at is null and (
        exists (select from platform.passkeys as key where key.user_id = person.id)
        or exists (
          select from platform.totp_factors as totp where totp.user_id = person.id and totp.confirmed_at is not null
        )
      )
    ) as found`)
  return found
}
