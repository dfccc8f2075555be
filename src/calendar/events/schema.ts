import { buildText } from '#platform/messages/messages.ts'
import { markupRule } from '#platform/rich-text/markup-cost.ts'
import { type Cost, parseCost } from '../content/cost.ts'
import { newDateTimeParam, newTimezoneParam } from '../contract/date-params.ts'
import { newLinkListParam } from '../contract/link-params.ts'
import {
  makeOptional,
  makeRequired,
  newParam,
  type Param,
  ParamError,
  type ParamValues,
  type ParseContext,
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
  newNonEmptyTextParam,
  newNumberFilterParam,
  newNumberParam,
  newOptionalIdParam,
  newPositiveIntParam,
  newStatusFilterParam,
  newTermListParam,
  newTextParam,
  newUrlParam,
  type TermKey,
  textOnlyParam
} from '../contract/params.ts'
import { pagingParams } from '../contract/routing/paging.ts'
import { organizerFields } from '../organizers/schema.ts'
import { publicationParams } from '../permissions/publication.ts'
import { recurrenceParam } from '../recurrence/recurrence-param.ts'
import { venueFields } from '../venues/schema.ts'
import { getDefaultDates } from './default-dates.ts'

export const titleLengthMax = 500
const descriptionLengthMax = 400_000
const excerptLengthMax = 20_000

const costParam: Param<Cost | null> = newParam(
  { type: ['string', 'number', 'array', 'null'], items: { type: ['string', 'number'] } },
  'Cost: a number, a text such as "10 €" or "Free", or a list of prices.',
  given => parseCost(given) ?? (isNoCost(given) ? null : new ParamError('cost', buildText('calendar-rules', 'cost')))
)

const isNoCost = (given: unknown) => parseCost(given) === null

const passwordParam = newTextParam('Password; without it readers see only title and dates.', 200)

/** As in the contract, `0` counts as empty when a reader sends a password, so no event can have it as password. */
const postPasswordParam: Param<string> = {
  ...passwordParam,
  parse: (given, about) =>
    given === '0' || given === 0
      ? new ParamError('password', buildText('calendar-rules', 'notZero'))
      : passwordParam.parse(given, about)
}

/** Writable fields of an event. Null or an empty string clears a field. */
export const eventFields = {
  title: makeRequired(newNonEmptyTextParam('The title.', titleLengthMax)),
  start_date: makeRequired(
    newDateTimeParam('Start: a date, a date and time, or a natural-language date such as "tomorrow 9am".')
  ),
  end_date: makeRequired(newDateTimeParam('End, in the same formats.')),
  timezone: newTimezoneParam('Time zone of start and end; default: the time zone of the site.'),
  all_day: newBoolParam('Whether it is an all-day event.'),
  description: newTextParam(`The description, HTML. ${markupRule}`, descriptionLengthMax),
  excerpt: newTextParam('A short description, HTML.', excerptLengthMax),
  slug: newTextParam('URL slug; generated from the title if empty.', 400),
  ...publicationParams,
  author: withNullIgnored(newPositiveIntParam('Author: the id of a user or API key.')),
  image: newImageParam('Id or URL of an image.'),
  cost: costParam,
  website: newUrlParam('URL of its own website.'),
  show_map: newBoolParam('Show a map.'),
  show_map_link: newBoolParam('Show a link to a map.'),
  hide_from_listings: newBoolParam('Hide it from listings.'),
  sticky: newBoolParam('Pin it: list it first on its day.'),
  featured: newBoolParam('Feature it.'),
  ticketed: newBoolParam('Whether it has tickets.'),
  is_virtual: newBoolParam('Whether it takes place online.'),
  event_status: newEnumParam('Event status.', ['scheduled', 'canceled', 'postponed'] as const),
  post_parent: newOptionalIdParam('Parent event.'),
  categories: newTermListParam('Categories by id, slug or name; unknown names are created.'),
  tags: newTermListParam('Tags by id, slug or name; unknown names are created.'),
  venue: newLinkListParam('Venues: ids, or objects with the fields of new ones.', venueFields),
  organizer: newLinkListParam('Organizers: ids, or objects with the fields of new ones.', organizerFields),
  post_password: postPasswordParam
}

export const eventChangeParams = makeOptional(eventFields)

/** How much of a series a write changes. */
export const applyScopes = ['this', 'following', 'all'] as const
export type ApplyScope = (typeof applyScopes)[number]

/** Of an event that repeats. */
export const applyParam = newEnumParam(
  'For a series: change only this event (the default), this and the following ones, or all.',
  applyScopes
)

/** Of requests; imports write single events. */
export const newEventParams = { ...eventFields, recurrence: recurrenceParam }
export const eventUpdateParams = { ...eventChangeParams, recurrence: recurrenceParam, apply: applyParam }
export type EventChanges = ParamValues<typeof eventFields>

/** Parameters to read one event. */
export const eventReadParams = {
  password: newNonEmptyTextParam('Password of the event. Prefer the header Event-Password, percent-encoded.', 200),
  context: newNonEmptyTextParam('`edit` returns password-protected events to callers who may edit them.', 20)
}

export const eventDeleteParams = {
  apply: applyParam,
  force: newBoolParam('Delete it permanently instead of moving it to the trash.'),
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
        ? new ParamError('empty', buildText('calendar-rules', 'empty'))
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
  author: newIdListParam('Events of one of these authors: ids of users or API keys. An unknown id finds none.'),
  featured: newBoolFilterParam('true: featured events; false: the others.'),
  ticketed: newBoolFilterParam('true: events with tickets; false: events without.'),
  is_virtual: newBoolFilterParam('true: events that take place online; false: the others.'),
  cost_max: newNumberFilterParam(
    'Events whose lowest price is at most this; 0 finds free ones. Events without a cost are not found: it is unknown.',
    0,
    1_000_000
  ),
  status: newStatusFilterParam('Status; only publish for anonymous callers.'),
  geoloc: newBoolFilterParam('true: events whose venue has coordinates; false: the others.'),
  geoloc_lat: newNumberFilterParam('Latitude of the centre; requires geoloc_lng.', -90, 90),
  geoloc_lng: newNumberFilterParam('Longitude of the centre; requires geoloc_lat.', -180, 180),
  geoloc_radius: newNumberParam('Radius in kilometres.', 0, 20_100),
  include: newIdListParam('Ids of events to return; date filters are then ignored.'),
  post_parent: newPositiveIntParam('Id of the parent event.'),
  series: newPositiveIntParam('Events of this series.'),
  series_once: newBoolFilterParam('true: of each series only the first event of the list.'),
  hidden: newBoolFilterParam('Only events that are hidden from listings (editors only).'),
  missing_language: missingLanguageParam,
  orderby: newEnumParam('Field to sort by.', eventOrders),
  order: newEnumParam('Sort direction.', ['asc', 'desc', 'ASC', 'DESC'] as const)
}

export const eventListParams = {
  ...pagingParams,
  ...eventFilters,
  password: newNonEmptyTextParam(
    'Password; returns the events protected with it. Prefer the header Event-Password.',
    200
  )
}

export type EventFilterValues = ParamValues<typeof eventListParams>
