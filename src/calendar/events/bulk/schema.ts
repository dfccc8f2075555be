import { type Static, Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'
import { Nullable } from '#platform/http/nullable.ts'
import { buildText } from '#platform/messages/messages.ts'
import { makeRequired, type Param, ParamError, type ParamValues } from '../../contract/param-definition.ts'
import {
  newEnumParam,
  newIdListParam,
  newNumberFilterParam,
  newOptionalIdParam,
  newPositiveIntParam,
  newTooManyError
} from '../../contract/params.ts'
import { buildChoiceSchema } from '../../contract/shapes.ts'

export const bulkActions = [
  'trash',
  'restore',
  'publish',
  'draft',
  'add_category',
  'remove_category',
  'add_tag',
  'remove_tag',
  'set_venue',
  'shift'
] as const
export type BulkAction = (typeof bulkActions)[number]

/** Events per action: each is a whole update, and all are in one transaction. */
const eventsMax = 100
/** Ten years. */
const daysMax = 3660
/** One day; further is a number of days. */
const minutesMax = 1440

const idsParam: Param<number[]> = limitList(newIdListParam(`Ids of the events, at most ${eventsMax}.`), eventsMax)

function limitList(list: Param<number[]>, most: number): Param<number[]> {
  return {
    ...list,
    schema: { ...list.schema, minItems: 1, maxItems: most },
    parse: (given, about) => {
      const ids = list.parse(given, about)
      return Array.isArray(ids) && ids.length > most ? newTooManyError(most) : ids
    }
  }
}

function newIntegerParam(description: string, most: number): Param<number> {
  const { parse, schema, ...rest } = newNumberFilterParam(description, -most, most)
  return {
    ...rest,
    schema: { ...schema, type: 'integer' },
    parse: (given, about) => {
      const number = parse(given, about)
      return number instanceof ParamError || Number.isInteger(number)
        ? number
        : new ParamError('integer', buildText('calendar-rules', 'wholeNumber'))
    }
  }
}

export const bulkParams = {
  ids: makeRequired(idsParam),
  action: makeRequired(newEnumParam('Action.', bulkActions)),
  term: newPositiveIntParam('Id of the category or tag: for add_category, remove_category, add_tag and remove_tag.'),
  venue: newOptionalIdParam('Id of the venue, or 0 for none: for set_venue.'),
  days: newIntegerParam('Days to move start and end by, negative for earlier: for shift.', daysMax),
  minutes: newIntegerParam('Minutes to move start and end by, negative for earlier: for shift.', minutesMax)
}
export type BulkValues = ParamValues<typeof bulkParams>

const unchangedSchema = NamedObject('UnchangedEvent', {
  id: Type.Integer(),
  code: Type.String(),
  reason: Type.String({ description: 'In the language of the request.' })
})
export type UnchangedJson = Static<typeof unchangedSchema>

export const bulkResultSchema = NamedObject('EventBulkResult', {
  id: Type.Integer({ description: 'Id of the action, to undo it within 30 days.' }),
  changed: Type.Array(Type.Integer(), { description: 'Ids of the changed events.' }),
  unchanged: Type.Array(unchangedSchema, { description: 'Events that were not changed, each with the reason.' })
})
export type BulkResultJson = Static<typeof bulkResultSchema>

export const bulkActionSchema = NamedObject('EventBulkAction', {
  id: Type.Integer(),
  action: buildChoiceSchema(bulkActions),
  author: Type.String({ description: 'Id of the user or API key.' }),
  created_at: Type.String({ format: 'date-time' }),
  undone_at: Nullable(Type.String({ format: 'date-time' })),
  changed: Type.Array(Type.Integer(), { description: 'Ids of the changed events.' })
})
export type BulkActionJson = Static<typeof bulkActionSchema>
