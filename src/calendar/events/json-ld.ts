import { costDetails } from '../cost.ts'
import { textOf } from '../html.ts'
import { imageToWire } from '../media/wire.ts'
import { organizerToWire } from '../organizers/wire.ts'
import { isoWithOffset, toLocal } from '../time.ts'
import { venueToWire } from '../venues/wire.ts'
import type { EventRow } from './queries.ts'
import { eventUrl, type Looking } from './wire.ts'

const statuses = {
  scheduled: 'https://schema.org/EventScheduled',
  canceled: 'https://schema.org/EventCancelled',
  postponed: 'https://schema.org/EventPostponed'
}

/** The event in the words of schema.org, for search engines. */
export function jsonLd(row: EventRow, visit: Looking): object {
  const { site } = visit
  const url = eventUrl(row, visit)
  const view = { site, viewer: visit.viewer, now: visit.now, single: true }
  const venue = row.venues?.[0]
  const organizer = row.organizers?.[0]
  const price = costDetails(row.cost).values[0]
  const offeredSince = new Date(row.publishedAt ?? row.createdAt)
  return {
    '@context': 'http://schema.org',
    '@type': 'Event',
    name: row.title,
    description: textOf(row.excerpt === '' ? row.description : row.excerpt),
    ...(row.image === null ? {} : { image: imageToWire(row.image, site).url }),
    url,
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    eventStatus: statuses[row.eventStatus],
    startDate: isoWithOffset(row.start, row.timezone, new Date(row.startsAt)),
    endDate: isoWithOffset(row.end, row.timezone, new Date(row.endsAt)),
    ...(venue === undefined ? {} : { location: (venueToWire(venue, view) as { json_ld?: object }).json_ld }),
    ...(organizer === undefined
      ? {}
      : { organizer: (organizerToWire(organizer, view) as { json_ld?: object }).json_ld }),
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
            validFrom: isoWithOffset(toLocal(offeredSince, visit.zone), visit.zone, offeredSince)
          }
        }),
    performer: 'Organization'
  }
}
