import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { Address, formatAddressLines, MapLinks } from '../../components/map-link.tsx'
import { parseWebAddress } from '../../components/web-link.tsx'
import { isSlug } from '../../format/path-segment.ts'
import { type PageRouter, redirect } from '../../page/page.ts'
import { calendarPath, type Venue } from '../../server/calendar-api.ts'
import { getPath } from '../../server/paths.ts'
import { noFilters, withFilters } from '../calendar/calendar-filter.ts'
import { findPageAddresses } from '../events/alternates.ts'
import { ContactLines } from '../events/event-facts.tsx'
import { cleanJsonLd } from '../events/event-json-ld.ts'
import { loadBySlug } from '../events/load-by-slug.ts'
import { loadListing } from './listing.tsx'
import { buildListingPage } from './listing-page.tsx'

/** Kilometres around a venue. */
const nearbyWithin = '5'

/** Events at other venues nearby, which is what a map of all venues would be for. */
function NearbyLink({ language, venue: { geo_lat, geo_lng } }: { language: Language; venue: Venue }) {
  if (geo_lat === undefined || geo_lng === undefined) return null
  const filters = { ...noFilters, near: `${geo_lat},${geo_lng}`, within: nearbyWithin }
  return (
    <p>
      <a href={withFilters(getPath('list', language), filters)} rel="nofollow">
        {getMessages('event', language).nearby}
      </a>
    </p>
  )
}

export function registerVenueRoutes(pages: PageRouter): void {
  pages.add('venue', async context => {
    const { language, params, origin } = context
    const venue = await loadBySlug<Venue & { json_ld?: object }>(context, `${calendarPath}/venues`)
    if (!isSlug(params.slug, venue.slug)) return redirect(getPath('venue', language, venue.slug), 301)
    const [addresses, listing] = await Promise.all([
      findPageAddresses(context, 'venue', 'venues', venue),
      loadListing(context, { venue: venue.id })
    ])
    const isKnown =
      formatAddressLines(language, venue).length > 0 || venue.phone || parseWebAddress(venue.website) !== undefined
    return buildListingPage(context, {
      kind: 'venue',
      name: venue.venue,
      language: venue.language,
      description: venue.description,
      image: venue.image,
      addresses,
      listing,
      feed: { venue: venue.id },
      filter: { venue: venue.id },
      jsonLd: { ...cleanJsonLd(venue.json_ld ?? {}), '@type': 'Place', name: venue.venue, url: origin + addresses.own },
      facts: isKnown ? (
        <>
          <h2 class="visually-hidden">{getMessages('event', language).address}</h2>
          <Address language={language} venue={venue} />
          <MapLinks language={language} venue={venue} />
          <NearbyLink language={language} venue={venue} />
          <ContactLines context={context} of={venue} />
        </>
      ) : undefined
    })
  })
}
