import { newDateTimeParam, newTimezoneParam } from '../contract/date-params.ts'
import { makeRequired, withDescription } from '../contract/param-definition.ts'
import { newBoolParam } from '../contract/params.ts'
import { eventChangeParams } from '../events/schema.ts'
import { recurrenceParam } from '../recurrence/recurrence-param.ts'

/** Dates that a preview lists. */
export const previewDatesMax = 60

const { slug: _slug, ...changes } = eventChangeParams

/** Fields of all events of the series; dates are those of the first one. */
export const seriesChangeParams = { ...changes, recurrence: recurrenceParam }

export const seriesDeleteParams = {
  force: newBoolParam('Delete all events of the series permanently instead of moving them to the trash.')
}

export const previewParams = {
  start_date: makeRequired(newDateTimeParam('Start of the first event.')),
  end_date: newDateTimeParam('End of the first event; default: its start.'),
  timezone: newTimezoneParam('Time zone; default: the time zone of the site.'),
  all_day: newBoolParam('Whether it is an all-day event.'),
  recurrence: makeRequired(withDescription(recurrenceParam, recurrenceParam.description))
}
