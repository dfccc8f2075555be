import type { Database } from '#platform/database/database.ts'
import { sql } from '#platform/database/sql.ts'
import type { Language } from '#platform/language.ts'
import { toSlug, withSuffix } from '#platform/rich-text/slug.ts'
import { eventTexts, findFreeSlug } from '../content/texts.ts'
import type { LocalDateTime } from '../time/time.ts'
import { retryTakenSlug } from './occurrence-queries.ts'

/** The text of an occurrence that needs a slug. */
export interface SlugRequest {
  id: number
  language: Language
  date: LocalDateTime
  /** The slug or the title that the slug is made of; empty for a draft, which has none. */
  words: string
}

/** Slugs with the date of the occurrence: `rehearsal-2026-11-24`. */
export async function chooseSlugs(
  tx: Database,
  requests: SlugRequest[]
): Promise<{ id: number; language: Language; slug: string }[]> {
  const wanted = requests.map(({ id, language, date, words }) => {
    const base = toSlug(words, language).replace(/-\d{4}-\d\d-\d\d(?:-\d+)?$/, '')
    return { id, language, slug: words === '' ? '' : withSuffix(base || String(id), date.slice(0, 10)) }
  })
  const taken = await listTaken(tx, wanted)
  const chosen: { id: number; language: Language; slug: string }[] = []
  for (const one of wanted) {
    const isTaken = taken.has(`${one.language} ${one.slug}`)
    if (one.slug !== '' && isTaken) {
      const { id, language } = one
      chosen.push({ id, language, slug: await findFreeSlug(tx, eventTexts, { words: one.slug, language, id }) })
    } else chosen.push(one)
  }
  return chosen
}

async function listTaken(
  tx: Database,
  wanted: { id: number; language: Language; slug: string }[]
): Promise<Set<string>> {
  const rows = await tx.all<{ language: string; slug: string }>(sql`
    select language, slug
    from calendar.event_texts
    where slug = any(${wanted.map(({ slug }) => slug)}::text[]) and slug <> '' and live
      and event_id <> all(${wanted.map(({ id }) => id)}::bigint[])`)
  return new Set(rows.map(({ language, slug }) => `${language} ${slug}`))
}

/** Gives slugs to published texts of the events that have none, and to those that are renamed. */
export async function saveSlugs(
  tx: Database,
  ids: number[],
  renamed?: { language: Language; words: string }
): Promise<void> {
  const texts = await tx.all<Omit<SlugRequest, 'words'> & { title: string; slug: string }>(sql`
    select text.event_id as id, text.language, text.title, text.slug, event.series_date::text as date
    from calendar.event_texts as text join calendar.events as event on event.id = text.event_id
    where event.id = any(${ids}::bigint[]) and event.status not in ('draft', 'pending', 'trash')`)
  const requests = texts.flatMap(({ title, slug, ...text }) => {
    const isRenamed = renamed?.language === text.language
    return slug === '' || isRenamed ? [{ ...text, words: isRenamed ? renamed.words : title }] : []
  })
  if (requests.length === 0) return
  const chosen = await chooseSlugs(tx, requests)
  const given = sql`unnest(
    ${chosen.map(({ id }) => id)}::bigint[], ${chosen.map(({ language }) => language)}::text[],
    ${chosen.map(({ slug }) => slug)}::text[]
  ) as given (id, language, slug)`
  await tx.run(sql`
    insert into calendar.former_slugs (kind, slug, language, item_id)
    select 'event', text.slug, text.language, text.event_id
    from calendar.event_texts as text join ${given} on given.id = text.event_id and given.language = text.language
    where text.slug not in ('', given.slug)
    on conflict (kind, slug, language) do update set item_id = excluded.item_id`)
  await retryTakenSlug(
    tx.run(sql`
      update calendar.event_texts as text set slug = given.slug
      from ${given}
      where text.event_id = given.id and text.language = given.language`)
  )
}
