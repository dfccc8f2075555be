import { atomType, escapeXml, type FeedImage, type FeedItem, rssType, toAtom, toRss } from '#platform/http/feed-xml.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { cutBeforeHeading, getPlaceName } from '../../components/event-card.tsx'
import { formatEventStatus } from '../../components/event-marks.tsx'
import { buildTagUri, getImageType } from '../../format/feed-item.ts'
import { parseClock } from '../../format/format.ts'
import { toPlainText, truncateText } from '../../format/plain-text.ts'
import type { RawPage } from '../../page/page.ts'
import { ApiError } from '../../server/api-client.ts'
import { type CalendarEvent, calendarPath, type EventList, type Image } from '../../server/calendar-api.ts'
import type { PageContext } from '../../server/context.ts'
import { getPath, type PageName } from '../../server/paths.ts'
import { listActiveFilters } from '../calendar/active-filters.ts'
import {
  ignoreUnknownFilter,
  isFiltered,
  listFilterChoices,
  toApiQuery,
  withFilters
} from '../calendar/calendar-filter.ts'
import { parseFeedFilters, withFeedFilters } from '../calendar/feed-filter.ts'
import { formatWhen, formatZone } from '../events/event-time.ts'

/** Page size limit of the calendar API. */
const itemsMax = 50
const summaryLength = 400

/** Upcoming events, latest publication first, so that new items are on top in feed readers. */
export async function buildEventFeed(context: PageContext, form: 'rss' | 'atom'): Promise<RawPage> {
  const { api, language, site, origin, now } = context
  const strings = getMessages('feed', language).news
  const filters = parseFeedFilters(context)
  const query = {
    ...toApiQuery(filters),
    language,
    ends_after: 'now',
    orderby: 'date',
    order: 'desc',
    per_page: itemsMax
  }
  const [found, names] = await Promise.all([
    ignoreUnknownFilter(api.get<EventList>(`${calendarPath}/events`, query)),
    isFiltered(filters)
      ? listFilterChoices(context, filters).then(choices =>
          listActiveFilters({ language, currency: site.currency }, filters, choices).map(({ name }) => name)
        )
      : []
  ])
  if (found === undefined) throw new ApiError(404, 'no-such-filter')
  const title = strings.events({ organisation: site.name })
  const place: PageName = form === 'rss' ? 'eventsRss' : 'eventsAtom'
  const news = {
    title: names.length === 0 ? title : `${title} (${names.join(', ')})`,
    description: strings.eventsText,
    language,
    page: origin + withFilters(getPath('list', language), filters),
    self: origin + withFeedFilters(getPath(place, language), filters),
    id: buildTagUri(context, withFeedFilters('events', filters)),
    publisher: site.name,
    items: found.events.map(event => toFeedItem(context, event)),
    emptySince: new Date(now.toISOString().slice(0, 10))
  }
  return form === 'rss' ? { type: rssType, text: toRss(news) } : { type: atomType, text: toAtom(news) }
}

type Dated = CalendarEvent & { date_utc: string; modified_utc: string }

function toFeedItem(context: PageContext, given: CalendarEvent): FeedItem {
  const { language, origin } = context
  const event = given as Dated
  const status = formatEventStatus(language, event)
  return {
    id: buildTagUri(context, `event/${event.id}`),
    title: status === '' ? event.title : `${status}: ${event.title}`,
    page: origin + getPath('event', language, event.slug),
    publishedAt: parseClock(event.date_utc),
    updatedAt: parseClock(event.modified_utc),
    summary: buildSummary(context, event),
    categories: event.categories.map(({ name }) => name),
    image: event.image === false ? undefined : toFeedImage(event.image)
  }
}

/** Time and place, then the beginning of the description. */
function buildSummary(context: PageContext, event: CalendarEvent): string {
  const when = `<strong>${escapeXml(formatWhen(context.language, event))}</strong>`
  const facts = [when, formatZone(context, event), getPlaceName(event)].flatMap((fact = '', place) =>
    fact === '' ? [] : [place === 0 ? fact : escapeXml(fact)]
  )
  const text = truncateText(toPlainText(event.excerpt || cutBeforeHeading(event.description)), summaryLength)
  return `<p>${facts.join('<br>')}</p>${text === '' ? '' : `<p>${escapeXml(text)}</p>`}`
}

type Measured = Image & { filesize?: number }

function toFeedImage(image: Measured): FeedImage {
  return { url: image.url, type: getImageType(image.url), bytes: image.filesize ?? 0 }
}
