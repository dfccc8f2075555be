import type { Language } from '#platform/language.ts'
import { parseClock } from '../../format/format.ts'
import { type CalendarEvent, getVenues } from '../../server/calendar-api.ts'
import { getFormFieldValues } from '../../server/context.ts'
import { adminStrings } from '../../strings/admin.ts'
import { type EventAdminStrings, eventAdminStrings } from '../../strings/event-admin.ts'
import { getChosenImage } from '../images/image-field.tsx'
import type { AdminContext } from '../shared/context.ts'
import { getTextAreaField, toHtml, toPlainLines } from '../shared/rich-text-field.tsx'

/** All fields of the event editor, as typed. */
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
  /** Further venues, if it has several. */
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
  /** Has a future publication date, which publishing now must remove. */
  isPlanned: boolean
  password: string
  removesPassword: boolean
}

export const venueParts = ['venue', 'address', 'zip', 'city', 'country', 'website'] as const
export type VenuePart = (typeof venueParts)[number]
export const organizerParts = ['organizer', 'email', 'phone', 'website'] as const
export type OrganizerPart = (typeof organizerParts)[number]

/** Defaults of a new event. */
export function newEventInput(context: AdminContext): EventInput {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(context.query.date ?? '') ? (context.query.date ?? '') : ''
  return {
    ...emptyText,
    startDate: day,
    startTime: '19:00',
    endDate: day,
    endTime: '21:00',
    allDay: false,
    timezone: context.site.timezone,
    venue: /^\d{1,15}$/.test(context.query.venue ?? '') ? (context.query.venue ?? '') : '',
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

/** Converts a saved event. The text is empty if this language has none: the API then returns the other one. */
export function toEventInput(context: AdminContext, event: CalendarEvent, language: Language): EventInput {
  const [venue, ...others] = getVenues(event).map(({ id }) => String(id))
  const isPlanned = parseClock(event.date) > parseClock(getLocalNow(context))
  const ids = (items: { id: number }[]) => items.map(({ id }) => String(id))
  return {
    ...newEventInput(context),
    ...getEventText(event, language),
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
    // The API returns the URL of the event's own page if it has no website.
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

export function getEventText(event: CalendarEvent, language: Language): typeof emptyText {
  if (event.language !== language) return emptyText
  return {
    title: event.title,
    description: event.description,
    excerpt: toPlainLines(event.excerpt),
    slug: decodeSlug(event.slug)
  }
}

/** Decodes percent-encoding, so that slugs with non-ASCII letters are readable. */
export function decodeSlug(slug: string): string {
  try {
    return decodeURIComponent(slug)
  } catch {
    return slug
  }
}

export function parseEventInput(context: AdminContext): EventInput {
  const text = (name: string) => getTextAreaField(context, name)
  const isTicked = (name: string) => text(name) === 'yes'
  const numbers = (name: string) => getFormFieldValues(context, name).filter(value => /^\d{1,15}$/.test(value))
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
    newVenue: readParts(venueParts, part => text(`new_venue_${part}`)),
    organizers: numbers('organizer'),
    newOrganizer: readParts(organizerParts, part => text(`new_organizer_${part}`)),
    categories: numbers('categories'),
    newCategories: text('new_categories'),
    tags: numbers('tags'),
    newTags: text('new_tags'),
    cost: text('cost'),
    website: text('website'),
    image: getChosenImage(context),
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

function readParts<Part extends string>(parts: readonly Part[], read: (part: Part) => string): Record<Part, string> {
  return Object.fromEntries(parts.map(part => [part, read(part)])) as Record<Part, string>
}

/** Validates what can be checked without the API, by field. */
export function findEventErrors(context: AdminContext, input: EventInput): Record<string, string> {
  const strings = eventAdminStrings[context.language].editor
  const { required } = adminStrings[context.language]
  const wrong: Record<string, string> = {}
  if (input.title === '') wrong.title = `${strings.title}: ${required}`
  if (input.startDate === '') wrong.start_date = `${strings.startDate}: ${required}`
  if (!input.allDay && input.startTime === '') wrong.start_time = strings.timeNeeded(strings.startTime)
  if (!input.allDay && input.endTime === '') wrong.end_time = strings.timeNeeded(strings.endTime)
  if (input.newVenue.venue === '' && venueParts.some(part => input.newVenue[part] !== '')) {
    wrong.new_venue_venue = strings.newVenueNameNeeded
  }
  if (input.newOrganizer.organizer === '' && organizerParts.some(part => input.newOrganizer[part] !== '')) {
    wrong.new_organizer_organizer = strings.newOrganizerNameNeeded
  }
  if (input.status === 'future') {
    const isAhead =
      /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(input.publishAt) && input.publishAt > getLocalNow(context).replace(' ', 'T')
    if (!isAhead) wrong.publish_at = strings.publishAtNeeded
  }
  return wrong
}

/** Current local time of the site: `2027-02-01 10:00:00`. */
function getLocalNow({ now, site }: AdminContext): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: site.timezone, dateStyle: 'short', timeStyle: 'medium' }).format(
    now
  )
}

/** Request body for the API, including venues, organizers and terms to create. */
export function toEventBody(input: EventInput): Record<string, unknown> {
  const { newVenue, newOrganizer } = input
  return {
    title: input.title,
    description: input.description,
    excerpt: toHtml(input.excerpt),
    slug: input.slug,
    ...toEventDates(input),
    timezone: input.timezone,
    venue: [newVenue.venue === '' ? input.venue : dropEmpty(newVenue), ...input.alsoAt].filter(one => one !== ''),
    organizer: [...input.organizers, ...(newOrganizer.organizer === '' ? [] : [dropEmpty(newOrganizer)])],
    categories: [...input.categories.map(Number), ...parseNames(input.newCategories)],
    tags: [...input.tags.map(Number), ...parseNames(input.newTags)],
    cost: input.cost,
    website: input.website,
    image: input.image === '' ? null : Number(input.image),
    featured: input.featured,
    sticky: input.sticky,
    hide_from_listings: input.hidden,
    event_status: input.eventStatus,
    ...toPublication(input),
    ...(input.removesPassword ? { post_password: '' } : input.password === '' ? {} : { post_password: input.password })
  }
}

export function toEventDates(input: EventInput): { all_day: boolean; start_date: string; end_date: string } {
  const lastDay = input.endDate === '' ? input.startDate : input.endDate
  const at = (day: string, time: string) => (day === '' || input.allDay ? day : `${day} ${time.slice(0, 5)}:00`)
  return {
    all_day: input.allDay,
    start_date: at(input.startDate, input.startTime),
    end_date: at(lastDay, input.endTime)
  }
}

function toPublication({ status, publishAt, isPlanned }: EventInput): Record<string, unknown> {
  if (status === 'future') return { status, date: publishAt.slice(0, 16).replace('T', ' ') }
  return { status, ...(status === 'publish' && isPlanned ? { date: null } : {}) }
}

function dropEmpty(parts: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== ''))
}

/** As objects, so that the API does not read a numeric name as an id. */
function parseNames(text: string): { name: string }[] {
  return text
    .split(',')
    .map(name => ({ name: name.trim() }))
    .filter(({ name }) => name !== '')
}

/** Labels of the API's parameters in the form. */
export function getEventLabels(context: AdminContext): Record<string, string> {
  const strings: EventAdminStrings['editor'] = eventAdminStrings[context.language].editor
  return {
    title: strings.title,
    description: strings.description,
    excerpt: strings.excerpt,
    slug: strings.slug,
    start_date: strings.startDate,
    end_date: strings.endDate,
    timezone: strings.timezone,
    venue: strings.venue,
    organizer: strings.organizers,
    categories: strings.categories,
    tags: strings.tags,
    cost: strings.cost,
    website: strings.website,
    image: strings.picture,
    event_status: strings.eventStatus,
    status: strings.status,
    date: strings.publishAt,
    post_password: strings.password
  }
}
