import type { Database } from '#platform/database/database.ts'
import { newSeriesNotFoundProblem } from '../../contract/problems.ts'
import type { WriteContext } from '../../contract/routing/route.ts'
import { applyUpdate, insertEvent, prepareNewEvent, prepareUpdate } from '../../events/event.ts'
import { addSeriesChanges } from '../../events/field-values.ts'
import { lock as lockEvent } from '../../events/queries.ts'
import { recordCreation, recordUpdate } from '../../events/record-event.ts'
import type { Translations } from '../../events/save-texts.ts'
import { saveVersions } from '../../events/save-versions.ts'
import type { EventChanges } from '../../events/schema.ts'
import { getDay, getTimeOfDay, isEndless, listDates } from '../../recurrence/recurrence.ts'
import { formatWallTime, parseWallTime, type WallTime } from '../../recurrence/wall-time.ts'
import { copyToDates } from '../../series/copies.ts'
import * as occurrences from '../../series/occurrence-queries.ts'
import type { SeriesPlan } from '../../series/plan.ts'
import { propagateFields } from '../../series/propagate.ts'
import type { OccurrenceRow, SeriesDefinition } from '../../series/queries.ts'
import * as series from '../../series/queries.ts'
import { reschedule } from '../../series/reschedule.ts'
import { lockSeries } from '../../series/series.ts'
import {
  getHorizon,
  isAfter,
  listDatesToMake,
  parseSeries,
  type SeriesState,
  toDefinition
} from '../../series/series-state.ts'
import { buildLaterState } from '../../series/split.ts'
import type { IncomingSeries } from '../sources/source.ts'

/** Fields of an event, with the context of their language. */
interface EventInput {
  context: WriteContext
  values: EventChanges
  translations: Translations
}

/** A series of a source as input of the API. */
export interface ImportedSeries extends EventInput {
  uid: string | undefined
  /** Those of its first date at the source. */
  times: Pick<SeriesDefinition, 'start' | 'end' | 'allDay' | 'timezone'>
  recurrence: Omit<IncomingSeries, 'changes'>
  /** Events that differ from the series. */
  changes: (EventInput & { date: string })[]
}

const timeFields = ['start_date', 'end_date', 'all_day', 'timezone']
const textFields = ['title', 'description', 'excerpt']

/** Creates a series with its events from the first day of the import on. Returns its id. */
export async function importSeries(tx: Database, item: ImportedSeries): Promise<number> {
  const { context, values, translations } = item
  const { now } = context
  const whole = parseSeries({ ...item.times, ...item.recurrence })
  const { times } = whole
  const dates = listFirstDates(whole, item, now)
  const [first] = dates
  if (first === undefined) throw new Error('A series without dates is not imported.')
  const firstValues = {
    ...values,
    start_date: formatWallTime(first),
    end_date: formatWallTime(first + times.durationMs)
  }
  const imageId = await prepareNewEvent(context, firstValues, translations)
  const event = await insertEvent(tx, context, firstValues, { imageId, translations })
  const state = buildLaterState(whole, first)
  const { authorId = 0 } = (await lockEvent(tx, event.id)) ?? {}
  const definition = toDefinition(state, getHorizon(whole.start, times.timezone, now))
  const id = await series.insert(tx, { ...definition, authorId }, now)
  if (item.uid !== undefined) await series.setUid(tx, id, item.uid)
  await occurrences.attach(tx, event.id, { seriesId: id, date: formatWallTime(first) })
  await copyToDates(tx, { templateId: event.id, seriesId: id, times, now }, dates.slice(1))
  await applyChanges(tx, id, item)
  await recordCreation(tx, context, values, { ...event, series: id, occurrences: dates.length })
  return id
}

/** Dates from the first day of the import on, and earlier ones that were moved to a later day. */
function listFirstDates(
  { recurrence, start, times }: SeriesState,
  { recurrence: { from }, changes }: ImportedSeries,
  now: Date
): WallTime[] {
  const to = isEndless(recurrence.rule) ? { to: getHorizon(start, times.timezone, now) } : {}
  const upcoming = listDates(recurrence, start, { from: Math.max(parseWallTime(from), start), ...to })
  const movedIn = changes.filter(change => isMovedIn(change, from)).map(({ date }) => parseWallTime(date))
  return [...new Set([...movedIn, ...upcoming])].sort((one, other) => one - other)
}

const isMovedIn = ({ date, values }: { date: string; values: EventChanges }, from: string) =>
  date < from && String(values.start_date) >= from

/** Writes the events that differ from their series. */
async function applyChanges(tx: Database, seriesId: number, { changes }: Pick<ImportedSeries, 'changes'>) {
  if (changes.length === 0) return
  const ids = new Map((await series.lockOccurrences(tx, seriesId)).map(({ id, date }) => [date, id]))
  for (const { date, context, values, translations } of changes) {
    const id = ids.get(date)
    if (id === undefined) continue
    const update = { changes: values, expected: undefined, translations }
    const imageId = await prepareUpdate(tx, context, id, update)
    const { seriesChanges } = await applyUpdate(tx, context, id, { ...update, imageId })
    if (seriesChanges.length > 0) await addSeriesChanges(tx, id, seriesChanges)
  }
}

/**
 * Makes a series what it is at its source. Events whose dates stay are kept with id and slug; those that differ at the
 * source differ here, and no others.
 */
export async function replaceSeries(tx: Database, id: number, item: ImportedSeries): Promise<void> {
  const { context, translations } = item
  const { now } = context
  const { row, all } = await lockSeries(tx, id)
  const template = chooseTemplate(all)
  if (template === undefined) throw newSeriesNotFoundProblem(id)
  const others = all.filter(one => one.id !== template.id)
  const ids = others.map(one => one.id)
  await saveVersions(tx, context.caller, ids)
  await occurrences.clearSeriesChanges(tx, id)

  const { start_date: _start, end_date: _end, all_day: _allDay, timezone: _timezone, ...changes } = item.values
  const update = { changes, expected: undefined, translations }
  const imageId = await prepareUpdate(tx, context, template.id, update)
  const done = await applyUpdate(tx, context, template.id, { ...update, imageId })
  const fields = new Set([...all.flatMap(one => one.changes), ...done.seriesChanges])
  if (others.some(one => one.status === 'trash')) fields.add('status')
  const propagated = [...fields].filter(field => !timeFields.includes(field))
  await propagateFields(tx, { sourceId: template.id, ids, fields: propagated, language: done.language, now })
  const texts = propagated.filter(field => textFields.includes(field))
  for (const language of Object.keys(translations) as (keyof Translations)[]) {
    await propagateFields(tx, { sourceId: template.id, ids, fields: texts, language, now })
  }

  const plan = planReplacement(all, item, now)
  await reschedule(tx, { row, all: all.map(one => ({ ...one, changes: [] })), plan }, now)
  await copyToDates(
    tx,
    { templateId: template.id, seriesId: id, times: plan.state.times, now },
    item.changes.filter(change => isMovedIn(change, item.recurrence.from)).map(({ date }) => parseWallTime(date))
  )
  await applyChanges(tx, id, item)
  const after = await series.lockOccurrences(tx, id)
  await recordUpdate(tx, context, update, { ...done, series: id, occurrences: after.length })
}

/** The latest event that is as the series is meant. */
function chooseTemplate(all: OccurrenceRow[]): OccurrenceRow | undefined {
  const live = all.filter(one => one.status !== 'trash')
  return live.findLast(one => one.changes.length === 0) ?? live.at(-1) ?? all.at(-1)
}

/** The series from its first event on, which may be later than its first date at the source. */
function planReplacement(all: OccurrenceRow[], item: ImportedSeries, now: Date): SeriesPlan {
  const whole = parseSeries({ ...item.times, ...item.recurrence })
  const { timezone } = whole.times
  const timeOfDay = getTimeOfDay(whole.start)
  const earliest = Math.min(...all.map(({ date }) => getDay(parseWallTime(date))))
  const [from = whole.start] = listDates(whole.recurrence, whole.start, {
    from: Math.max(earliest, whole.start),
    most: 1
  })
  const state = buildLaterState(whole, from)
  const upcoming = listDatesToMake(state, { now, isNew: false }).filter(date => isAfter(date, timezone, now))
  const dates = new Set(upcoming)
  const former = all.map(({ date }) => parseWallTime(date)).filter(date => isAfter(date, timezone, now))
  const toSameDay = (date: WallTime) => getDay(date) + timeOfDay
  // Where no day stays, as from Tuesdays to Wednesdays, the events move in their order.
  const hasStayed = former.some(date => dates.has(toSameDay(date)))
  const moved = new Map(former.map((date, place) => [date, upcoming[place] ?? toSameDay(date)]))
  return {
    state,
    mapDate: date => (!isAfter(date, timezone, now) ? date : hasStayed ? toSameDay(date) : (moved.get(date) ?? date))
  }
}
