import { calendarPath, type Venue } from '../../calendar-api.ts'
import { type Pages, redirect } from '../../page.ts'
import { pathTo } from '../../paths.ts'
import { eventWords } from '../../text/event.ts'
import { Address, addressLines, MapLinks } from '../../ui/map-link.tsx'
import { webAddress } from '../../ui/web-link.tsx'
import { cleaned } from '../events/event-data.ts'
import { ContactLines } from '../events/event-view.tsx'
import { readBySlug } from '../events/reading.ts'
import { addressesOf } from '../events/twins.ts'
import { listingOf } from './listing.tsx'
import { placePage } from './place-page.tsx'

export function venuePages(pages: Pages): void {
  pages.add('venue', async visit => {
    const { language, params, origin } = visit
    const slug = params.slug ?? ''
    const venue = await readBySlug<Venue & { json_ld?: object }>(visit, `${calendarPath}/venues`)
    if (venue.slug !== slug) return redirect(pathTo('venue', language, venue.slug), 301)
    const [addresses, listing] = await Promise.all([
      addressesOf(visit, 'venue', 'venues', venue),
      listingOf(visit, { venue: venue.id })
    ])
    const isKnown = addressLines(venue).length > 0 || venue.phone || webAddress(venue.website) !== undefined
    return placePage(visit, {
      kind: 'venue',
      name: venue.venue,
      language: venue.language,
      description: venue.description,
      image: venue.image,
      addresses,
      listing,
      feed: { venue: venue.id },
      filter: { venue: venue.id },
      jsonLd: { ...cleaned(venue.json_ld ?? {}), '@type': 'Place', name: venue.venue, url: origin + addresses.own },
      facts: isKnown ? (
        <>
          <h2 class="visually-hidden">{eventWords[language].address}</h2>
          <Address venue={venue} />
          <MapLinks language={language} venue={venue} />
          <ContactLines visit={visit} of={venue} />
        </>
      ) : undefined
    })
  })
}
