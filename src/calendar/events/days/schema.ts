import { buildText } from '#platform/messages/messages.ts'
import {
  makeRequired,
  newParam,
  type Param,
  ParamError,
  type ParamValues,
  withDescription
} from '../../contract/param-definition.ts'
import { type IsoDate, parseDate } from '../../time/time.ts'
import { eventFilters } from '../schema.ts'

/** The number of days that a month view of whole weeks shows. */
export const daysMax = 42
const perDayMax = 50
export const perDayDefault = 3

/** A date such as `2027-02-28`: relative words and times would leave open which day in which zone is meant. */
function newDayParam(description: string): Param<IsoDate> {
  return newParam(
    { type: 'string', format: 'date' },
    description,
    given => parseDate(given) ?? new ParamError('date', buildText('calendar-rules', 'date'))
  )
}

const perDayParam: Param<number> = newParam(
  { type: 'integer', minimum: 0, maximum: perDayMax },
  `Maximum number of events per day, at most ${perDayMax}; all are counted.`,
  given => {
    const fits = typeof given === 'number' || (typeof given === 'string' && /^\d{1,3}$/.test(given))
    const number = fits ? Number(given) : Number.NaN
    if (Number.isInteger(number) && number >= 0 && number <= perDayMax) return number
    return new ParamError('out-of-range', buildText('calendar-rules', 'perDay', { perDayMax }))
  }
)

const { search, categories, tags, venue, organizer, featured, ticketed, is_virtual, cost_max, status, series } =
  eventFilters
const { geoloc, geoloc_lat, geoloc_lng, geoloc_radius } = eventFilters

/** A range of days, and the filters of the event list except dates. */
export const dayParams = {
  from: makeRequired(newDayParam('The first day, in the time zone of the site.')),
  to: makeRequired(newDayParam(`The last day; at most ${daysMax} days in all.`)),
  per_day: withDescription(perDayParam, perDayParam.description, { default: perDayDefault }),
  search,
  categories,
  tags,
  venue,
  organizer,
  featured,
  ticketed,
  is_virtual,
  cost_max,
  status,
  series,
  geoloc,
  geoloc_lat,
  geoloc_lng,
  geoloc_radius
}

export type DayValues = ParamValues<typeof dayParams>
