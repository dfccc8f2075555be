import { encodePathSegment } from '../../format/path-segment.ts'
import {
  chooseLanguage,
  createElement,
  createHeading,
  createLink,
  getLocale,
  type Language,
  type Site,
  type WidgetContext
} from './element.ts'

/** Fields of an event that the widget reads. */
interface Event {
  title: string
  slug: string
  all_day: boolean | null
  start_date: string
  end_date: string
  timezone: string
  timezone_abbr: string
  event_status: 'scheduled' | 'canceled' | 'postponed'
  venue: Venue | Venue[]
  language: Language
}

interface Venue {
  venue?: string
  city?: string
}

const strings = {
  en: { path: '/en/event/', canceled: 'Cancelled', postponed: 'Postponed', none: 'No upcoming events.' },
  de: { path: '/de/termin/', canceled: 'Abgesagt', postponed: 'Verschoben', none: 'Keine kommenden Termine.' }
}

/** `<kalends-events>`: current and upcoming events. */
export async function showEvents(showing: WidgetContext): Promise<Node[]> {
  const { getAttribute, get } = showing
  const filters = Object.fromEntries(
    ['categories', 'tags', 'venue', 'organizer', 'search'].map(name => [name, getAttribute(name)])
  )
  const [{ events }, site] = await Promise.all([
    get<{ events: Event[] }>('/calendar/events/v1/events', {
      ...filters,
      featured: showing.hasAttribute('featured') ? 'true' : '',
      ends_after: 'now',
      per_page: String(Math.min(Math.max(Number.parseInt(getAttribute('max'), 10) || 5, 1), 50)),
      language: showing.language
    }),
    showing.site
  ])
  const language = chooseLanguage(site, showing.language)
  const list = createElement('ul', 'list', ...events.map(event => renderEvent(showing, site, language, event)))
  list.lang = language
  if (getAttribute('view') === 'compact') list.className = 'compact'
  // Safari does not treat a list without bullets as a list.
  list.setAttribute('role', 'list')
  if (events.length > 0) return [list]
  const none = createElement('p', 'empty', strings[language].none)
  none.lang = language
  return [none]
}

function renderEvent(showing: WidgetContext, site: Site, language: Language, event: Event): Node {
  const isCompact = showing.getAttribute('view') === 'compact'
  const title = createLink(showing.base + strings[language].path + encodePathSegment(event.slug), 'link', event.title)
  if (event.language !== language) title.lang = event.language
  const marks =
    event.event_status === 'scheduled'
      ? []
      : [createElement('strong', 'status', strings[language][event.event_status]), ' ']
  const place = getPlace(event)
  return createElement(
    'li',
    'event',
    isCompact ? createElement('span', 'title', title) : createHeading(showing, title),
    createElement('p', 'date', ...marks, renderTime(language, site, event, isCompact)),
    ...(place === '' || isCompact ? [] : [createElement('p', 'place', place)])
  )
}

function getPlace({ venue }: Event): string {
  const [first = {}] = [venue].flat()
  return [first.venue, first.city].filter(Boolean).join(', ')
}

/** Local time of the event; names its time zone if it differs from the site's. */
function renderTime(language: Language, site: Site, event: Event, isCompact: boolean): HTMLElement {
  // Parsed as UTC, so that no time zone shifts it. An end at midnight belongs to the day before.
  const [start = 0, end = 0] = [event.start_date, event.end_date].map(text => Date.parse(`${text.replace(' ', 'T')}Z`))
  const last = event.end_date.endsWith('00:00:00') && end > start ? end - 1 : end
  const format = new Intl.DateTimeFormat(getLocale(language), {
    timeZone: 'UTC',
    weekday: 'short',
    day: 'numeric',
    month: isCompact ? 'short' : 'long',
    ...(isCompact ? {} : { year: 'numeric' }),
    ...(event.all_day === true ? {} : { hour: '2-digit', minute: '2-digit' })
  })
  const isElsewhere = event.timezone !== site.timezone && event.all_day !== true
  const zone = isElsewhere ? ` (${event.timezone_abbr || event.timezone})` : ''
  const made = createElement('time', '', format.formatRange(start, last) + zone) as HTMLTimeElement
  made.dateTime = event.start_date.replace(' ', 'T')
  return made
}
