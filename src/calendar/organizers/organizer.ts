import { sql } from '#platform/sql.ts'
import type { Linked } from '../linked/schema.ts'
import { organizerTexts } from '../texts.ts'
import { type OrganizerOwn, organizerColumns, ownColumns, ownSelected, ownValues } from './queries.ts'
import type { OrganizerChanges } from './schema.ts'

/** What makes an organizer one of the things that events are linked with. */
export const linkedOrganizers: Linked<OrganizerOwn, OrganizerChanges> = {
  kind: 'organizer',
  collection: 'organizers',
  table: sql`calendar.organizers`,
  row: sql`organizer`,
  texts: organizerTexts,
  links: sql`calendar.event_organizers`,
  columns: organizerColumns,
  own: {
    columns: ownColumns,
    values: ownValues,
    selected: ownSelected,
    after: ({ phone, email, website }, before) => ({
      phone: phone ?? before?.phone ?? '',
      email: email ?? before?.email ?? '',
      website: website ?? before?.website ?? ''
    }),
    searched: ({ phone, email, website }) => [phone, email, website]
  },
  nameIn: changes => changes.organizer
}
