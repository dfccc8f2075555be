import type { Database } from '#platform/database/database.ts'
import { sql } from '#platform/database/sql.ts'
import { normalizeForSearch } from '../content/search.ts'
import type { DuplicateJson } from '../contract/suggestion-shapes.ts'

/** Share of common letter pairs from which on two titles count as similar. */
const similarFrom = 0.5
const duplicatesMax = 5

interface Candidate {
  suggestedId: number
  suggestedTitle: string
  id: number
  title: string
  start: string
  status: string
  isSameDay: boolean
  isSamePlace: boolean
}

/** Events that may be the suggested ones, by the id of the suggested event. */
export async function findDuplicates(db: Database, eventIds: number[]): Promise<Map<number, DuplicateJson[]>> {
  const found = new Map<number, DuplicateJson[]>()
  for (const { suggestedId, suggestedTitle, isSameDay, isSamePlace, ...event } of await listNear(db, eventIds)) {
    const isSimilar = isSameDay && getSimilarity(suggestedTitle, event.title) >= similarFrom
    const list = found.get(suggestedId) ?? []
    if ((!isSimilar && !isSamePlace) || list.length === duplicatesMax) continue
    const { id, title, start, status } = event
    found.set(suggestedId, [...list, { id, title, start_date: start, status, because: isSimilar ? 'title' : 'venue' }])
  }
  return found
}

/** Other events that start on the same day, or take place at the same venue at the same time. */
async function listNear(db: Database, eventIds: number[]): Promise<Candidate[]> {
  if (eventIds.length === 0) return []
  return await db.all(sql`
    select
      suggested.id as "suggestedId", suggested_text.title as "suggestedTitle",
      other.id, text.title, other.start, other.status,
      other.is_same_day as "isSameDay", other.is_same_place as "isSamePlace"
    from calendar.events as suggested
    join calendar.event_texts as suggested_text
      on suggested_text.event_id = suggested.id and suggested_text.language = suggested.languages[1]
    cross join lateral (
      select
        event.id, event.languages, event.status, event.start_local::text as start,
        event.start_local::date = suggested.start_local::date as is_same_day,
        event.starts_at <= suggested.ends_at and event.ends_at >= suggested.starts_at and exists (
          select
          from calendar.event_venues as link
          join calendar.event_venues as own on own.venue_id = link.venue_id
          where link.event_id = event.id and own.event_id = suggested.id
        ) as is_same_place
      from calendar.events as event
      where event.id <> suggested.id and event.status <> 'trash'
        and event.starts_at between suggested.starts_at - interval '36 hours' and suggested.ends_at + interval '36 hours'
      order by event.starts_at, event.id
      limit 200
    ) as other
    join calendar.event_texts as text on text.event_id = other.id and text.language = other.languages[1]
    where suggested.id = any(${eventIds}::bigint[]) and (other.is_same_day or other.is_same_place)
    order by suggested.id, other.is_same_place desc, other.id`)
}

/** Dice's coefficient of the letter pairs in both titles: 0 for none in common, 1 for the same. */
export function getSimilarity(one: string, other: string): number {
  const [first, second] = [listPairs(one), listPairs(other)]
  if (first.length === 0 || second.length === 0) return normalizeTitle(one) === normalizeTitle(other) ? 1 : 0
  const left = new Map<string, number>()
  for (const pair of second) left.set(pair, (left.get(pair) ?? 0) + 1)
  let common = 0
  for (const pair of first) {
    const count = left.get(pair) ?? 0
    if (count === 0) continue
    left.set(pair, count - 1)
    common += 1
  }
  return (2 * common) / (first.length + second.length)
}

const normalizeTitle = (title: string) =>
  normalizeForSearch(title)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

function listPairs(title: string): string[] {
  return normalizeTitle(title)
    .split(' ')
    .flatMap(word => Array.from({ length: Math.max(0, word.length - 1) }, (_, at) => word.slice(at, at + 2)))
}
