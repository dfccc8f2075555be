import { buildText } from '#platform/messages/messages.ts'
import type { DateTimeText } from '../contract/date-params.ts'
import { newInvalidParamProblem } from '../contract/problems.ts'
import type { WriteContext } from '../contract/routing/route.ts'
import { resolveSchedule, type Schedule } from '../events/schedule.ts'
import type { RecurrenceInput } from '../recurrence/input.ts'
import { requireStartInRule, resolveRecurrence } from '../recurrence/recurrence.ts'
import { parseWallTime } from '../recurrence/wall-time.ts'
import { listDatesToMake, type SeriesState } from './series-state.ts'

export interface PreviewValues {
  start_date?: DateTimeText
  end_date?: DateTimeText
  timezone?: string | null
  all_day?: boolean | null
  recurrence?: RecurrenceInput | null
}

/** The series that these values would make. */
export function previewSeries(context: WriteContext, { recurrence: input, ...values }: PreviewValues): SeriesState {
  if (input == null) {
    throw newInvalidParamProblem('recurrence', 'empty', buildText('series-problems', 'empty'))
  }
  const whole = values.end_date === undefined ? { ...values, end_date: values.start_date } : values
  const schedule = resolveSchedule(
    context,
    whole as PreviewValues & { start_date: DateTimeText },
    undefined
  ) as Schedule
  const [start, end] = [parseWallTime(schedule.start_local), parseWallTime(schedule.end_local)]
  const { timezone, all_day: allDay } = schedule
  const recurrence = resolveRecurrence(input, { start, timezone })
  requireStartInRule(recurrence, start)
  const state = { recurrence, start, times: { durationMs: end - start, allDay, timezone } }
  listDatesToMake(state, { now: context.now, isNew: true })
  return state
}
