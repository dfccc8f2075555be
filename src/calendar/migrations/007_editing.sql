-- What editors look for: events that are left out of lists, and those that wait for a translation.
create index events_hidden on calendar.events (starts_at, id) where hide_from_listings;
-- As many languages as there are: with one more it is to be made anew.
create index events_untranslated on calendar.events (starts_at, id) include (languages)
  where cardinality(languages) < 2 and status <> 'trash' and not hide_from_listings;
