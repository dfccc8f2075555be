import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Language } from '../../language.ts'
import type { UserRole } from '../users/schema.ts'
import type { Invitation } from './schema.ts'

export interface InvitationRow extends Invitation {
  version: number
}

const columns = sql`
  id, version, name, email, role, language,
  invited_by as "invitedBy",
  created_at as "createdAt",
  expires_at as "expiresAt"`

export async function list(db: Database): Promise<InvitationRow[]> {
  return await db.all(sql`select ${columns} from platform.invitations order by id limit 1000`)
}

export async function find(db: Database, id: number): Promise<InvitationRow | undefined> {
  return await db.maybeOne(sql`select ${columns} from platform.invitations where id = ${id}`)
}

export async function lock(tx: Database, id: number): Promise<InvitationRow | undefined> {
  return await tx.maybeOne(sql`select ${columns} from platform.invitations where id = ${id} for update`)
}

/** Undefined if this address is already invited. */
export async function insert(
  tx: Database,
  invitation: {
    name: string
    email: string
    role: UserRole
    language: Language
    invitedBy: string
    createdAt: Date
    expiresAt: Date
  }
): Promise<InvitationRow | undefined> {
  const { name, email, role, language, invitedBy, createdAt, expiresAt } = invitation
  return await tx.maybeOne(sql`
    insert into platform.invitations (name, email, role, language, invited_by, created_at, expires_at)
    values (${name}, ${email}, ${role}, ${language}, ${invitedBy}, ${createdAt}, ${expiresAt})
    on conflict (email) do nothing
    returning ${columns}`)
}

export async function setExpiry(tx: Database, id: number, expiresAt: Date): Promise<InvitationRow> {
  return await tx.one(sql`
    update platform.invitations
    set version = version + 1, expires_at = ${expiresAt}
    where id = ${id}
    returning ${columns}`)
}

/** Its links are deleted with it. */
export async function remove(tx: Database, id: number): Promise<void> {
  await tx.run(sql`delete from platform.invitations where id = ${id}`)
}
