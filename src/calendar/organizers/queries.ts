import { type Sql, sql } from '#platform/database/sql.ts'
import { buildPostColumns } from '../content/post-columns.ts'
import type { LinkedPostRow } from '../linked-posts/schema.ts'

/** The fields that only organizers have. */
export interface OrganizerDetails {
  phone: string
  email: string
  website: string
}

export interface OrganizerRow extends LinkedPostRow, OrganizerDetails {}

/** For a row aliased as organizer, with its joined text. */
export function buildOrganizerColumns(zone: string): Sql {
  return sql`
    ${buildPostColumns(sql`organizer`, zone)}, text.name,
    organizer.languages as translations,
    ${ownSelected}`
}

export const ownColumns = sql`phone, email, website`
export const ownSelected = sql`organizer.phone, organizer.email, organizer.website`

export function buildOwnValues({ phone, email, website }: OrganizerDetails): Sql {
  return sql`${phone}, ${email}, ${website}`
}
