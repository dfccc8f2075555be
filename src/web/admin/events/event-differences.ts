import { adminStrings } from '../../strings/admin.ts'
import { calendarAdminStrings } from '../../strings/calendar-admin.ts'
import { eventAdminStrings } from '../../strings/event-admin.ts'
import type { AdminContext } from '../shared/context.ts'
import type { Difference } from '../shared/editor.tsx'
import type { EventChoices } from './event-choices.ts'
import type { EventInput } from './event-input.ts'

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
  const truth = (value: boolean) => (value ? yes : no)
  const named = (ids: string[], items: { id: number }[], nameOf: (id: number) => string | undefined) =>
    ids
      .map(id => (items.some(item => String(item.id) === id) ? (nameOf(Number(id)) ?? id) : `#${id}`))
      .sort()
      .join(', ')
  const venueName = (id: number) => choices.venues.find(one => one.id === id)?.venue
  const organizerName = (id: number) => choices.organizers.find(one => one.id === id)?.organizer
  const termName = (id: number) => [...choices.categories, ...choices.tags].find(one => one.id === id)?.name
  const moment = (day: string, time: string) => (input.allDay ? day : `${day} ${time}`)
  const plus = (...texts: string[]) => texts.filter(text => text !== '').join(', ')
  return [
    { label: editor.title, text: input.title },
    { label: editor.description, text: input.description.replace(/\s+/g, ' ').trim() },
    { label: editor.excerpt, text: input.excerpt },
    { label: editor.slug, text: input.slug },
    { label: editor.startDate, text: moment(input.startDate, input.startTime) },
    { label: editor.endDate, text: moment(input.endDate === '' ? input.startDate : input.endDate, input.endTime) },
    { label: editor.allDay, text: truth(input.allDay) },
    { label: editor.timezone, text: input.timezone },
    {
      label: editor.venue,
      text: plus(
        input.newVenue.venue,
        named(
          [...(input.newVenue.venue === '' ? [input.venue] : []), ...input.alsoAt].filter(Boolean),
          choices.venues,
          venueName
        )
      )
    },
    {
      label: editor.organizers,
      text: plus(named(input.organizers, choices.organizers, organizerName), input.newOrganizer.organizer)
    },
    {
      label: editor.categories,
      text: plus(named(input.categories, choices.categories, termName), input.newCategories)
    },
    { label: editor.tags, text: plus(named(input.tags, choices.tags, termName), input.newTags) },
    { label: editor.cost, text: input.cost },
    { label: editor.website, text: input.website },
    { label: calendarAdminStrings[context.language].image, text: input.image === '' ? '' : `#${input.image}` },
    { label: editor.featured, text: truth(input.featured) },
    { label: editor.sticky, text: truth(input.sticky) },
    { label: editor.hidden, text: truth(input.hidden) },
    { label: editor.eventStatus, text: (happenings as Record<string, string>)[input.eventStatus] ?? input.eventStatus },
    { label: editor.status, text: (statuses as Record<string, string>)[input.status] ?? input.status },
    { label: editor.publishAt, text: input.status === 'future' ? input.publishAt.replace('T', ' ') : '' }
  ]
}
