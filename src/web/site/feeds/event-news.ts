import { Refused } from '../../api.ts'
import { type CalendarEvent, calendarPath, type EventList, type Image } from '../../calendar-api.ts'
import { clock } from '../../format.ts'
import type { Written } from '../../page.ts'
import { type Place, pathTo } from '../../paths.ts'
import { beginning, plainText } from '../../plain-text.ts'
import { feedWords } from '../../text/feeds.ts'
import { openingOf, placeName } from '../../ui/event-card.tsx'
import { statusWord } from '../../ui/event-marks.tsx'
import type { Visit } from '../../visit.ts'
import { asked, choicesFor, filterNames, isFiltered, unlessUnknown, withFilters } from '../calendar/calendar-filter.ts'
import { whenText, zoneText } from '../events/event-time.ts'
import { feedFiltersIn, narrowed } from './feed-filter.ts'
import { atomOf, atomType, type NewsImage, type NewsItem, rssOf, rssType, xml } from './news-xml.ts'

/** As many as a list of the calendar has at once. */
const itemsMax = 50
const summaryLength = 400

/** Events to come, those published last first: what a feed reader has not seen yet stands on top. */
export async function eventNews(visit: Visit, form: 'rss' | 'atom'): Promise<Written> {
  const { api, language, site, origin, now } = visit
  const words = feedWords[language].news
  const filters = feedFiltersIn(visit)
  const query = { ...asked(filters), language, ends_after: 'now', orderby: 'date', order: 'desc', per_page: itemsMax }
  const [found, names] = await Promise.all([
    unlessUnknown(api.get<EventList>(`${calendarPath}/events`, query)),
    isFiltered(filters) ? choicesFor(visit, filters).then(choices => filterNames(language, filters, choices)) : []
  ])
  if (found === undefined) throw new Refused(404, 'no-such-filter', '', {})
  const title = words.events(site.name)
  const place: Place = form === 'rss' ? 'eventsRss' : 'eventsAtom'
  const news = {
    title: names.length === 0 ? title : `${title} (${names.join(', ')})`,
    description: words.eventsText,
    language,
    page: origin + withFilters(pathTo('list', language), filters),
    self: origin + narrowed(pathTo(place, language), filters),
    id: tagOf(visit, narrowed('events', filters)),
    publisher: site.name,
    items: found.events.map(event => itemOf(visit, event)),
    emptySince: new Date(now.toISOString().slice(0, 10))
  }
  return form === 'rss' ? { type: rssType, text: rssOf(news) } : { type: atomType, text: atomOf(news) }
}

/** A name for ever (RFC 4151): of this host, in one language. */
export function tagOf({ origin, language }: Pick<Visit, 'origin' | 'language'>, thing: string): string {
  return `tag:${new URL(origin).hostname},2026:${language}/${thing}`
}

type Dated = CalendarEvent & { date_utc: string; modified_utc: string }

function itemOf(visit: Visit, given: CalendarEvent): NewsItem {
  const { language, origin } = visit
  const event = given as Dated
  const status = statusWord(language, event)
  return {
    id: tagOf(visit, `event/${event.id}`),
    title: status === '' ? event.title : `${status}: ${event.title}`,
    page: origin + pathTo('event', language, event.slug),
    publishedAt: clock(event.date_utc),
    updatedAt: clock(event.modified_utc),
    summary: summaryOf(visit, event),
    categories: event.categories.map(({ name }) => name),
    image: event.image === false ? undefined : imageOf(event.image)
  }
}

/** When and where, then the beginning of what it is about. */
function summaryOf(visit: Visit, event: CalendarEvent): string {
  const when = `<strong>${xml(whenText(visit.language, event))}</strong>`
  const facts = [when, zoneText(visit, event), placeName(event)].flatMap((fact = '', place) =>
    fact === '' ? [] : [place === 0 ? fact : xml(fact)]
  )
  const text = beginning(plainText(event.excerpt || openingOf(event.description)), summaryLength)
  return `<p>${facts.join('<br>')}</p>${text === '' ? '' : `<p>${xml(text)}</p>`}`
}

const types: Record<string, string> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
  svg: 'image/svg+xml'
}

/** By its ending, as readers of feeds want to know before they fetch it. */
export function imageType(url: string): string {
  const ending = /\.(\w{3,4})(?:[?#]|$)/.exec(url.slice(-300))?.[1]?.toLowerCase()
  return types[ending ?? ''] ?? 'image/jpeg'
}

type Measured = Image & { filesize?: number }

function imageOf(image: Measured): NewsImage {
  return { url: image.url, type: imageType(image.url), bytes: image.filesize ?? 0 }
}
