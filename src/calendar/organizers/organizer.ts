import { sql } from '#platform/database/sql.ts'
import { organizerTexts } from '../content/texts.ts'
import type { LinkedPostType } from '../linked-posts/schema.ts'
import { buildOrganizerColumns, buildOwnValues, type OrganizerDetails, ownColumns, ownSelected } from './queries.ts'
import type { OrganizerChanges } from './schema.ts'

/** Organizers as a linked post type. */
export const organizerPostType: LinkedPostType<OrganizerDetails, OrganizerChanges> = {
  kind: 'organizer',
  collection: 'organizers',
  table: sql`calendar.organizers`,
  row: sql`organizer`,
  texts: organizerTexts,
  links: sql`calendar.event_organizers`,
  columns: buildOrganizerColumns,
  own: {
    columns: ownColumns,
    values: buildOwnValues,
    selected: ownSelected,
    resolve: ({ phone, email, website }, before) => ({
      phone: phone ?? before?.phone ?? '',
      email: email ?? before?.email ?? '',
      website: website ?? before?.website ?? ''
    }),
    listSearchTexts: ({ phone, email, website }) => [phone, email, website]
  },
  getName: changes => changes.organizer
}
