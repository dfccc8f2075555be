-- Colour theme, image of the home page and profiles in social networks.
alter table platform.site
  add column theme text not null default 'brick' check (theme in ('brick', 'forest', 'ocean', 'plum', 'honey', 'slate')),
  add column hero jsonb,
  add column social_links text[] not null default '{}' check (cardinality(social_links) <= 10);
