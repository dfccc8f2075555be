import { type Sql, sql } from '#platform/sql.ts'
import { postColumns } from '../columns.ts'
import type { LinkedRow } from '../linked/schema.ts'

/** What an organizer has besides what venues have too. */
export interface OrganizerOwn {
  phone: string
  email: string
  website: string
}

export interface OrganizerRow extends LinkedRow, OrganizerOwn {}

/** Of a row named organizer, and the text of the reader. */
export function organizerColumns(zone: string): Sql {
  return sql`
    ${postColumns(sql`organizer`, zone)}, text.name,
    organizer.languages as translations,
    ${ownSelected}`
}

export const ownColumns = sql`phone, email, website`
export const ownSelected = sql`organizer.phone, organizer.email, organizer.website`

export function ownValues({ phone, email, website }: OrganizerOwn): Sql {
  return sql`${phone}, ${email}, ${website}`
}
