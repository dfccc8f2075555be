import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { parseClock } from '../../format/format.ts'
import { type CalendarEvent, getVenues } from '../../server/calendar-api.ts'
import { getFormField, getFormFieldValues } from '../../server/context.ts'
import { parseApply } from '../series/apply-choice.tsx'
import {
  findRepeatErrors,
  getRepeatLabels,
  isRepeatChanged,
  newRepeatInput,
  parseRepeatInput,
  type RepeatInput,
  toRecurrence
} from '../series/repeat-input.ts'
import type { AdminContext } from '../shared/context.ts'
import { getLabelsByPath, newInput, parseInput, toBody, toInput } from '../shared/forms/form-input.ts'
import { type EventInput, eventFields, getEventStrings, getNewItem, type NewItemPrefix } from './event-fields.ts'

/** Defaults of a new event. */
export function newEventInput(context: AdminContext): EventInput {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(context.query.date ?? '') ? (context.query.date ?? '') : ''
  return {
    ...newInput(eventFields),
    alsoAt: [],
    organizers: [],
    categories: [],
    tags: [],
    isPlanned: false,
    repeat: newRepeatInput(),
    apply: 'this',
    start_date: day,
    end_date: day,
    timezone: context.site.timezone,
    venue: /^\d{1,15}$/.test(context.query.venue ?? '') ? (context.query.venue ?? '') : ''
  }
}

/** Converts a saved event. The text is empty if this language has none: the API then returns the other one. */
export function toEventInput(
  context: AdminContext,
  event: CalendarEvent,
  language: Language,
  repeat: RepeatInput = newRepeatInput()
): EventInput {
  const [venue, ...others] = getVenues(event).map(({ id }) => String(id))
  const isPlanned = parseClock(event.date) > parseClock(getLocalNow(context))
  const ids = (items: { id: number }[]) => items.map(({ id }) => String(id))
  return {
    ...toInput(context, eventFields, event, language),
    start_date: event.start_date.slice(0, 10),
    start_time: event.start_date.slice(11, 16),
    end_date: event.end_date.slice(0, 10),
    end_time: event.end_date.slice(11, 16),
    venue: venue ?? '',
    alsoAt: others,
    organizers: ids(event.organizer),
    categories: ids(event.categories),
    tags: ids(event.tags),
    // The API returns the URL of the event's own page if it has no website.
    website: event.website === event.url ? '' : event.website,
    event_status: event.event_status ?? 'scheduled',
    publish_at: isPlanned ? event.date.slice(0, 16).replace(' ', 'T') : '',
    isPlanned,
    repeat,
    apply: parseApply(context)
  }
}

export function parseEventInput(context: AdminContext): EventInput {
  const numbers = (name: string) => getFormFieldValues(context, name).filter(value => /^\d{1,15}$/.test(value))
  return {
    ...parseInput(context, eventFields),
    alsoAt: numbers('also_at'),
    organizers: numbers('organizer'),
    categories: numbers('categories'),
    tags: numbers('tags'),
    isPlanned: getFormField(context, 'planned') === 'yes',
    repeat: parseRepeatInput(context),
    apply: parseApply(context)
  }
}

/** Validates what can be checked without the API, by field. */
export function findEventErrors(context: AdminContext, input: EventInput): Record<string, string> {
  const strings = getMessages('event-admin', context.language).editor
  const { required } = getMessages('admin', context.language)
  const isTimed = input.all_day === ''
  const isUnnamed = (prefix: NewItemPrefix, name: string) =>
    name === '' && Object.keys(getNewItem(input, prefix)).length > 0
  const wrong = findRepeatErrors(context, input.repeat)
  if (input.title === '') wrong.title = `${strings.title}: ${required}`
  if (input.start_date === '') wrong.start_date = `${strings.startDate}: ${required}`
  if (isTimed && input.start_time === '') wrong.start_time = strings.timeNeeded({ label: strings.startTime })
  if (isTimed && input.end_time === '') wrong.end_time = strings.timeNeeded({ label: strings.endTime })
  if (isUnnamed('new_venue_', input.new_venue_venue)) wrong.new_venue_venue = strings.newVenueNameNeeded
  if (isUnnamed('new_organizer_', input.new_organizer_organizer)) {
    wrong.new_organizer_organizer = strings.newOrganizerNameNeeded
  }
  if (input.status === 'future') {
    const isAhead =
      /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(input.publish_at) && input.publish_at > getLocalNow(context).replace(' ', 'T')
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
export function toEventBody(context: AdminContext, input: EventInput): Record<string, unknown> {
  const { venue, alsoAt, organizers, categories, tags } = input
  const [newVenue, newOrganizer] = [getNewItem(input, 'new_venue_'), getNewItem(input, 'new_organizer_')]
  return {
    ...toBody(context, eventFields, input).body,
    ...toEventDates(input),
    venue: [newVenue.venue === undefined ? venue : newVenue, ...alsoAt].filter(one => one !== ''),
    organizer: [...organizers, ...(newOrganizer.organizer === undefined ? [] : [newOrganizer])],
    categories: [...categories.map(Number), ...parseNames(input.new_categories)],
    tags: [...tags.map(Number), ...parseNames(input.new_tags)],
    date: getPublicationDate(input),
    ...(isRepeatChanged(input.repeat) ? { recurrence: toRecurrence(input.repeat, input.start_date) } : {}),
    ...(input.remove_password === '' ? {} : { post_password: '' })
  }
}

export function toEventDates(input: EventInput): { all_day: boolean; start_date: string; end_date: string } {
  const { start_date, start_time, end_date, end_time } = input
  const isAllDay = input.all_day !== ''
  const at = (day: string, time: string) => (day === '' || isAllDay ? day : `${day} ${time}:00`)
  return {
    all_day: isAllDay,
    start_date: at(start_date, start_time),
    end_date: at(end_date === '' ? start_date : end_date, end_time)
  }
}

/** Undefined leaves it as it is. */
function getPublicationDate({ status, publish_at, isPlanned }: EventInput): string | null | undefined {
  if (status === 'future') return publish_at.slice(0, 16).replace('T', ' ')
  return status === 'publish' && isPlanned ? null : undefined
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
  const strings = getEventStrings(context.language)
  const { organizers: organizer, categories, tags } = strings
  return { ...getLabelsByPath(eventFields, strings), organizer, categories, tags, ...getRepeatLabels(context) }
}
