import type sanitizeHtml from 'sanitize-html'
import type { Language } from '#platform/language.ts'
import { whenNeeded } from '#platform/when-needed.ts'
import { withQuery } from '../../api.ts'
import { type CalendarEvent, calendarPath, type Organizer, type Term, type Venue } from '../../calendar-api.ts'
import { clock } from '../../format.ts'
import { pathTo } from '../../paths.ts'
import { EventView } from '../../site/events/event-view.tsx'
import { eventWords } from '../../text/events.ts'
import { summaryOf } from '../../ui/rich-text.tsx'
import { listPage } from '../calendar-lists.ts'
import { textLanguage } from '../calendar-parts.tsx'
import type { Desk, SitePage } from '../console.ts'
import { htmlOfLines } from '../rich-field.tsx'
import { readEvent } from './event-actions.ts'
import { findImage } from './event-choices.ts'
import { datesOf, type EventInput, inputFrom, newInput } from './event-input.ts'

/** What is saved, as the public page shows it or will. */
export async function previewOfSaved(desk: Desk): Promise<SitePage> {
  const language = textLanguage(desk)
  const { event } = await readEvent(desk, language)
  return previewPage(desk, event, language, withQuery(`/admin/events/${event.id}`, { lang: language }))
}

/** What is in the form, saved or not. */
export async function previewOfForm(desk: Desk): Promise<SitePage> {
  const language = textLanguage(desk)
  const event = await eventIn(desk, inputFrom(desk), language)
  return previewPage(desk, event, language, undefined)
}

function previewPage(desk: Desk, event: CalendarEvent, language: Language, back: string | undefined): SitePage {
  const words = eventWords[desk.language].preview
  return {
    language,
    sitePage: {
      title: `${words.title}: ${event.title}`,
      menu: 'calendar',
      noindex: true,
      twins: {},
      body: (
        <>
          <p class="notice warn no-print" lang={desk.language}>
            <strong>{words.bar}</strong> {back === undefined ? words.unsaved : <a href={back}>{words.edit}</a>}
          </p>
          <EventView
            visit={{ ...desk, language }}
            event={event}
            address={desk.origin + pathTo('event', language, event.slug)}
            description={summaryOf(event.excerpt || event.description)}
            around={{ previous: undefined, next: undefined, moreHere: [] }}
            isProtected={false}
          />
        </>
      )
    }
  }
}

/** The event that saving the form would make, as far as can be told without saving it. */
async function eventIn(desk: Desk, input: EventInput, language: Language): Promise<CalendarEvent> {
  const { api } = desk
  const named = async <Item,>(collection: 'venues' | 'organizers' | 'categories' | 'tags', ids: string[]) =>
    ids.length === 0
      ? []
      : (
          await listPage<Item>(
            api,
            collection,
            { language, include: ids.slice(0, 50).join(','), hide_empty: false },
            1,
            50
          )
        ).items
  const venueIds = input.newVenue.venue === '' && /^\d{1,15}$/.test(input.venue) ? [input.venue] : []
  const [venues, organizers, categories, tags, image] = await Promise.all([
    named<Venue>('venues', [...venueIds, ...input.alsoAt]),
    named<Organizer>('organizers', input.organizers),
    named<Term>('categories', input.categories),
    named<Term>('tags', input.tags),
    findImage(desk, [], input.image)
  ])
  const times = timesOf(desk, input)
  const text = { language, translations: [language] }
  const madeTerms = (names: string): Term[] =>
    names
      .split(',')
      .map(name => name.trim())
      .filter(name => name !== '')
      .map((name, index) => ({ id: index, name, slug: '', count: 0, ...text }))
  const made = { id: 0, slug: '', url: '', status: 'publish', ...text }
  const url = desk.origin + calendarPath
  return {
    id: Number(desk.params.id ?? 0),
    author: '',
    status: 'draft',
    date: '',
    modified: '',
    url,
    title: input.title === '' ? eventWords[desk.language].preview.untitled : input.title,
    description: shownHtml(input.description),
    excerpt: shownHtml(htmlOfLines(input.excerpt)),
    slug: input.slug,
    image: image ?? false,
    ...times,
    cost: input.cost,
    website: input.website === '' ? url : input.website,
    show_map: true,
    show_map_link: true,
    hide_from_listings: input.hidden,
    sticky: input.sticky,
    featured: input.featured,
    ticketed: false,
    event_status: isHappening(input.eventStatus) ? input.eventStatus : 'scheduled',
    categories: [...categories, ...madeTerms(input.newCategories)],
    tags: [...tags, ...madeTerms(input.newTags)],
    venue: [...(input.newVenue.venue === '' ? [] : [{ ...made, ...input.newVenue }]), ...venues],
    organizer: [...organizers, ...(input.newOrganizer.organizer === '' ? [] : [{ ...made, ...input.newOrganizer }])],
    ...text
  }
}

const isHappening = (status: string): status is 'scheduled' | 'canceled' | 'postponed' =>
  ['scheduled', 'canceled', 'postponed'].includes(status)

const library = whenNeeded<typeof sanitizeHtml>('sanitize-html')

/** The API cleans a text when it is saved. This one is not saved, and must not be shown as it came either. */
function shownHtml(html: string): string {
  const inParagraphs = /<[a-z]/i.test(html)
    ? html
    : html
        .split(/\n{2,}/)
        .map(text => `<p>${text}</p>`)
        .join('')
  return html === '' ? '' : library()(inParagraphs.slice(0, 400_000), { nestingLimit: 100 })
}

const dayForm = /^\d{4}-\d\d-\d\d$/

/** Days that are still missing are today. */
function timesOf(desk: Desk, input: EventInput) {
  const today = desk.now.toISOString().slice(0, 10)
  const startDate = dayForm.test(input.startDate) ? input.startDate : today
  const endDate = dayForm.test(input.endDate) && input.endDate >= startDate ? input.endDate : startDate
  const timeOf = (time: string) => (/^\d\d:\d\d/.test(time) ? time : newInput(desk).startTime)
  const sound = { ...input, startDate, endDate, startTime: timeOf(input.startTime), endTime: timeOf(input.endTime) }
  const { all_day, start_date, end_date } = datesOf(sound)
  const [start, end] = all_day ? [`${startDate} 00:00:00`, `${endDate} 23:59:59`] : [start_date, end_date]
  const timezone = isZone(input.timezone) ? input.timezone : desk.site.timezone
  return {
    all_day,
    start_date: start,
    end_date: end,
    utc_start_date: utcOf(start, timezone),
    utc_end_date: utcOf(end, timezone),
    timezone,
    timezone_abbr: ''
  }
}

function isZone(name: string): boolean {
  return Intl.supportedValuesOf('timeZone').includes(name)
}

/** What clocks at UTC show when those of the zone show this; close enough for a look at the page. */
function utcOf(local: string, timeZone: string): string {
  const asIfUtc = clock(local).getTime()
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  const offset = clock(format.format(new Date(asIfUtc))).getTime() - asIfUtc
  return new Date(asIfUtc - offset).toISOString().slice(0, 19).replace('T', ' ')
}
