import type { Database } from '../database/database.ts'
import { emptySql, sql, toLiteral } from '../database/sql.ts'
import type { Language } from '../language.ts'
import type { PageLink, PageText, SitePage } from './schema.ts'

/** More than a menu can show, and few enough to read all titles with every change of the site. */
export const pagesMax = 200

const columns = sql`
  page.id, page.version, page.kind, page.status, page.place,
  page.menu_order as "order",
  page.created_at as "createdAt",
  page.updated_at as "updatedAt",
  coalesce(
    (
      select jsonb_object_agg(one.language, jsonb_build_object('title', one.title, 'slug', one.slug, 'content', one.content))
      from platform.page_texts as one
      where one.page_id = page.id
    ),
    '{}'
  ) as texts`

export async function list(db: Database, withDrafts: boolean): Promise<SitePage[]> {
  return await db.all(sql`
    select ${columns}
    from platform.pages as page
    ${withDrafts ? emptySql : sql`where page.status = 'published'`}
    order by page.menu_order, page.id
    limit ${toLiteral(pagesMax)}`)
}

/** Titles and slugs of the published pages, in the order of the menus. */
export async function listLinks(db: Database): Promise<PageLink[]> {
  return await db.all(sql`
    select
      page.id, page.kind, page.place,
      coalesce(
        (
          select jsonb_object_agg(one.language, jsonb_build_object('title', one.title, 'slug', one.slug))
          from platform.page_texts as one
          where one.page_id = page.id
        ),
        '{}'
      ) as texts
    from platform.pages as page
    where page.status = 'published'
    order by page.menu_order, page.id
    limit ${toLiteral(pagesMax)}`)
}

export async function find(db: Database, id: number): Promise<SitePage | undefined> {
  return await db.maybeOne(sql`select ${columns} from platform.pages as page where page.id = ${id}`)
}

/** Serializes changes of pages: their slugs are unique, and their number is limited. */
export async function lockAndCount(tx: Database): Promise<number> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended('platform.pages', 0))`)
  const { total } = await tx.one<{ total: number }>(sql`select count(*)::int as total from platform.pages`)
  return total
}

export async function listSlugs(tx: Database, language: Language, exceptId: number): Promise<Set<string>> {
  const rows = await tx.all<{ slug: string }>(sql`
    select slug from platform.page_texts where language = ${language} and page_id <> ${exceptId}`)
  return new Set(rows.map(({ slug }) => slug))
}

type PageColumns = Pick<SitePage, 'status' | 'place' | 'order'>

export async function insert(tx: Database, page: PageColumns, now: Date): Promise<number> {
  const { id } = await tx.one<{ id: number }>(sql`
    insert into platform.pages (status, place, menu_order, created_at, updated_at)
    values (${page.status}, ${page.place}, ${page.order}, ${now}, ${now})
    returning id`)
  return id
}

export async function update(tx: Database, id: number, page: PageColumns, now: Date): Promise<void> {
  await tx.run(sql`
    update platform.pages
    set version = version + 1, status = ${page.status}, place = ${page.place}, menu_order = ${page.order},
      updated_at = ${now}
    where id = ${id}`)
}

export async function saveText(tx: Database, id: number, language: Language, text: PageText): Promise<void> {
  await tx.run(sql`
    insert into platform.page_texts (page_id, language, title, slug, content)
    values (${id}, ${language}, ${text.title}, ${text.slug}, ${text.content})
    on conflict (page_id, language)
    do update set title = excluded.title, slug = excluded.slug, content = excluded.content`)
}

export async function removeText(tx: Database, id: number, language: Language): Promise<void> {
  await tx.run(sql`delete from platform.page_texts where page_id = ${id} and language = ${language}`)
}

export async function remove(tx: Database, id: number): Promise<void> {
  await tx.run(sql`delete from platform.pages where id = ${id}`)
}
