import type { Database } from '#platform/database/database.ts'
import { type Sql, sql } from '#platform/database/sql.ts'
import type { Language } from '#platform/language.ts'
import { listTexts } from '../events/queries.ts'
import { buildSearchText } from '../events/save-texts.ts'
import { saveSlugs } from './slugs.ts'
import { withTermCounts } from './term-counts.ts'

/** Columns of each field that is stored in the row of the event. */
const fieldColumns: Record<string, Sql[]> = {
  status: [sql`status`, sql`published_at`],
  author: [sql`author_id`],
  image: [sql`image_id`],
  cost: [sql`cost`],
  website: [sql`website`],
  show_map: [sql`show_map`],
  show_map_link: [sql`show_map_link`],
  hide_from_listings: [sql`hide_from_listings`],
  sticky: [sql`sticky`],
  featured: [sql`featured`],
  ticketed: [sql`ticketed`],
  is_virtual: [sql`is_virtual`],
  event_status: [sql`event_status`],
  post_parent: [sql`parent_id`],
  post_password: [sql`password`]
}

/** What is copied from one occurrence to others. */
export interface Propagation {
  sourceId: number
  /** The other occurrences; a field in which one of them differs by hand stays as it is. */
  ids: number[]
  fields: string[]
  language: Language
  now: Date
}

/** Copies the changed fields of an occurrence to others, in a few statements for all. */
export async function propagateFields(tx: Database, propagation: Propagation): Promise<void> {
  const { ids, fields } = propagation
  if (ids.length === 0 || fields.length === 0) return
  await withTermCounts(tx, ids, async () => {
    await copyColumns(tx, propagation)
    if (['title', 'description', 'excerpt'].some(field => fields.includes(field))) await copyTexts(tx, propagation)
    if (fields.includes('venue')) await copyLinks(tx, propagation, 'venue')
    if (fields.includes('organizer')) await copyLinks(tx, propagation, 'organizer')
    if (fields.includes('categories')) await copyTerms(tx, propagation, 'category')
    if (fields.includes('tags')) await copyTerms(tx, propagation, 'tag')
  })
  if (fields.includes('status')) {
    await tx.run(sql`
      update calendar.event_texts as text set live = event.status <> 'trash'
      from calendar.events as event
      where event.id = text.event_id and event.id = any(${ids}::bigint[]) and live <> (event.status <> 'trash')`)
  }
  await copySlugs(tx, propagation)
}

async function copyColumns(tx: Database, { sourceId, ids, fields, now }: Propagation): Promise<void> {
  const set = fields
    .flatMap(field => (fieldColumns[field] ?? []).map(column => ({ field, column })))
    .reduce(
      (all, { field, column }) =>
        sql`${all}, ${column} = case when ${field} = any(event.series_changes) then event.${column} else source.${column} end`,
      sql`version = event.version + 1, modified_at = ${now}`
    )
  await tx.run(
    sql`
      update calendar.events as event set ${set}
      from calendar.events as source
      where source.id = ${sourceId} and event.id = any(${ids}::bigint[])`.unprepared()
  )
}

/** The occurrences that follow the series in a field. */
const buildFollowers = (ids: number[], field: string) => sql`
  select event.id from calendar.events as event
  where event.id = any(${ids}::bigint[]) and not ${field}::text = any(event.series_changes)`

async function copyTexts(tx: Database, { sourceId, ids, fields, language }: Propagation): Promise<void> {
  const choose = (field: string, column: Sql) =>
    fields.includes(field)
      ? sql`case when ${field}::text = any(
          (select series_changes from calendar.events as event where event.id = text.event_id)::text[]
        ) then text.${column} else excluded.${column} end`
      : sql`text.${column}`
  await tx.run(
    sql`
      insert into calendar.event_texts as text (event_id, language, title, description, excerpt, slug, live, search)
      select event.id, source.language, source.title, source.description, source.excerpt, '', event.status <> 'trash', source.search
      from calendar.event_texts as source, calendar.events as event
      where source.event_id = ${sourceId} and source.language = ${language} and event.id = any(${ids}::bigint[])
      on conflict (event_id, language) do update
      set title = ${choose('title', sql`title`)}, description = ${choose('description', sql`description`)},
        excerpt = ${choose('excerpt', sql`excerpt`)}`.unprepared()
  )
  await tx.run(sql`
    update calendar.events
    set languages = array(select unnest(languages || ${language}::text) order by 1)
    where id = any(${ids}::bigint[]) and not ${language} = any(languages)`)
  await updateSearch(tx, ids, language)
}

/** Most occurrences have the same texts, so their searchable text is built once for all. */
async function updateSearch(tx: Database, ids: number[], language: Language): Promise<void> {
  const texts = await tx.all<{ ids: number[]; title: string; excerpt: string; description: string }>(sql`
    select array_agg(event_id) as ids, title, excerpt, description
    from calendar.event_texts
    where event_id = any(${ids}::bigint[]) and language = ${language}
    group by title, excerpt, description`)
  for (const text of texts) {
    await tx.run(sql`
      update calendar.event_texts set search = ${buildSearchText(text)}
      where event_id = any(${text.ids}::bigint[]) and language = ${language}`)
  }
}

async function copyLinks(tx: Database, { sourceId, ids }: Propagation, kind: 'venue' | 'organizer'): Promise<void> {
  const [table, column] =
    kind === 'venue' ? [sql`calendar.event_venues`, sql`venue_id`] : [sql`calendar.event_organizers`, sql`organizer_id`]
  await tx.run(sql`delete from ${table} where event_id in (${buildFollowers(ids, kind)})`)
  await tx.run(sql`
    insert into ${table} (event_id, ${column}, position)
    select follower.id, link.${column}, link.position
    from ${table} as link, (${buildFollowers(ids, kind)}) as follower
    where link.event_id = ${sourceId}`)
}

async function copyTerms(tx: Database, { sourceId, ids }: Propagation, taxonomy: 'category' | 'tag'): Promise<void> {
  const followers = buildFollowers(ids, taxonomy === 'category' ? 'categories' : 'tags')
  await tx.run(sql`
    delete from calendar.event_terms as link using calendar.terms as term
    where term.id = link.term_id and term.taxonomy = ${taxonomy} and link.event_id in (${followers})`)
  await tx.run(sql`
    insert into calendar.event_terms (event_id, term_id)
    select follower.id, link.term_id
    from calendar.event_terms as link join calendar.terms as term on term.id = link.term_id, (${followers}) as follower
    where link.event_id = ${sourceId} and term.taxonomy = ${taxonomy}`)
}

/** A new slug of the occurrence, with the date of each other one. */
async function copySlugs(tx: Database, { sourceId, ids, fields, language }: Propagation): Promise<void> {
  const isRenamed = fields.includes('slug')
  const source = isRenamed ? (await listTexts(tx, sourceId)).find(text => text.language === language) : undefined
  const followers = isRenamed ? (await tx.all<{ id: number }>(buildFollowers(ids, 'slug'))).map(({ id }) => id) : ids
  const renamed = source === undefined || source.slug === '' ? undefined : { language, words: source.slug }
  await saveSlugs(tx, followers, renamed)
}
