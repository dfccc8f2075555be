-- Pages with rich text, a row per language. About, imprint and privacy always exist: until now they were plain texts of platform.site,
-- whose columns stay for processes of the previous release.
create table platform.pages (
  id         bigint generated always as identity primary key,
  version    integer not null default 1,
  kind       text unique check (kind in ('about', 'imprint', 'privacy')),
  status     text not null check (status in ('draft', 'published')),
  place      text not null check (place in ('header', 'footer', 'none')),
  menu_order integer not null check (menu_order between 0 and 999),
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table platform.page_texts (
  page_id  bigint not null references platform.pages on delete cascade,
  language text not null check (language ~ '^[a-z]{2}$'),
  title    text not null check (char_length(title) between 1 and 200),
  slug     text not null check (char_length(slug) between 1 and 100),
  content  text not null check (char_length(content) <= 400000),
  primary key (page_id, language),
  unique (language, slug)
);

insert into platform.pages (kind, status, place, menu_order, created_at, updated_at)
values
  ('about', 'published', 'header', 10, now(), now()),
  ('imprint', 'published', 'footer', 10, now(), now()),
  ('privacy', 'published', 'footer', 20, now(), now());

-- Plain text becomes HTML: a blank line ends a paragraph, `## ` begins a heading, a dash an item of a list; web and mail addresses become links.
do $$
declare
  given record;
  line text;
  html text;
  block text;
  opened text;
begin
  for given in
    select page.id, page.kind, one.key as language, one.value as content
    from platform.site as site
    cross join platform.pages as page
    cross join lateral jsonb_each_text(
      case page.kind when 'about' then site.about when 'imprint' then site.imprint else site.privacy end
    ) as one
    where page.kind is not null and btrim(one.value, e' \t\r\n') <> '' and one.key in ('en', 'de')
  loop
    html := '';
    opened := '';
    foreach line in array regexp_split_to_array(given.content, e'\r\n|\r|\n') loop
      line := btrim(line, e' \t');
      block := case
        when line = '' then ''
        when line ~ '^#{1,6}\s+\S' then case when line ~ '^#{1,2}\s' then 'h2' else 'h3' end
        when line ~ '^[-*•–]\s+\S' then 'ul'
        else 'p'
      end;
      if opened <> '' and (opened <> block or block in ('h2', 'h3')) then
        html := html || case opened when 'ul' then '</li></ul>' else '</' || opened || '>' end || e'\n';
        opened := '';
      end if;
      if block = '' then
        continue;
      end if;
      line := regexp_replace(line, case when block = 'p' then '^$' when block = 'ul' then '^[-*•–]\s+' else '^#+\s+|\s+#+$' end, '', 'g');
      line := replace(replace(replace(line, '&', '&amp;'), '<', '&lt;'), '>', '&gt;');
      line := regexp_replace(
        line,
        '(https?://(?:[^\s<>"&]|&amp;)*[^\s<>"&.,;:!?)])',
        '<a href="\1" rel="noopener nofollow ugc">\1</a>',
        'g'
      );
      line := regexp_replace(
        line,
        '(^|[\s(:;])([\w.+-]+@[\w-]+(?:\.[\w-]+)+)',
        '\1<a href="mailto:\2" rel="noopener nofollow ugc">\2</a>',
        'g'
      );
      html := html || case
        when opened = '' and block = 'ul' then '<ul><li>'
        when opened = '' then '<' || block || '>'
        when block = 'ul' then '</li><li>'
        else '<br />'
      end || line;
      opened := block;
    end loop;
    if opened <> '' then
      html := html || case opened when 'ul' then '</li></ul>' else '</' || opened || '>' end;
    end if;
    insert into platform.page_texts (page_id, language, title, slug, content)
    values (
      given.id,
      given.language,
      case given.language || ' ' || given.kind
        when 'en about' then 'About us'
        when 'de about' then 'Über uns'
        when 'en imprint' then 'Legal notice'
        when 'de imprint' then 'Impressum'
        when 'en privacy' then 'Privacy'
        else 'Datenschutz'
      end,
      case given.language || ' ' || given.kind
        when 'de about' then 'ueber-uns'
        when 'de imprint' then 'impressum'
        when 'de privacy' then 'datenschutz'
        else given.kind
      end,
      html
    );
  end loop;
end
$$;
