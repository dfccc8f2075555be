import { getMessages } from '#platform/messages/messages.ts'
import type { AdminContext } from '../shared/context.ts'
import { type Difference, listFieldDifferences } from '../shared/editor.tsx'
import { listFields } from '../shared/forms/field-definition.ts'
import { getLabels } from '../shared/forms/form-input.ts'
import type { EventChoices } from './event-choices.ts'
import { type EventInput, eventFields, getEventStrings } from './event-fields.ts'

/** Differences between another user's saved version and the form, as comparable texts. */
export function listEventDifferences(
  context: AdminContext,
  theirs: EventInput,
  yours: EventInput,
  choices: EventChoices
): Difference[] {
  const strings = getEventStrings(context.language)
  const { text, when, venue } = eventFields
  const { organizers, categories, tags } = strings
  // The lists come after the venue, as in the form.
  const labels = { ...getLabels({ text, when, venue }, strings), organizers, categories, tags }
  return listFieldDifferences(
    { ...labels, ...getLabels(eventFields, strings) },
    toComparableTexts(context, theirs, choices),
    toComparableTexts(context, yours, choices)
  )
}

function toComparableTexts(context: AdminContext, input: EventInput, choices: EventChoices): Record<string, string> {
  const { statuses, happenings } = getMessages('event-admin', context.language)
  const { yes, no } = getMessages('admin', context.language)
  const { alsoAt, organizers, categories, tags, isPlanned, repeat, apply, ...texts } = input
  const ticks = listFields(eventFields)
    .filter(({ kind }) => kind === 'checkbox')
    .map(({ name }) => [name, texts[name as keyof typeof texts] === '' ? no : yes])
  const named = (ids: string[], items: { id: number }[], nameOf: (id: number) => string | undefined) =>
    ids
      .map(id => (items.some(item => String(item.id) === id) ? (nameOf(Number(id)) ?? id) : `#${id}`))
      .sort()
      .join(', ')
  const venueName = (id: number) => choices.venues.find(one => one.id === id)?.venue
  const organizerName = (id: number) => choices.organizers.find(one => one.id === id)?.organizer
  const termName = (id: number) => [...choices.categories, ...choices.tags].find(one => one.id === id)?.name
  const moment = (day: string, time: string) => (input.all_day !== '' ? day : `${day} ${time}`)
  const plus = (...parts: string[]) => parts.filter(part => part !== '').join(', ')
  const venues = [...(input.new_venue_venue === '' ? [input.venue] : []), ...alsoAt].filter(Boolean)
  const { start_date, start_time, end_date, end_time } = input
  return {
    ...texts,
    ...Object.fromEntries([...ticks, ...partNames.map(name => [name, ''])]),
    description: input.description.replace(/\s+/g, ' ').trim(),
    start_date: moment(start_date, start_time),
    end_date: moment(end_date === '' ? start_date : end_date, end_time),
    venue: plus(input.new_venue_venue, named(venues, choices.venues, venueName)),
    organizers: plus(named(organizers, choices.organizers, organizerName), input.new_organizer_organizer),
    categories: plus(named(categories, choices.categories, termName), input.new_categories),
    tags: plus(named(tags, choices.tags, termName), input.new_tags),
    image: input.image === '' ? '' : `#${input.image}`,
    event_status: (happenings as Record<string, string>)[input.event_status] ?? input.event_status,
    status: (statuses as Record<string, string>)[input.status] ?? input.status,
    publish_at: input.status === 'future' ? input.publish_at.replace('T', ' ') : ''
  }
}

/** Fields that are part of another one's text, or that the saved version does not have. */
const { newVenue, newOrganizer, newCategories, newTags, password, removePassword } = eventFields
const partNames = [
  'start_time',
  'end_time',
  ...listFields({ newVenue, newOrganizer, newCategories, newTags, password, removePassword }).map(({ name }) => name)
]
