import type { Database } from '#platform/database/database.ts'
import { buildText } from '#platform/messages/messages.ts'
import { newForbiddenProblem, newInvalidParamProblem, newSeriesNotFoundProblem } from '../contract/problems.ts'
import type { WriteContext } from '../contract/routing/route.ts'
import { applyUpdate, insertEvent, prepareNewEvent, prepareUpdate, type WrittenEvent } from '../events/event.ts'
import { type LockedEvent, listLineage, lock as lockEvent } from '../events/queries.ts'
import { recordCreation, recordUpdate } from '../events/record-event.ts'
import { saveVersions } from '../events/save-versions.ts'
import type { EventChanges } from '../events/schema.ts'
import type { SeriesUpdate } from '../events/series-actions.ts'
import { canEdit } from '../permissions/permissions.ts'
import type { RecurrenceInput } from '../recurrence/input.ts'
import { requireStartInRule, resolveRecurrence } from '../recurrence/recurrence.ts'
import { parseWallTime } from '../recurrence/wall-time.ts'
import { copyToDates } from './copies.ts'
import * as occurrences from './occurrence-queries.ts'
import { planChange } from './plan.ts'
import { propagateFields } from './propagate.ts'
import type { OccurrenceRow, SeriesRow } from './queries.ts'
import * as series from './queries.ts'
import { reschedule } from './reschedule.ts'
import { getHorizon, listDatesToMake, parseSeries, toDefinition } from './series-state.ts'
import { splitSeries } from './split.ts'

/** Creates an event and its repetitions. */
export async function createSeries(
  db: Database,
  context: WriteContext,
  values: EventChanges,
  recurrence: RecurrenceInput
): Promise<WrittenEvent> {
  const imageId = await prepareNewEvent(context, values)
  return await db.transaction(async tx => {
    const first = await insertEvent(tx, context, values, { imageId })
    const made = await startSeries(tx, context, first.id, recurrence)
    await recordCreation(tx, context, values, { ...first, ...made })
    return first
  })
}

/** Repeats an event that is single so far. */
async function startSeries(
  tx: Database,
  context: WriteContext,
  id: number,
  input: RecurrenceInput
): Promise<{ series: number; occurrences: number }> {
  const event = await lockWritten(tx, id)
  const [start, end] = [parseWallTime(event.start), parseWallTime(event.end)]
  const { timezone, allDay } = event
  const recurrence = resolveRecurrence(input, { start, timezone })
  requireStartInRule(recurrence, start)
  const { now } = context
  const state = { recurrence, start, times: { durationMs: end - start, allDay, timezone } }
  const dates = listDatesToMake(state, { now, isNew: true })
  const definition = toDefinition(state, getHorizon(start, timezone, now))
  const seriesId = await series.insert(tx, { ...definition, authorId: event.authorId }, now)
  await occurrences.attach(tx, id, { seriesId, date: event.start })
  const copied = await copyToDates(
    tx,
    { templateId: id, seriesId, times: state.times, now },
    dates.filter(date => date !== start)
  )
  return { series: seriesId, occurrences: copied.length + 1 }
}

/** Changes some or all occurrences of a series, makes a series of a single event, or single events of a series. */
export async function updateSeries(
  db: Database,
  context: WriteContext,
  id: number,
  update: SeriesUpdate
): Promise<WrittenEvent> {
  const imageId = await prepareUpdate(db, context, id, update)
  return await db.transaction(async tx => {
    const seriesId = await series.findSeriesId(tx, id)
    if (seriesId === undefined) return await updateSingle(tx, context, id, { ...update, imageId })
    if (update.apply === 'this') throw newApplyNeededProblem()
    const { row, all } = await lockSeries(tx, seriesId)
    return await updateOccurrences(tx, context, { row, all, id }, { ...update, imageId })
  })
}

/** `isOfSeries`: given for the series, not for one of its occurrences. */
type PreparedUpdate = SeriesUpdate & { imageId: number | null | undefined; isOfSeries?: boolean }

async function updateSingle(
  tx: Database,
  context: WriteContext,
  id: number,
  update: PreparedUpdate
): Promise<WrittenEvent> {
  const done = await applyUpdate(tx, context, id, update)
  if (update.recurrence == null && update.apply !== 'this') throw newNoSeriesProblem()
  const made = update.recurrence == null ? {} : await startSeries(tx, context, id, update.recurrence)
  await recordUpdate(tx, context, withRecurrence(update), { ...done, ...made })
  return done
}

/** The rows of a series that a write has locked. */
export interface LockedSeries {
  row: SeriesRow
  /** By date, those in the trash too. */
  all: OccurrenceRow[]
}

export async function lockSeries(tx: Database, seriesId: number): Promise<LockedSeries> {
  const row = await series.lock(tx, seriesId)
  if (row === undefined) throw newSeriesNotFoundProblem(seriesId)
  return { row, all: await series.lockOccurrences(tx, seriesId) }
}

/** The occurrences that a write concerns; the writer needs the permission to edit each of them. */
export function selectConcerned(
  { all, id }: Pick<LockedSeries, 'all'> & { id: number },
  context: WriteContext,
  apply: SeriesUpdate['apply']
): { event: OccurrenceRow; others: OccurrenceRow[]; isFirst: boolean } {
  const event = all.find(one => one.id === id)
  if (event === undefined) throw new Error(`Event ${id} left its series while it was locked.`)
  const live = all.filter(one => one.id !== id && one.status !== 'trash')
  const others = apply === 'following' ? live.filter(one => one.date > event.date) : live
  if (![event, ...others].every(one => canEdit(context.caller, one))) throw newForbiddenProblem()
  return { event, others, isFirst: live.every(one => one.date > event.date) }
}

export async function updateOccurrences(
  tx: Database,
  context: WriteContext,
  locked: LockedSeries & { id: number },
  update: PreparedUpdate
): Promise<WrittenEvent> {
  const { now } = context
  const { id } = locked
  const { event, others, isFirst } = selectConcerned(locked, context, update.apply)
  const isSplit = update.apply === 'following' && !isFirst
  const row = isSplit ? await splitSeries(tx, locked, event, now) : locked.row
  const all = isSplit ? locked.all.filter(one => one.date >= event.date) : locked.all
  const done = await applyUpdate(tx, context, id, update)
  const after = await lockWritten(tx, id)
  if (done.seriesChanges.includes('post_parent')) await requireParentOutside(tx, after.parentId, all)

  const timeFields = ['start_date', 'end_date', 'all_day', 'timezone']
  const fields = done.seriesChanges.filter(field => !timeFields.includes(field))
  const ids = others.map(other => other.id)
  const isRescheduled =
    update.recurrence !== null && (update.recurrence !== undefined || fields.length < done.seriesChanges.length)
  const rescheduled = isRescheduled ? all.map(one => one.id).filter(one => one !== id) : []
  await saveVersions(tx, context.caller, isRescheduled ? rescheduled : fields.length > 0 ? ids : [])
  await propagateFields(tx, { sourceId: id, ids, fields, language: done.language, now })
  await occurrences.removeSeriesChanges(tx, id, fields)
  if (update.recurrence === null) await series.remove(tx, row.id)
  else if (isRescheduled) {
    const plan = planChange(parseSeries(row), {
      date: parseWallTime(event.date),
      before: { ...toWallTimes(event), allDay: done.before.allDay, timezone: done.before.timezone },
      after: { ...toWallTimes(after), allDay: after.allDay, timezone: after.timezone },
      recurrence: update.recurrence,
      isFirst: isFirst || isSplit,
      isOfSeries: update.isOfSeries === true
    })
    await reschedule(tx, { row, all, id, plan }, now)
  } else await series.updateVersion(tx, row.id, now)
  const count = { series: row.id, occurrences: others.length + 1 }
  await recordUpdate(tx, context, withRecurrence(update), { ...done, ...count })
  return done
}

const toWallTimes = ({ start, end }: { start: string; end: string }) => ({
  start: parseWallTime(start),
  end: parseWallTime(end)
})

/** The record names the recurrence among the changed fields. */
function withRecurrence({ changes, recurrence }: SeriesUpdate): { changes: EventChanges } {
  return { changes: recurrence === undefined ? changes : ({ ...changes, recurrence } as EventChanges) }
}

/** The event as this transaction has written it. */
async function lockWritten(tx: Database, id: number): Promise<LockedEvent> {
  const event = await lockEvent(tx, id)
  if (event === undefined) throw new Error(`Event ${id} was written, but is not there.`)
  return event
}

/** An occurrence of the series cannot be the parent of the others, nor above their parent. */
async function requireParentOutside(tx: Database, parentId: number | null, all: OccurrenceRow[]): Promise<void> {
  if (parentId === null) return
  const lineage = await listLineage(tx, parentId)
  if (!all.some(one => lineage.includes(one.id))) return
  throw newInvalidParamProblem('post_parent', 'unknown', buildText('series-problems', 'unknown'))
}

const newApplyNeededProblem = () =>
  newInvalidParamProblem('apply', 'needed', buildText('series-problems', 'applyNeeded'))

export const newNoSeriesProblem = () =>
  newInvalidParamProblem('apply', 'no-series', buildText('series-problems', 'noSeries'))
