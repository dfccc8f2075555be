import { type Cost, parseCost } from '../content/cost.ts'
import { markupRule } from '../content/markup-budget.ts'
import {
  makeOptional,
  makeRequired,
  newParam,
  type Param,
  ParamError,
  type ParamValues,
  type ParseContext,
  withDescription
} from '../contract/param-definition.ts'
import {
  missingLanguageParam,
  newBoolFilterParam,
  newBoolParam,
  newDateTimeParam,
  newEnumParam,
  newIdListParam,
  newImageParam,
  newLinkListParam,
  newNonEmptyTextParam,
  newNumberParam,
  newOptionalIdParam,
  newPositiveIntParam,
  newStatusFilterParam,
  newTermListParam,
  newTextParam,
  newTimezoneParam,
  newUrlParam,
  type TermKey,
  textOnlyParam
} from '../contract/params.ts'
import { pagingParams } from '../contract/routing/paging.ts'
import { organizerFields } from '../organizers/schema.ts'
import { publicationParams } from '../permissions/publication.ts'
import { venueFields } from '../venues/schema.ts'
import { getDefaultDates } from './default-dates.ts'

export const titleLengthMax = 500
const descriptionLengthMax = 400_000
const excerptLengthMax = 20_000

const costParam: Param<Cost | null> = newParam(
  { type: ['string', 'number', 'array', 'null'], items: { type: ['string', 'number'] } },
  'What it costs: a number, a text such as "10 €" or "Free", or a list of prices.',
  given =>
    parseCost(given) ??
    (isNoCost(given)
      ? null
      : new ParamError('cost', 'must be one or more prices, or a word', 'muss aus Preisen oder einem Wort bestehen'))
)

const isNoCost = (given: unknown) => parseCost(given) === null

const passwordParam = newTextParam('Readers must know it to see more than title and dates.', 200)

/** As in the contract, `0` counts as empty when a reader sends a password, so no event can have it as password. */
const postPasswordParam: Param<string> = {
  ...passwordParam,
  parse: (given, about) =>
    given === '0' || given === 0
      ? new ParamError('password', 'must not be 0', 'darf nicht 0 sein')
      : passwordParam.parse(given, about)
}

/** Writable fields of an event. Null or an empty string clears a field. */
export const eventFields = {
  title: makeRequired(newNonEmptyTextParam('The title.', titleLengthMax)),
  start_date: makeRequired(
    newDateTimeParam('When it starts: a date, a date and time, or words such as "tomorrow 9am".')
  ),
  end_date: makeRequired(newDateTimeParam('When it ends.')),
  timezone: newTimezoneParam('The time zone of start and end; the site has one of its own.'),
  all_day: newBoolParam('Lasts whole days.'),
  description: newTextParam(`The description, HTML. ${markupRule}`, descriptionLengthMax),
  excerpt: newTextParam('A short description, HTML.', excerptLengthMax),
  slug: newTextParam('Its name in addresses; made of the title if it is empty.', 400),
  ...publicationParams,
  author: newPositiveIntParam('The author: the number of a key.'),
  image: newImageParam('The id or the address of an image.'),
  cost: costParam,
  website: newUrlParam('The address of its own page elsewhere.'),
  show_map: newBoolParam('Show a map.'),
  show_map_link: newBoolParam('Show a link to a map.'),
  hide_from_listings: newBoolParam('Leave it out of lists.'),
  sticky: newBoolParam('Put it first in calendars.'),
  featured: newBoolParam('Highlight it.'),
  ticketed: newBoolParam('There are tickets for it.'),
  event_status: newEnumParam('Whether it takes place.', ['scheduled', 'canceled', 'postponed'] as const),
  post_parent: newOptionalIdParam('The event it belongs to.'),
  categories: newTermListParam('Categories by id, slug or name; unknown names are made.'),
  tags: newTermListParam('Tags by id, slug or name; unknown names are made.'),
  venue: newLinkListParam('Venues: ids, or objects with the fields of new ones.', venueFields),
  organizer: newLinkListParam('Organizers: ids, or objects with the fields of new ones.', organizerFields),
  post_password: postPasswordParam
}

export const eventChangeParams = makeOptional(eventFields)
export type EventChanges = ParamValues<typeof eventFields>

/** Parameters to read one event. */
export const eventReadParams = {
  password: newNonEmptyTextParam(
    'The password of the event. Better in the header Event-Password, percent-encoded.',
    200
  ),
  context: newNonEmptyTextParam('`edit` shows protected events to those who may edit them.', 20)
}

export const eventDeleteParams = {
  force: newBoolParam('Remove it for good instead of moving it to the trash.'),
  text_only: textOnlyParam
}

const newDateParam = (description: string) => newDateTimeParam(description)

/** Requires a value: an empty filter could mean everything or nothing. */
function newTermFilterParam(description: string): Param<TermKey[]> {
  const { parse, ...rest } = newTermListParam(description)
  return {
    ...rest,
    parse: (given, about) => {
      const keys = parse(given, about)
      return Array.isArray(keys) && keys.length === 0
        ? new ParamError('empty', 'must not be empty', 'darf nicht leer sein')
        : keys
    }
  }
}

export const eventOrders = ['start_date', 'end_date', 'title', 'date', 'modified'] as const

/** All filters of the event list. */
export const eventFilters = {
  start_date: withDescription(newDateParam(''), 'Events that start on or after this.', {
    default: (about: ParseContext) => getDefaultDates(about, {}).start_date
  }),
  end_date: withDescription(newDateParam(''), 'Events that end on or before this.', {
    default: (about: ParseContext) => getDefaultDates(about, {}).end_date
  }),
  starts_before: newDateParam('Events that start before this.'),
  starts_after: newDateParam('Events that start after this.'),
  ends_before: newDateParam('Events that end before this.'),
  ends_after: newDateParam('Events that end after this; "now" finds those that are running.'),
  strict_dates: withDescription(
    newBoolFilterParam('', 'many'),
    'Take the given times exactly; otherwise whole days are meant.',
    {
      default: 'false'
    }
  ),
  search: newNonEmptyTextParam('Words, "phrases" and -excluded words in title, excerpt and description.', 200),
  categories: newTermFilterParam('Events in one of these categories or below: ids, slugs or names.'),
  tags: newTermFilterParam('Events with one of these tags: ids, slugs or names.'),
  venue: newIdListParam('Events at one of these venues.'),
  organizer: newIdListParam('Events of one of these organizers.'),
  featured: newBoolFilterParam('Highlighted events, or the others.'),
  ticketed: newBoolFilterParam('Events with tickets, or without.'),
  status: newStatusFilterParam('Only published ones for visitors.'),
  geoloc: newBoolFilterParam('Events whose venue has coordinates, or whose has none.'),
  geoloc_lat: newNumberParam('Latitude of a place; with geoloc_lng.', -90, 90),
  geoloc_lng: newNumberParam('Longitude of a place; with geoloc_lat.', -180, 180),
  geoloc_radius: newNumberParam('Kilometres around the place.', 0, 20_100),
  include: newIdListParam('Only these events; dates do not matter then.'),
  post_parent: newPositiveIntParam('Events that belong to this one.'),
  hidden: newBoolFilterParam('For editors: only events that are left out of lists.'),
  missing_language: missingLanguageParam,
  orderby: newEnumParam('What decides the order.', eventOrders),
  order: newEnumParam('The direction.', ['asc', 'desc', 'ASC', 'DESC'] as const)
}

export const eventListParams = {
  ...pagingParams,
  ...eventFilters,
  password: newNonEmptyTextParam('Shows events that are protected with it. Better in the header Event-Password.', 200)
}

export type EventFilterValues = ParamValues<typeof eventListParams>
