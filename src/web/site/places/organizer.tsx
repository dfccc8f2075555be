import { calendarPath, type Organizer } from '../../calendar-api.ts'
import { type Pages, redirect } from '../../page.ts'
import { pathTo } from '../../paths.ts'
import { eventWords } from '../../text/event.ts'
import { webAddress } from '../../ui/web-link.tsx'
import { cleaned } from '../events/event-data.ts'
import { ContactLines } from '../events/event-view.tsx'
import { readBySlug } from '../events/reading.ts'
import { addressesOf } from '../events/twins.ts'
import { listingOf } from './listing.tsx'
import { placePage } from './place-page.tsx'

export function organizerPages(pages: Pages): void {
  pages.add('organizer', async visit => {
    const { language, params, origin } = visit
    const slug = params.slug ?? ''
    const organizer = await readBySlug<Organizer & { json_ld?: object }>(visit, `${calendarPath}/organizers`)
    if (organizer.slug !== slug) return redirect(pathTo('organizer', language, organizer.slug), 301)
    const [addresses, listing] = await Promise.all([
      addressesOf(visit, 'organizer', 'organizers', organizer),
      listingOf(visit, { organizer: organizer.id })
    ])
    const data = cleaned(organizer.json_ld ?? {})
    const isKnown = organizer.phone || organizer.email || webAddress(organizer.website) !== undefined
    return placePage(visit, {
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
          <h2>{eventWords[language].contact}</h2>
          <ContactLines visit={visit} of={organizer} />
        </>
      ) : undefined
    })
  })
}
