import type { ComponentChildren } from 'preact'
import { getMessages } from '#platform/messages/messages.ts'
import { getLangAttribute } from '../../components/event-lines.tsx'
import { MailLink } from '../../components/mail-link.tsx'
import { Address, MapLinks } from '../../components/map-link.tsx'
import { parseWebAddress, WebLink } from '../../components/web-link.tsx'
import { getDirAttribute } from '../../format/direction.ts'
import type { Organizer, Venue } from '../../server/calendar-api.ts'
import type { PageContext } from '../../server/context.ts'
import { getPath } from '../../server/paths.ts'

export function VenueBlock({ context, venue }: { context: PageContext; venue: Venue }) {
  return (
    <div class="p-location h-card">
      <p class="place-name">
        <a
          class="p-name u-url"
          href={getPath('venue', context.language, venue.slug)}
          lang={getLangAttribute(context, venue.language)}
          dir={getDirAttribute(venue.venue)}
        >
          {venue.venue}
        </a>
      </p>
      <Address language={context.language} venue={venue} />
      <MapLinks language={context.language} venue={venue} />
    </div>
  )
}

export function Organizers({ context, organizers }: { context: PageContext; organizers: Organizer[] }) {
  const strings = getMessages('event', context.language)
  if (organizers.length === 0) return null
  return (
    <section class="event-organizers">
      <h2>{organizers.length === 1 ? strings.organizer : strings.organizers}</h2>
      <ul class="plain-list organizer-cards">
        {organizers.map(one => (
          <li key={one.id} class="card p-organizer h-card">
            <p class="place-name">
              <a
                class="p-name u-url"
                href={getPath('organizer', context.language, one.slug)}
                lang={getLangAttribute(context, one.language)}
                dir={getDirAttribute(one.organizer)}
              >
                {one.organizer}
              </a>
            </p>
            <ContactLines context={context} of={one} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Phone, e-mail and website, as far as they exist. */
export function ContactLines({
  context,
  of
}: {
  context: PageContext
  of: { phone?: string; email?: string; website?: string }
}) {
  const strings = getMessages('event', context.language)
  const { phone, email, website } = of
  const site = parseWebAddress(website)
  if (!phone && !email && site === undefined) return null
  return (
    <dl class="contact">
      {phone ? (
        <Fact name={strings.phone}>
          <a class="p-tel" href={`tel:${phone.replace(/[^\d+]/g, '')}`}>
            {phone}
          </a>
        </Fact>
      ) : null}
      {email ? (
        <Fact name={strings.email}>
          <MailLink address={email} />
        </Fact>
      ) : null}
      {site === undefined ? null : (
        <Fact name={strings.website}>
          <WebLink address={site.href} />
        </Fact>
      )}
    </dl>
  )
}

export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
