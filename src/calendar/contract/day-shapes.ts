import { type Static, Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'
import { Nullable } from '#platform/http/nullable.ts'
import { costDetailsSchema, eventStatusSchema, languageSchema } from './shapes.ts'

/** An event on one of its days. */
const dayEntrySchema = NamedObject('DayEntry', {
  id: Type.Integer(),
  title: Type.String(),
  slug: Type.String(),
  url: Type.String(),
  start_date: Type.String(),
  end_date: Type.String(),
  all_day: Nullable(Type.Boolean()),
  timezone: Type.String(),
  featured: Nullable(Type.Boolean()),
  status: Type.String(),
  event_status: eventStatusSchema,
  categories: Type.Array(Type.Object({ id: Type.Integer(), slug: Type.String(), name: Type.String() })),
  cost: Type.String(),
  cost_details: costDetailsSchema,
  venue: Nullable(Type.String(), { description: 'Name of the first venue.' }),
  language: languageSchema,
  day: Type.Integer({ description: 'Number of the day within the event, from 1.' }),
  days: Type.Integer({ description: 'Number of days of the event.' })
})
export type DayEntryJson = Static<typeof dayEntrySchema>

const Day = Type.String({ format: 'date' })

/** The events of each day in a range. */
export const daysSchema = NamedObject('Days', {
  from: Day,
  to: Day,
  timezone: Type.String({ description: 'Time zone of the days: that of the site.' }),
  days: Type.Array(NamedObject('Day', { date: Day, total: Type.Integer(), events: Type.Array(dayEntrySchema) })),
  previous: Nullable(Day, { description: 'The last day of the last event before this range.' }),
  next: Nullable(Day, { description: 'The first day of the first event after this range.' })
})
export type DaysJson = Static<typeof daysSchema>
