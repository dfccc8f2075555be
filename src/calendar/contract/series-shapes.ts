import { type Static, Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'
import { Nullable } from '#platform/http/nullable.ts'
import { buildChoiceSchema, languageSchema } from './shapes.ts'

const Day = Type.String({ format: 'date' })

const nthWeekdaySchema = NamedObject('NthWeekday', {
  nth: Type.Integer({ description: 'From 1 to 5, or from -1 (the last one) to -5.' }),
  weekday: Type.String()
})

/** The recurrence as an object, in the notation that `recurrence` of an event takes. */
const recurrenceSchema = NamedObject('Recurrence', {
  every: Type.Integer({ description: 'Every n-th day, week, month or year.' }),
  unit: buildChoiceSchema(['day', 'week', 'month', 'year']),
  weekdays: Type.Optional(
    Type.Array(Type.Union([Type.String(), nthWeekdaySchema]), {
      description: 'Names such as tuesday for weeks; objects such as the second tuesday for months and years.'
    })
  ),
  month_days: Type.Optional(Type.Array(Type.Integer(), { description: 'Days of a month; -1 is the last one.' })),
  until: Type.Optional(Day),
  count: Type.Optional(Type.Integer()),
  except: Type.Array(Day),
  also: Type.Array(Day)
})

const ruleProperties = {
  rule: Type.String({ description: 'RRULE of RFC 5545; UNTIL is a local date.' }),
  recurrence: Nullable(recurrenceSchema),
  text: Type.String({ description: 'The recurrence in words, in the language of the response.' }),
  isEndless: Type.Boolean()
}

export const seriesSchema = NamedObject('Series', {
  id: Type.Integer(),
  author: Type.String(),
  ...ruleProperties,
  start_date: Type.String({ description: 'Local start of the first date of the rule.' }),
  end_date: Type.String(),
  all_day: Type.Boolean(),
  timezone: Type.String(),
  except: Type.Array(Day, { description: 'Dates on which it does not take place, those in the trash too.' }),
  also: Type.Array(Day, { description: 'Dates in addition to the rule.' }),
  next: Nullable(
    NamedObject('NextEvent', {
      id: Type.Integer(),
      date: Type.String({ description: 'Local start of the next event, or of the one that is running.' })
    })
  ),
  occurrences: Type.Integer({ description: 'Number of events that the caller can see.' }),
  language: languageSchema,
  rest_url: Type.String()
})
export type SeriesJson = Static<typeof seriesSchema>

export const seriesPreviewSchema = NamedObject('SeriesDates', {
  ...ruleProperties,
  dates: Type.Array(Type.String(), { description: 'Local starts of the first events.' }),
  total: Nullable(Type.Integer({ description: 'Number of events; null if the rule has no end.' }))
})
export type SeriesPreviewJson = Static<typeof seriesPreviewSchema>
