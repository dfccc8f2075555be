-- Slugs that an item had before it was renamed, so that addresses with them redirect. Without references to the items:
-- they would lock four tables that are in use. A row whose item is gone leads nowhere.
create table calendar.former_slugs (
  kind     text not null check (kind in ('event', 'venue', 'organizer', 'category', 'tag')),
  slug     text collate "C" not null check (slug <> ''),
  language text not null,
  item_id  bigint not null,
  primary key (kind, slug, language)
);

create index former_slugs_by_item on calendar.former_slugs (kind, item_id);

-- Images of a WordPress site that was imported, by their path in its uploads folder.
create index media_by_upload on calendar.media (substring(source from '/wp-content/uploads/.*$')) where source is not null;
