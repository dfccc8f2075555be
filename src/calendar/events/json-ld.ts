import { toCostDetails } from '../content/cost.ts'
import { toMultilineText } from '../content/html.ts'
import { toImageJson } from '../media/wire.ts'
import { toOrganizerJson } from '../organizers/wire.ts'
import { formatIsoWithOffset, toLocal } from '../time/time.ts'
import { toVenueJson } from '../venues/wire.ts'
import type { EventRow } from './event-row.ts'
import { buildEventUrl, type ViewContext } from './wire.ts'

const schemaOrgStatuses = {
  scheduled: 'https://schema.org/EventScheduled',
  canceled: 'https://schema.org/EventCancelled',
  postponed: 'https://schema.org/EventPostponed'
}

/** The event as schema.org JSON-LD, for search engines. */
export function buildEventJsonLd(row: EventRow, context: ViewContext): object {
  const { site } = context
  const url = buildEventUrl(row, context)
  const view = { site, viewer: context.viewer, now: context.now, single: true }
  const venue = row.venues?.[0]
  const organizer = row.organizers?.[0]
  const price = toCostDetails(row.cost).values[0]
  const offeredSince = new Date(row.publishedAt ?? row.createdAt)
  return {
    '@context': 'http://schema.org',
    '@type': 'Event',
    name: row.title,
    description: toMultilineText(row.excerpt === '' ? row.description : row.excerpt),
    ...(row.image === null ? {} : { image: toImageJson(row.image, site).url }),
    url,
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    eventStatus: schemaOrgStatuses[row.eventStatus],
    startDate: formatIsoWithOffset(row.start, row.timezone, new Date(row.startsAt)),
    endDate: formatIsoWithOffset(row.end, row.timezone, new Date(row.endsAt)),
    ...(venue === undefined ? {} : { location: (toVenueJson(venue, view) as { json_ld?: object }).json_ld }),
    ...(organizer === undefined
      ? {}
      : { organizer: (toOrganizerJson(organizer, view) as { json_ld?: object }).json_ld }),
    ...(price === undefined || !/^\d/.test(price)
      ? {}
      : {
          offers: {
            '@type': 'Offer',
            price,
            priceCurrency: site.settings.currency,
            url,
            category: 'primary',
            availability: 'inStock',
            validFrom: formatIsoWithOffset(toLocal(offeredSince, context.zone), context.zone, offeredSince)
          }
        }),
    performer: 'Organization'
  }
}
