import type { Database } from '#platform/database/database.ts'
import { listTexts } from '../events/queries.ts'
import { formatWallTime, type WallTime } from '../recurrence/wall-time.ts'
import { insertCopiedParts, insertCopies } from './occurrence-queries.ts'
import { type SeriesTimes, toOccurrenceSchedule } from './occurrence-schedule.ts'
import { chooseSlugs } from './slugs.ts'
import { withTermCounts } from './term-counts.ts'

/** Copies an event to further dates of its series, with texts in all languages, links, image and status. */
export async function copyToDates(
  tx: Database,
  source: { templateId: number; seriesId: number; times: SeriesTimes; now: Date },
  dates: WallTime[]
): Promise<number[]> {
  if (dates.length === 0) return []
  const schedules = dates.map(date => ({
    date: formatWallTime(date),
    schedule: toOccurrenceSchedule(date, source.times)
  }))
  const copies = await insertCopies(tx, source, schedules)
  const texts = await listTexts(tx, source.templateId)
  const slugs = await chooseSlugs(
    tx,
    texts.flatMap(({ language, slug }) => copies.map(copy => ({ ...copy, language, words: slug })))
  )
  const ids = copies.map(({ id }) => id)
  if (ids.length === 0) return []
  await withTermCounts(tx, ids, async () => await insertCopiedParts(tx, source.templateId, slugs))
  return ids
}
