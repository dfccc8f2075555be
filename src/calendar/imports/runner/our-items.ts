import type { Database } from '#platform/database/database.ts'
import { sql } from '#platform/database/sql.ts'
import type { Language } from '#platform/language.ts'
import type { WriteContext } from '../../contract/routing/route.ts'
import { listPage } from '../../events/list-queries.ts'
import { toEventJson } from '../../events/wire.ts'
import * as linkedPosts from '../../linked-posts/queries.ts'
import { organizerPostType } from '../../organizers/organizer.ts'
import { toOrganizerJson } from '../../organizers/wire.ts'
import * as terms from '../../terms/queries.ts'
import { toTermJson } from '../../terms/wire.ts'
import { venuePostType } from '../../venues/venue.ts'
import { toVenueJson } from '../../venues/wire.ts'
import type { OurItem } from '../compare/compare-item.ts'
import type { SingleKind } from '../sources/source.ts'
import type { ImportRun } from './import-run.ts'

interface FoundText {
  id: number
  language: Language
  json: Record<string, unknown>
  hasPassword: boolean
}

/** Loads items as the API shows them to an editor, in these languages. Items without a text in a language lack it. */
export async function loadOurItems(
  db: Database,
  run: ImportRun,
  kind: SingleKind,
  { ids, languages }: { ids: number[]; languages: Language[] }
): Promise<Map<number, OurItem>> {
  const items = new Map<number, OurItem>()
  if (ids.length === 0) return items
  for (const language of languages) {
    const found = await listTexts(db, run.newContext(db, language), kind, ids)
    for (const { id, json, hasPassword, ...text } of found) {
      const item = items.get(id) ?? { texts: {}, hasPassword }
      if (text.language === language) item.texts[language] = json
      items.set(id, item)
    }
  }
  return items
}

async function listTexts(db: Database, context: WriteContext, kind: SingleKind, ids: number[]): Promise<FoundText[]> {
  const { site, viewer, now, zone, language } = context
  const choice = { wanted: language, fallback: site.settings.defaultLanguage }
  if (kind === 'category' || kind === 'tag') {
    const rows = await terms.listByIds(db, kind, ids, choice)
    return rows.map(row => toFoundText(row, { ...toTermJson(row, site) }, false))
  }
  if (kind === 'event') {
    const rows = await listPage(db, ids, { viewer, choice, zone, now })
    return rows.map(row => {
      const json = toEventJson(row, { context: { site, viewer, now, zone }, opened: true })
      return toFoundText(row, { ...json }, row.password !== null)
    })
  }
  const found: FoundText[] = []
  for (const id of ids) {
    if (kind === 'venue') {
      const row = await linkedPosts.find(db, venuePostType, { id }, { choice, zone })
      if (row !== undefined) found.push(toFoundText(row, { ...toVenueJson(row, { site, viewer, now }) }, false))
    } else {
      const row = await linkedPosts.find(db, organizerPostType, { id }, { choice, zone })
      if (row !== undefined) found.push(toFoundText(row, { ...toOrganizerJson(row, { site, viewer, now }) }, false))
    }
  }
  return found
}

const toFoundText = (
  { id, language }: { id: number; language: Language },
  json: Record<string, unknown>,
  hasPassword: boolean
): FoundText => ({ id, language, json, hasPassword })

/** Where our copies of images and files come from: by `media/7` and `files/7`. */
export async function listCopySources(
  db: Database,
  { media, files }: { media: number[]; files: number[] }
): Promise<Map<string, string>> {
  const rows = await db.all<{ key: string; source: string }>(sql`
    select 'media/' || id as key, source from calendar.media where id = any(${media}::bigint[]) and source is not null
    union all
    select 'files/' || id, source from calendar.files where id = any(${files}::bigint[]) and source is not null`)
  return new Map(rows.map(({ key, source }) => [key, source]))
}

/** Former slugs of these items, as `event 7 old-slug`. */
export async function listFormerSlugs(db: Database, kind: SingleKind, ids: number[]): Promise<string[]> {
  const rows = await db.all<{ key: string }>(sql`
    select kind || ' ' || item_id || ' ' || slug as key
    from calendar.former_slugs
    where kind = ${kind} and item_id = any(${ids}::bigint[])`)
  return rows.map(({ key }) => key)
}
