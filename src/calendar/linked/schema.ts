import type { Sql } from '#platform/sql.ts'
import type { PostRow } from '../columns.ts'
import { plainText } from '../html.ts'
import { markupRule } from '../markup-budget.ts'
import { pagingParameters } from '../paging.ts'
import { described, Fault, type Parameter, type Values } from '../parameters.ts'
import { publicationParameters } from '../publication.ts'
import {
  filledText,
  ids,
  image,
  missingLanguage,
  positive,
  statusFilter,
  text,
  textOnly,
  truth,
  truthFilter,
  truthyWords,
  word
} from '../rules.ts'
import type { Texts } from '../texts.ts'

/** Venues and organizers: what events are linked with. One shape, whose own fields stand here as data. */
export interface Linked<Own extends object, Changes extends LinkedChanges> {
  kind: 'venue' | 'organizer'
  collection: 'venues' | 'organizers'
  table: Sql
  /** The name that its rows go by. */
  row: Sql
  texts: Texts
  /** The table that says which events have it; the column for it is called as in the texts. */
  links: Sql
  /** What is answered of a row. */
  columns(zone: string): Sql
  own: {
    /** The names of its own columns, and values in the same order. */
    columns: Sql
    values(own: Own): Sql
    /** The same columns of a row under the names of `Own`, which are the parameters' in camel case. */
    selected: Sql
    /** What a write makes of them: what is not mentioned stays. */
    after(changes: Changes, before: Own | undefined): Own
    /** What a search looks into besides name and description. */
    searched(own: Own): string[]
  }
  nameIn(changes: Changes): string | undefined
}

/** What a row of both has. */
export interface LinkedRow extends PostRow {
  name: string
  /** How many events have it, where that was asked. */
  eventCount?: number
}

export const nameLengthMax = 500
const descriptionLengthMax = 400_000
const passwordLengthMax = 200

/** A name is plain text with something in it. */
export function name(description: string): Parameter<string> {
  const whole = filledText(description, nameLengthMax)
  return made(whole, given => plainText(given) || new Fault('empty', 'must not be empty', 'darf nicht leer sein'))
}

/** A line of plain text, which may be empty. */
export function line(description: string): Parameter<string> {
  return emptyByDefault(made(text(description, nameLengthMax), plainText))
}

export function made<Value, Made>(parameter: Parameter<Value>, make: (value: Value) => Made | Fault): Parameter<Made> {
  return {
    ...parameter,
    read: (given, about) => {
      const value = parameter.read(given, about)
      return value instanceof Fault ? value : make(value)
    }
  }
}

export function emptyByDefault<Value>(parameter: Parameter<Value>): Parameter<Value> {
  return { ...parameter, default: null }
}

/** What can be said of both. Nothing or an empty text clears a field. */
export const linkedFields = {
  author: positive('The author: the number of a key.'),
  ...publicationParameters,
  description: emptyByDefault(text(`The description, HTML. ${markupRule}`, descriptionLengthMax)),
  slug: text('Its name in addresses; made of the name if it is empty.', 400),
  image: emptyByDefault(image('The id or the address of an image.')),
  post_password: text('Readers must know it to see more than the name.', passwordLengthMax)
}

/** What was said, with the image already found or fetched. */
export type LinkedChanges = Values<typeof linkedFields> & { imageId?: number | null }

export const readingParameters = {
  password: text('Shows what is protected with it.', passwordLengthMax)
}

export const deletingParameters = {
  force: truth('Remove it for good instead of moving it to the trash.'),
  text_only: textOnly
}

export const linkedOrders = ['date', 'title', 'modified'] as const

/** Everything a list can be narrowed by, in the order its links have it. */
export const linkedFilters = {
  search: filledText('Words, "phrases" and -excluded words in name, description and the other fields.', 200),
  status: statusFilter('Only published ones for visitors.'),
  include: ids('Only these.'),
  event: positive('Those of this event.'),
  has_events: truthyWords('Those that have events, or those that have none.'),
  only_with_upcoming: described(truthyWords(''), 'Only those with an event that starts in the future.', {
    default: false
  }),
  missing_language: missingLanguage,
  with_counts: truthFilter('For those who write: each with `event_count`, the number of its events.'),
  orderby: word('What decides the order.', linkedOrders),
  order: word('The direction.', ['asc', 'desc', 'ASC', 'DESC'] as const)
}

export const linkedListParameters = { ...pagingParameters, ...linkedFilters, ...readingParameters }

export type LinkedListValues = Values<typeof linkedListParameters>
