import { adminStrings } from '../../strings/admin.ts'
import { calendarAdminStrings } from '../../strings/calendar-admin.ts'
import { eventAdminStrings } from '../../strings/event-admin.ts'
import type { AdminContext } from '../shared/context.ts'
import type { Difference } from '../shared/editor.tsx'
import type { EventChoices } from './event-choices.ts'
import type { EventInput } from './event-fields.ts'

/** Differences between another user's saved version and the form, as comparable texts. */
export function listEventDifferences(
  context: AdminContext,
  theirs: EventInput,
  yours: EventInput,
  choices: EventChoices
): Difference[] {
  const [left, right] = [toComparableFields(context, theirs, choices), toComparableFields(context, yours, choices)]
  return left.flatMap(({ label, text }, index) => {
    const other = right[index]?.text ?? ''
    return text === other ? [] : [{ label, theirs: text, yours: other }]
  })
}

function toComparableFields(
  context: AdminContext,
  input: EventInput,
  choices: EventChoices
): { label: string; text: string }[] {
  const { editor, statuses, happenings } = eventAdminStrings[context.language]
  const { yes, no } = adminStrings[context.language]
  const truth = (ticked: string) => (ticked === '' ? no : yes)
  const named = (ids: string[], items: { id: number }[], nameOf: (id: number) => string | undefined) =>
    ids
      .map(id => (items.some(item => String(item.id) === id) ? (nameOf(Number(id)) ?? id) : `#${id}`))
      .sort()
      .join(', ')
  const venueName = (id: number) => choices.venues.find(one => one.id === id)?.venue
  const organizerName = (id: number) => choices.organizers.find(one => one.id === id)?.organizer
  const termName = (id: number) => [...choices.categories, ...choices.tags].find(one => one.id === id)?.name
  const moment = (day: string, time: string) => (input.all_day !== '' ? day : `${day} ${time}`)
  const plus = (...texts: string[]) => texts.filter(text => text !== '').join(', ')
  return [
    { label: editor.title, text: input.title },
    { label: editor.description, text: input.description.replace(/\s+/g, ' ').trim() },
    { label: editor.excerpt, text: input.excerpt },
    { label: editor.slug, text: input.slug },
    { label: editor.startDate, text: moment(input.start_date, input.start_time) },
    { label: editor.endDate, text: moment(input.end_date === '' ? input.start_date : input.end_date, input.end_time) },
    { label: editor.allDay, text: truth(input.all_day) },
    { label: editor.timezone, text: input.timezone },
    {
      label: editor.venue,
      text: plus(
        input.new_venue_venue,
        named(
          [...(input.new_venue_venue === '' ? [input.venue] : []), ...input.alsoAt].filter(Boolean),
          choices.venues,
          venueName
        )
      )
    },
    {
      label: editor.organizers,
      text: plus(named(input.organizers, choices.organizers, organizerName), input.new_organizer_organizer)
    },
    {
      label: editor.categories,
      text: plus(named(input.categories, choices.categories, termName), input.new_categories)
    },
    { label: editor.tags, text: plus(named(input.tags, choices.tags, termName), input.new_tags) },
    { label: editor.cost, text: input.cost },
    { label: editor.website, text: input.website },
    { label: calendarAdminStrings[context.language].image, text: input.image === '' ? '' : `#${input.image}` },
    { label: editor.featured, text: truth(input.featured) },
    { label: editor.sticky, text: truth(input.sticky) },
    { label: editor.hidden, text: truth(input.hide_from_listings) },
    {
      label: editor.eventStatus,
      text: (happenings as Record<string, string>)[input.event_status] ?? input.event_status
    },
    { label: editor.status, text: (statuses as Record<string, string>)[input.status] ?? input.status },
    { label: editor.publishAt, text: input.status === 'future' ? input.publish_at.replace('T', ' ') : '' }
  ]
}
