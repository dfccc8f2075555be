-- What the site is called and says of itself: one row. A zone, language or currency that is null is the default.
create table platform.site (
  id               integer primary key check (id = 1),
  version          bigint not null default 1,
  updated_at       timestamptz,
  name             text not null default 'Kalends',
  tagline          jsonb not null default '{"en": "", "de": ""}',
  about            jsonb not null default '{"en": "", "de": ""}',
  imprint          jsonb not null default '{"en": "", "de": ""}',
  privacy          jsonb not null default '{"en": "", "de": ""}',
  contact_email    text,
  languages        text[] not null default '{en,de}',
  default_language text check (default_language in ('en', 'de')),
  timezone         text,
  currency         text,
  accent           text,
  week_start       text not null default 'monday' check (week_start in ('monday', 'sunday')),
  logo_url         text,
  account          jsonb
);

insert into platform.site (id) values (1);
