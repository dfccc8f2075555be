import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { summarizeHtml } from '../../components/rich-text.tsx'
import { parseClock } from '../../format/format.ts'
import { withQuery } from '../../server/api-client.ts'
import { type CalendarEvent, calendarPath, type Organizer, type Term, type Venue } from '../../server/calendar-api.ts'
import { getPath } from '../../server/paths.ts'
import { EventView } from '../../site/events/event-view.tsx'
import { getTextLanguage } from '../shared/calendar/fields.tsx'
import { fetchListPage } from '../shared/calendar/lists.ts'
import type { AdminContext, SitePage } from '../shared/context.ts'
import { toHtml } from '../shared/forms/field-kinds.ts'
import { sanitizePreview } from '../shared/sanitize-preview.ts'
import { readEvent } from './event-actions.ts'
import { findImage } from './event-choices.ts'
import { type EventInput, getNewItem } from './event-fields.ts'
import { newEventInput, parseEventInput, toEventDates } from './event-input.ts'

/** Previews the saved event as its public page. */
export async function previewSavedEvent(context: AdminContext): Promise<SitePage> {
  const language = getTextLanguage(context)
  const { event } = await readEvent(context, language)
  return buildPreviewPage(context, event, language, withQuery(`/admin/events/${event.id}`, { lang: language }))
}

/** Previews the form's input, saved or not. */
export async function previewEventForm(context: AdminContext): Promise<SitePage> {
  const language = getTextLanguage(context)
  const event = await buildPreviewEvent(context, parseEventInput(context), language)
  return buildPreviewPage(context, event, language, undefined)
}

function buildPreviewPage(
  context: AdminContext,
  event: CalendarEvent,
  language: Language,
  back: string | undefined
): SitePage {
  const strings = getMessages('event-admin', context.language).preview
  return {
    language,
    sitePage: {
      title: `${strings.title}: ${event.title}`,
      menu: 'calendar',
      noindex: true,
      alternates: {},
      body: (
        <>
          <p class="notice warn no-print" lang={context.language}>
            <strong>{strings.bar}</strong> {back === undefined ? strings.unsaved : <a href={back}>{strings.edit}</a>}
          </p>
          <EventView
            context={{ ...context, language }}
            event={event}
            address={context.origin + getPath('event', language, event.slug)}
            description={summarizeHtml(event.excerpt || event.description)}
            around={{ previous: undefined, next: undefined, moreHere: [] }}
            isProtected={false}
          />
        </>
      )
    }
  }
}

/** The event that saving the form would create, as far as this is known without saving. */
async function buildPreviewEvent(context: AdminContext, input: EventInput, language: Language): Promise<CalendarEvent> {
  const { api } = context
  const named = async <Item,>(collection: 'venues' | 'organizers' | 'categories' | 'tags', ids: string[]) =>
    ids.length === 0
      ? []
      : (
          await fetchListPage<Item>(
            api,
            collection,
            { language, include: ids.slice(0, 50).join(','), hide_empty: false },
            { page: 1, size: 50 }
          )
        ).items
  const venueIds = input.new_venue_venue === '' && /^\d{1,15}$/.test(input.venue) ? [input.venue] : []
  const [venues, organizers, categories, tags, image] = await Promise.all([
    named<Venue>('venues', [...venueIds, ...input.alsoAt]),
    named<Organizer>('organizers', input.organizers),
    named<Term>('categories', input.categories),
    named<Term>('tags', input.tags),
    findImage(context, [], input.image)
  ])
  const times = getTimes(context, input)
  const [newVenue, newOrganizer] = [getNewItem(input, 'new_venue_'), getNewItem(input, 'new_organizer_')]
  const text = { language, translations: [language] }
  const madeTerms = (names: string): Term[] =>
    names
      .split(',')
      .map(name => name.trim())
      .filter(name => name !== '')
      .map((name, index) => ({ id: index, name, slug: '', count: 0, ...text }))
  const made = { id: 0, slug: '', url: '', status: 'publish', ...text }
  const url = context.origin + calendarPath
  return {
    id: Number(context.params.id ?? 0),
    author: '',
    status: 'draft',
    date: '',
    modified: '',
    url,
    title: input.title === '' ? getMessages('event-admin', context.language).preview.untitled : input.title,
    description: sanitizePreview(input.description),
    excerpt: sanitizePreview(toHtml(input.excerpt)),
    slug: input.slug,
    image: image ?? false,
    ...times,
    cost: input.cost,
    website: input.website === '' ? url : input.website,
    show_map: true,
    show_map_link: true,
    hide_from_listings: input.hide_from_listings !== '',
    sticky: input.sticky !== '',
    featured: input.featured !== '',
    ticketed: false,
    is_virtual: input.is_virtual !== '',
    series: null,
    event_status: isHappening(input.event_status) ? input.event_status : 'scheduled',
    categories: [...categories, ...madeTerms(input.new_categories)],
    tags: [...tags, ...madeTerms(input.new_tags)],
    venue: [...(newVenue.venue === undefined ? [] : [{ ...made, ...newVenue, venue: newVenue.venue }]), ...venues],
    organizer: [
      ...organizers,
      ...(newOrganizer.organizer === undefined ? [] : [{ ...made, ...newOrganizer, organizer: newOrganizer.organizer }])
    ],
    ...text
  }
}

const isHappening = (status: string): status is 'scheduled' | 'canceled' | 'postponed' =>
  ['scheduled', 'canceled', 'postponed'].includes(status)

const dayForm = /^\d{4}-\d\d-\d\d$/

/** Missing dates default to today. */
function getTimes(context: AdminContext, input: EventInput) {
  const today = context.now.toISOString().slice(0, 10)
  const first = dayForm.test(input.start_date) ? input.start_date : today
  const last = dayForm.test(input.end_date) && input.end_date >= first ? input.end_date : first
  const timeOf = (time: string) => (/^\d\d:\d\d/.test(time) ? time : newEventInput(context).start_time)
  const times = { start_time: timeOf(input.start_time), end_time: timeOf(input.end_time) }
  const { all_day, start_date, end_date } = toEventDates({ ...input, ...times, start_date: first, end_date: last })
  const [start, end] = all_day ? [`${first} 00:00:00`, `${last} 23:59:59`] : [start_date, end_date]
  const timezone = isZone(input.timezone) ? input.timezone : context.site.timezone
  return {
    all_day,
    start_date: start,
    end_date: end,
    utc_start_date: toUtc(start, timezone),
    utc_end_date: toUtc(end, timezone),
    timezone,
    timezone_abbr: ''
  }
}

function isZone(name: string): boolean {
  return Intl.supportedValuesOf('timeZone').includes(name)
}

/** Converts local time to UTC; accurate enough for a preview. */
function toUtc(local: string, timeZone: string): string {
  const asIfUtc = parseClock(local).getTime()
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  const offset = parseClock(format.format(new Date(asIfUtc))).getTime() - asIfUtc
  return new Date(asIfUtc - offset).toISOString().slice(0, 19).replace('T', ' ')
}
