import type { Language } from '#platform/language.ts'
import { type CalendarEvent, venuesOf } from '../../calendar-api.ts'
import { clock } from '../../format.ts'
import { consoleWords } from '../../text/console.ts'
import { type EventWords, eventWords } from '../../text/events.ts'
import { fieldValues } from '../../visit.ts'
import type { Desk } from '../console.ts'
import { imageChosen } from '../images/image-field.tsx'
import { htmlOfLines, linesOf, typedIn } from '../rich-field.tsx'

/** Everything in the editor of an event, as the form has it. */
export interface EventInput {
  title: string
  description: string
  excerpt: string
  slug: string
  startDate: string
  startTime: string
  endDate: string
  endTime: string
  allDay: boolean
  timezone: string
  venue: string
  /** Further venues, where it has several. */
  alsoAt: string[]
  newVenue: Record<VenuePart, string>
  organizers: string[]
  newOrganizer: Record<OrganizerPart, string>
  categories: string[]
  newCategories: string
  tags: string[]
  newTags: string
  cost: string
  website: string
  image: string
  featured: boolean
  sticky: boolean
  hidden: boolean
  eventStatus: string
  status: string
  publishAt: string
  /** It has a date of publication ahead, which publishing at once must take away. */
  isPlanned: boolean
  password: string
  removesPassword: boolean
}

export const venueParts = ['venue', 'address', 'zip', 'city', 'country', 'website'] as const
export type VenuePart = (typeof venueParts)[number]
export const organizerParts = ['organizer', 'email', 'phone', 'website'] as const
export type OrganizerPart = (typeof organizerParts)[number]

/** What a new event begins with. */
export function newInput(desk: Desk): EventInput {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(desk.query.date ?? '') ? (desk.query.date ?? '') : ''
  return {
    ...emptyText,
    startDate: day,
    startTime: '19:00',
    endDate: day,
    endTime: '21:00',
    allDay: false,
    timezone: desk.site.timezone,
    venue: /^\d{1,15}$/.test(desk.query.venue ?? '') ? (desk.query.venue ?? '') : '',
    alsoAt: [],
    newVenue: { venue: '', address: '', zip: '', city: '', country: '', website: '' },
    organizers: [],
    newOrganizer: { organizer: '', email: '', phone: '', website: '' },
    categories: [],
    newCategories: '',
    tags: [],
    newTags: '',
    cost: '',
    website: '',
    image: '',
    featured: false,
    sticky: false,
    hidden: false,
    eventStatus: 'scheduled',
    status: 'publish',
    publishAt: '',
    isPlanned: false,
    password: '',
    removesPassword: false
  }
}

const emptyText = { title: '', description: '', excerpt: '', slug: '' }

/** What is saved. The text is empty where this language has none: the answer is in the other one then. */
export function inputOf(desk: Desk, event: CalendarEvent, language: Language): EventInput {
  const [venue, ...others] = venuesOf(event).map(({ id }) => String(id))
  const isPlanned = clock(event.date) > clock(localNow(desk))
  const ids = (items: { id: number }[]) => items.map(({ id }) => String(id))
  return {
    ...newInput(desk),
    ...textIn(event, language),
    startDate: event.start_date.slice(0, 10),
    startTime: event.start_date.slice(11, 16),
    endDate: event.end_date.slice(0, 10),
    endTime: event.end_date.slice(11, 16),
    allDay: event.all_day === true,
    timezone: event.timezone,
    venue: venue ?? '',
    alsoAt: others,
    organizers: ids(event.organizer),
    categories: ids(event.categories),
    tags: ids(event.tags),
    cost: event.cost,
    // The API answers the address of the event's own page where it has no other.
    website: event.website === event.url ? '' : event.website,
    image: event.image === false ? '' : String(event.image.id),
    featured: event.featured === true,
    sticky: event.sticky === true,
    hidden: event.hide_from_listings === true,
    eventStatus: event.event_status ?? 'scheduled',
    status: event.status,
    publishAt: isPlanned ? event.date.slice(0, 16).replace(' ', 'T') : '',
    isPlanned
  }
}

export function textIn(event: CalendarEvent, language: Language): typeof emptyText {
  if (event.language !== language) return emptyText
  return {
    title: event.title,
    description: event.description,
    excerpt: linesOf(event.excerpt),
    slug: decodedSlug(event.slug)
  }
}

/** What letters beyond ASCII look like to people. */
export function decodedSlug(slug: string): string {
  try {
    return decodeURIComponent(slug)
  } catch {
    return slug
  }
}

/** What the form has sent. */
export function inputFrom(desk: Desk): EventInput {
  const text = (name: string) => typedIn(desk, name)
  const isTicked = (name: string) => text(name) === 'yes'
  const numbers = (name: string) => fieldValues(desk, name).filter(value => /^\d{1,15}$/.test(value))
  return {
    title: text('title'),
    description: text('description'),
    excerpt: text('excerpt'),
    slug: text('slug'),
    startDate: text('start_date'),
    startTime: text('start_time'),
    endDate: text('end_date'),
    endTime: text('end_time'),
    allDay: isTicked('all_day'),
    timezone: text('timezone'),
    venue: text('venue'),
    alsoAt: numbers('also_at'),
    newVenue: partsOf(venueParts, part => text(`new_venue_${part}`)),
    organizers: numbers('organizer'),
    newOrganizer: partsOf(organizerParts, part => text(`new_organizer_${part}`)),
    categories: numbers('categories'),
    newCategories: text('new_categories'),
    tags: numbers('tags'),
    newTags: text('new_tags'),
    cost: text('cost'),
    website: text('website'),
    image: imageChosen(desk),
    featured: isTicked('featured'),
    sticky: isTicked('sticky'),
    hidden: isTicked('hide_from_listings'),
    eventStatus: text('event_status'),
    status: text('status'),
    publishAt: text('publish_at'),
    isPlanned: isTicked('planned'),
    password: text('post_password'),
    removesPassword: isTicked('remove_password')
  }
}

function partsOf<Part extends string>(parts: readonly Part[], read: (part: Part) => string): Record<Part, string> {
  return Object.fromEntries(parts.map(part => [part, read(part)])) as Record<Part, string>
}

/** What the form can tell by itself, in the place where it is wrong. */
export function wrongIn(desk: Desk, input: EventInput): Record<string, string> {
  const words = eventWords[desk.language].editor
  const { required } = consoleWords[desk.language]
  const wrong: Record<string, string> = {}
  if (input.title === '') wrong.title = `${words.title}: ${required}`
  if (input.startDate === '') wrong.start_date = `${words.startDate}: ${required}`
  if (!input.allDay && input.startTime === '') wrong.start_time = words.timeNeeded(words.startTime)
  if (!input.allDay && input.endTime === '') wrong.end_time = words.timeNeeded(words.endTime)
  if (input.newVenue.venue === '' && venueParts.some(part => input.newVenue[part] !== '')) {
    wrong.new_venue_venue = words.newVenueNameNeeded
  }
  if (input.newOrganizer.organizer === '' && organizerParts.some(part => input.newOrganizer[part] !== '')) {
    wrong.new_organizer_organizer = words.newOrganizerNameNeeded
  }
  if (input.status === 'future') {
    const isAhead =
      /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(input.publishAt) && input.publishAt > localNow(desk).replace(' ', 'T')
    if (!isAhead) wrong.publish_at = words.publishAtNeeded
  }
  return wrong
}

/** The time on the clocks of the site: `2027-02-01 10:00:00`. */
function localNow({ now, site }: Desk): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: site.timezone, dateStyle: 'short', timeStyle: 'medium' }).format(
    now
  )
}

/** The body that saves it: all that the form has, with what is made along the way. */
export function bodyOf(input: EventInput): Record<string, unknown> {
  const { newVenue, newOrganizer } = input
  return {
    title: input.title,
    description: input.description,
    excerpt: htmlOfLines(input.excerpt),
    slug: input.slug,
    ...datesOf(input),
    timezone: input.timezone,
    venue: [newVenue.venue === '' ? input.venue : filled(newVenue), ...input.alsoAt].filter(one => one !== ''),
    organizer: [...input.organizers, ...(newOrganizer.organizer === '' ? [] : [filled(newOrganizer)])],
    categories: [...input.categories.map(Number), ...namesIn(input.newCategories)],
    tags: [...input.tags.map(Number), ...namesIn(input.newTags)],
    cost: input.cost,
    website: input.website,
    image: input.image === '' ? null : Number(input.image),
    featured: input.featured,
    sticky: input.sticky,
    hide_from_listings: input.hidden,
    event_status: input.eventStatus,
    ...publicationOf(input),
    ...(input.removesPassword ? { post_password: '' } : input.password === '' ? {} : { post_password: input.password })
  }
}

export function datesOf(input: EventInput): { all_day: boolean; start_date: string; end_date: string } {
  const lastDay = input.endDate === '' ? input.startDate : input.endDate
  const at = (day: string, time: string) => (day === '' || input.allDay ? day : `${day} ${time.slice(0, 5)}:00`)
  return {
    all_day: input.allDay,
    start_date: at(input.startDate, input.startTime),
    end_date: at(lastDay, input.endTime)
  }
}

function publicationOf({ status, publishAt, isPlanned }: EventInput): Record<string, unknown> {
  if (status === 'future') return { status, date: publishAt.slice(0, 16).replace('T', ' ') }
  return { status, ...(status === 'publish' && isPlanned ? { date: null } : {}) }
}

function filled(parts: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== ''))
}

/** As objects, so that a name of digits is not taken for a number. */
function namesIn(text: string): { name: string }[] {
  return text
    .split(',')
    .map(name => ({ name: name.trim() }))
    .filter(({ name }) => name !== '')
}

/** What the API's parameters are called in the form. */
export function labelsOf(desk: Desk): Record<string, string> {
  const words: EventWords['editor'] = eventWords[desk.language].editor
  return {
    title: words.title,
    description: words.description,
    excerpt: words.excerpt,
    slug: words.slug,
    start_date: words.startDate,
    end_date: words.endDate,
    timezone: words.timezone,
    venue: words.venue,
    organizer: words.organizers,
    categories: words.categories,
    tags: words.tags,
    cost: words.cost,
    website: words.website,
    image: words.picture,
    event_status: words.eventStatus,
    status: words.status,
    date: words.publishAt,
    post_password: words.password
  }
}
