-- Where a site that was imported has its pages: `/veranstaltung/` for events, `/veranstaltungen/` for lists of events.
create table calendar.imported_paths (
  base text collate "C" primary key check (base ~ '^/.+/$'),
  kind text not null check (kind in ('event', 'venue', 'organizer', 'category', 'tag', 'view'))
);
