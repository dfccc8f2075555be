import { getMessages } from '#platform/messages/messages.ts'
import { parseWebAddress } from '../../components/web-link.tsx'
import { isSlug } from '../../format/path-segment.ts'
import { type PageRouter, redirect } from '../../page/page.ts'
import { calendarPath, type Organizer } from '../../server/calendar-api.ts'
import { getPath } from '../../server/paths.ts'
import { findPageAddresses } from '../events/alternates.ts'
import { ContactLines } from '../events/event-facts.tsx'
import { cleanJsonLd } from '../events/event-json-ld.ts'
import { loadBySlug } from '../events/load-by-slug.ts'
import { loadListing } from './listing.tsx'
import { buildListingPage } from './listing-page.tsx'

export function registerOrganizerRoutes(pages: PageRouter): void {
  pages.add('organizer', async context => {
    const { language, params, origin } = context
    const organizer = await loadBySlug<Organizer & { json_ld?: object }>(context, `${calendarPath}/organizers`)
    if (!isSlug(params.slug, organizer.slug)) return redirect(getPath('organizer', language, organizer.slug), 301)
    const [addresses, listing] = await Promise.all([
      findPageAddresses(context, 'organizer', 'organizers', organizer),
      loadListing(context, { organizer: organizer.id })
    ])
    const data = cleanJsonLd(organizer.json_ld ?? {})
    const isKnown = organizer.phone || organizer.email || parseWebAddress(organizer.website) !== undefined
    return buildListingPage(context, {
      kind: 'organizer',
      name: organizer.organizer,
      language: organizer.language,
      description: organizer.description,
      image: organizer.image,
      addresses,
      listing,
      feed: { organizer: organizer.id },
      filter: { organizer: organizer.id },
      jsonLd: { ...data, '@type': 'Organization', name: organizer.organizer, url: origin + addresses.own },
      facts: isKnown ? (
        <>
          <h2>{getMessages('event', language).contact}</h2>
          <ContactLines context={context} of={organizer} />
        </>
      ) : undefined
    })
  })
}
