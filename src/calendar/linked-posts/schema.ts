import type { Sql } from '#platform/database/sql.ts'
import { buildText } from '#platform/messages/messages.ts'
import { toSingleLineText } from '#platform/rich-text/html.ts'
import { markupRule } from '#platform/rich-text/markup-cost.ts'
import type { PostRow } from '../content/post-columns.ts'
import type { TextTable } from '../content/texts.ts'
import {
  type Param,
  ParamError,
  type ParamValues,
  withDescription,
  withNullIgnored
} from '../contract/param-definition.ts'
import {
  missingLanguageParam,
  newBoolFilterParam,
  newBoolParam,
  newEnumParam,
  newIdListParam,
  newImageParam,
  newLooseBoolParam,
  newNonEmptyTextParam,
  newPositiveIntParam,
  newStatusFilterParam,
  newTextParam,
  textOnlyParam
} from '../contract/params.ts'
import { pagingParams } from '../contract/routing/paging.ts'
import { publicationParams } from '../permissions/publication.ts'

/** Venues and organizers, which events link to. One implementation for both; this type describes the differences. */
export interface LinkedPostType<Own extends object, Changes extends LinkedPostChanges> {
  kind: 'venue' | 'organizer'
  collection: 'venues' | 'organizers'
  table: Sql
  /** The table alias. */
  row: Sql
  texts: TextTable
  /** The table that links events; its column for the item is named as in the texts table. */
  links: Sql
  /** The columns of a response. */
  columns(zone: string): Sql
  own: {
    /** The kind's own columns, and values in the same order. */
    columns: Sql
    values(own: Own): Sql
    /** The same columns with the names of `Own`: the parameters in camel case. */
    selected: Sql
    /** The values after a write: fields that are not given keep their values. */
    resolve(changes: Changes, before: Own | undefined): Own
    /** Searchable texts besides name and description. */
    listSearchTexts(own: Own): string[]
  }
  getName(changes: Changes): string | undefined
}

/** The columns that both kinds have. */
export interface LinkedPostRow extends PostRow {
  name: string
  /** The number of linked events, if requested. */
  eventCount?: number
}

export const nameLengthMax = 500
const descriptionLengthMax = 400_000
const passwordLengthMax = 200

/** A name: non-empty plain text. */
export function newNameParam(description: string): Param<string> {
  const whole = newNonEmptyTextParam(description, nameLengthMax)
  return mapParam(
    whole,
    given => toSingleLineText(given) || new ParamError('empty', buildText('calendar-rules', 'empty'))
  )
}

/** A line of plain text that may be empty. */
export function newTextLineParam(description: string): Param<string> {
  return withNullDefault(mapParam(newTextParam(description, nameLengthMax), toSingleLineText))
}

export function mapParam<Value, Made>(parameter: Param<Value>, make: (value: Value) => Made | ParamError): Param<Made> {
  return {
    ...parameter,
    parse: (given, about) => {
      const value = parameter.parse(given, about)
      return value instanceof ParamError ? value : make(value)
    }
  }
}

export function withNullDefault<Value>(parameter: Param<Value>): Param<Value> {
  return { ...parameter, default: null }
}

/** Writable fields of both kinds. Null or an empty string clears a field. */
export const linkedPostFields = {
  author: withNullIgnored(newPositiveIntParam('Author: the id of a user or API key.')),
  ...publicationParams,
  description: withNullDefault(newTextParam(`The description, HTML. ${markupRule}`, descriptionLengthMax)),
  slug: newTextParam('URL slug; generated from the name if empty.', 400),
  image: withNullDefault(newImageParam('Id or URL of an image.')),
  post_password: newTextParam('Password; without it readers see only the name.', passwordLengthMax)
}

/** The given values, with the image already resolved or downloaded. */
export type LinkedPostChanges = ParamValues<typeof linkedPostFields> & { imageId?: number | null }

export const linkedReadParams = {
  password: newTextParam('Password; returns the items protected with it.', passwordLengthMax)
}

export const linkedDeleteParams = {
  force: newBoolParam('Delete it permanently instead of moving it to the trash.'),
  text_only: textOnlyParam
}

export const linkedPostOrders = ['date', 'title', 'modified'] as const

/** All filters of a list, in the order of its links. */
export const linkedPostFilters = {
  search: newNonEmptyTextParam('Words, "phrases" and -excluded words in name, description and the other fields.', 200),
  status: newStatusFilterParam('Status; only publish for anonymous callers.'),
  include: newIdListParam('Ids of items to return.'),
  event: newPositiveIntParam('Id of an event; only its items are returned.'),
  has_events: newLooseBoolParam('true: items with events; false: items without.'),
  only_with_upcoming: withDescription(newLooseBoolParam(''), 'Only items with an upcoming event.', {
    default: false
  }),
  missing_language: missingLanguageParam,
  with_counts: newBoolFilterParam('Include `event_count`, the number of events (requires write access).'),
  orderby: newEnumParam('Field to sort by.', linkedPostOrders),
  order: newEnumParam('Sort direction.', ['asc', 'desc', 'ASC', 'DESC'] as const)
}

export const linkedPostListParams = { ...pagingParams, ...linkedPostFilters, ...linkedReadParams }

export type LinkedPostListValues = ParamValues<typeof linkedPostListParams>
