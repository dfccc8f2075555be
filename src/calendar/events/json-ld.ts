import { toCostDetails } from '../content/cost.ts'
import { toMultilineText } from '../content/html.ts'
import type { EventJson } from '../contract/shapes.ts'
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
export function buildEventJsonLd(row: EventRow, context: ViewContext): NonNullable<EventJson['json_ld']> {
  const { site } = context
  const url = buildEventUrl(row, context)
  const view = { site, viewer: context.viewer, now: context.now, single: true }
  const [venue] = row.venues
  const place = venue === undefined ? undefined : toVenueJson(venue, view).json_ld
  const [organizer] = row.organizers
  const person = organizer === undefined ? undefined : toOrganizerJson(organizer, view).json_ld
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
    ...(place === undefined ? {} : { location: place }),
    ...(person === undefined ? {} : { organizer: person }),
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
