import { toMultilineText } from '#platform/rich-text/html.ts'
import { toCostDetails } from '../content/cost.ts'
import type { EventJson } from '../contract/shapes.ts'
import { isUnlocked } from '../linked-posts/wire.ts'
import { toImageJson } from '../media/wire.ts'
import { buildPersonJsonLd } from '../organizers/wire.ts'
import { formatInstant, formatIsoWithOffset } from '../time/time.ts'
import { buildPlaceJsonLd } from '../venues/wire.ts'
import type { EventRow } from './event-row.ts'
import { buildEventUrl, type ViewContext } from './wire.ts'

const schemaOrgStatuses = {
  scheduled: 'https://schema.org/EventScheduled',
  canceled: 'https://schema.org/EventCancelled',
  postponed: 'https://schema.org/EventPostponed'
}

/** The event as schema.org JSON-LD, for search engines. Sets members one by one, as in linked-posts/wire.ts. */
export function buildEventJsonLd(row: EventRow, context: ViewContext): NonNullable<EventJson['json_ld']> {
  const { site, viewer, now, zone } = context
  const url = buildEventUrl(row, context)
  const data: Record<string, unknown> = {
    '@context': 'http://schema.org',
    '@type': 'Event',
    name: row.title,
    description: toMultilineText(row.excerpt === '' ? row.description : row.excerpt)
  }
  if (row.image !== null) data.image = toImageJson(row.image, site).url
  data.url = url
  data.eventAttendanceMode = 'https://schema.org/OfflineEventAttendanceMode'
  data.eventStatus = schemaOrgStatuses[row.eventStatus]
  data.startDate = formatIsoWithOffset(row.start, row.timezone, new Date(row.startsAt))
  data.endDate = formatIsoWithOffset(row.end, row.timezone, new Date(row.endsAt))
  const view = { site, viewer, now }
  const [venue] = row.venues
  if (venue !== undefined && isUnlocked(venue, view)) data.location = buildPlaceJsonLd(venue)
  const [organizer] = row.organizers
  if (organizer !== undefined && isUnlocked(organizer, view)) data.organizer = buildPersonJsonLd(organizer)
  const price = toCostDetails(row.cost).values[0]
  if (price !== undefined && /^\d/.test(price)) {
    data.offers = {
      '@type': 'Offer',
      price,
      priceCurrency: site.settings.currency,
      url,
      category: 'primary',
      availability: 'inStock',
      validFrom: formatInstant(new Date(row.publishedAt ?? row.createdAt), zone)
    }
  }
  data.performer = 'Organization'
  return data as NonNullable<EventJson['json_ld']>
}
