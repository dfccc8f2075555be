import { type Cost, readCost } from '../cost.ts'
import { markupRule } from '../markup-budget.ts'
import { organizerFields } from '../organizers/schema.ts'
import { pagingParameters } from '../paging.ts'
import {
  described,
  Fault,
  optional,
  type Parameter,
  parameter,
  type Reading,
  required,
  type Values
} from '../parameters.ts'
import { publicationParameters } from '../publication.ts'
import {
  address,
  filledText,
  idOrNone,
  ids,
  image,
  links,
  missingLanguage,
  moment,
  number,
  positive,
  statusFilter,
  type TermKey,
  terms,
  text,
  textOnly,
  timezone,
  truth,
  truthFilter,
  word
} from '../rules.ts'
import { venueFields } from '../venues/schema.ts'
import { defaultsOf } from './window.ts'

export const titleLengthMax = 500
const descriptionLengthMax = 400_000
const excerptLengthMax = 20_000

const cost: Parameter<Cost | null> = parameter(
  { type: ['string', 'number', 'array', 'null'], items: { type: ['string', 'number'] } },
  'What it costs: a number, a text such as "10 €" or "Free", or a list of prices.',
  given =>
    readCost(given) ??
    (isNoCost(given)
      ? null
      : new Fault('cost', 'must be one or more prices, or a word', 'muss aus Preisen oder einem Wort bestehen'))
)

const isNoCost = (given: unknown) => readCost(given) === null

const password = text('Readers must know it to see more than title and dates.', 200)

/** As in the contract, `0` counts as nothing where a reader gives a password: nobody could open an event that has it. */
const postPassword: Parameter<string> = {
  ...password,
  read: (given, about) =>
    given === '0' || given === 0
      ? new Fault('password', 'must not be 0', 'darf nicht 0 sein')
      : password.read(given, about)
}

/** What can be said of an event. Nothing or an empty text clears a field. */
export const eventFields = {
  title: required(filledText('The title.', titleLengthMax)),
  start_date: required(moment('When it starts: a date, a date and time, or words such as "tomorrow 9am".')),
  end_date: required(moment('When it ends.')),
  timezone: timezone('The time zone of start and end; the site has one of its own.'),
  all_day: truth('Lasts whole days.'),
  description: text(`The description, HTML. ${markupRule}`, descriptionLengthMax),
  excerpt: text('A short description, HTML.', excerptLengthMax),
  slug: text('Its name in addresses; made of the title if it is empty.', 400),
  ...publicationParameters,
  author: positive('The author: the number of a key.'),
  image: image('The id or the address of an image.'),
  cost,
  website: address('The address of its own page elsewhere.'),
  show_map: truth('Show a map.'),
  show_map_link: truth('Show a link to a map.'),
  hide_from_listings: truth('Leave it out of lists.'),
  sticky: truth('Put it first in calendars.'),
  featured: truth('Highlight it.'),
  ticketed: truth('There are tickets for it.'),
  event_status: word('Whether it takes place.', ['scheduled', 'canceled', 'postponed'] as const),
  post_parent: idOrNone('The event it belongs to.'),
  categories: terms('Categories by id, slug or name; unknown names are made.'),
  tags: terms('Tags by id, slug or name; unknown names are made.'),
  venue: links('Venues: ids, or objects with the fields of new ones.', venueFields),
  organizer: links('Organizers: ids, or objects with the fields of new ones.', organizerFields),
  post_password: postPassword
}

export const eventChanges = optional(eventFields)
export type EventChanges = Values<typeof eventFields>

/** Of one event. */
export const readParameters = {
  password: filledText('The password of the event. Better in the header Event-Password, percent-encoded.', 200),
  context: filledText('`edit` shows protected events to those who may edit them.', 20)
}

export const deleteParameters = {
  force: truth('Remove it for good instead of moving it to the trash.'),
  text_only: textOnly
}

const date = (description: string) => moment(description)

/** In a filter nothing would mean everything or nothing, so something must be said. */
function someTerms(description: string): Parameter<TermKey[]> {
  const { read, ...rest } = terms(description)
  return {
    ...rest,
    read: (given, about) => {
      const keys = read(given, about)
      return Array.isArray(keys) && keys.length === 0
        ? new Fault('empty', 'must not be empty', 'darf nicht leer sein')
        : keys
    }
  }
}

export const eventOrders = ['start_date', 'end_date', 'title', 'date', 'modified'] as const

/** Everything a list can be narrowed by. */
export const eventFilters = {
  start_date: described(date(''), 'Events that start on or after this.', {
    default: (about: Reading) => defaultsOf(about, {}).start_date
  }),
  end_date: described(date(''), 'Events that end on or before this.', {
    default: (about: Reading) => defaultsOf(about, {}).end_date
  }),
  starts_before: date('Events that start before this.'),
  starts_after: date('Events that start after this.'),
  ends_before: date('Events that end before this.'),
  ends_after: date('Events that end after this; "now" finds those that are running.'),
  strict_dates: described(truthFilter('', 'many'), 'Take the given times exactly; otherwise whole days are meant.', {
    default: 'false'
  }),
  search: filledText('Words, "phrases" and -excluded words in title, excerpt and description.', 200),
  categories: someTerms('Events in one of these categories or below: ids, slugs or names.'),
  tags: someTerms('Events with one of these tags: ids, slugs or names.'),
  venue: ids('Events at one of these venues.'),
  organizer: ids('Events of one of these organizers.'),
  featured: truthFilter('Highlighted events, or the others.'),
  ticketed: truthFilter('Events with tickets, or without.'),
  status: statusFilter('Only published ones for visitors.'),
  geoloc: truthFilter('Events whose venue has coordinates, or whose has none.'),
  geoloc_lat: number('Latitude of a place; with geoloc_lng.', -90, 90),
  geoloc_lng: number('Longitude of a place; with geoloc_lat.', -180, 180),
  geoloc_radius: number('Kilometres around the place.', 0, 20_100),
  include: ids('Only these events; dates do not matter then.'),
  post_parent: positive('Events that belong to this one.'),
  hidden: truthFilter('For editors: only events that are left out of lists.'),
  missing_language: missingLanguage,
  orderby: word('What decides the order.', eventOrders),
  order: word('The direction.', ['asc', 'desc', 'ASC', 'DESC'] as const)
}

export const eventListParameters = {
  ...pagingParameters,
  ...eventFilters,
  password: filledText('Shows events that are protected with it. Better in the header Event-Password.', 200)
}

export type EventFilterValues = Values<typeof eventListParameters>
