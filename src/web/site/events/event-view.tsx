import type { ComponentChildren, JSX } from 'preact'
import { type CalendarEvent, hueOf, type Organizer, type Term, type Venue, venuesOf } from '../../calendar-api.ts'
import { pathTo } from '../../paths.ts'
import { eventWords } from '../../text/event.ts'
import { frameWords } from '../../text/frame.ts'
import { AddToCalendar } from '../../ui/add-to-calendar.tsx'
import { DateLeaf } from '../../ui/date-leaf.tsx'
import { EventLines, langOf } from '../../ui/event-lines.tsx'
import { MailLink } from '../../ui/mail-link.tsx'
import { Address, addressLines, MapLinks } from '../../ui/map-link.tsx'
import { Picture } from '../../ui/picture.tsx'
import { RichText } from '../../ui/rich-text.tsx'
import { Title } from '../../ui/title.tsx'
import { WebLink, webAddress } from '../../ui/web-link.tsx'
import type { Visit } from '../../visit.ts'
import { costOf, isOver, machineTime, stateOf, whenOf, zoneText } from './event-time.ts'

/** Other events that somebody who looks at this one may want. */
export interface Surroundings {
  previous: CalendarEvent | undefined
  next: CalendarEvent | undefined
  moreHere: CalendarEvent[]
}

interface Shown {
  visit: Visit
  event: CalendarEvent
}

export function EventView({
  visit,
  event,
  address,
  description,
  around,
  isProtected
}: Shown & { address: string; description: string; around: Surroundings; isProtected: boolean }) {
  const { language, now } = visit
  const words = eventWords[language]
  const place = venuesOf(event)[0]
  const lang = langOf(visit, event.language)
  const facts = factsOf(visit, event)
  const state = stateOf(event, now)
  const isWorthNoting = state === 'ahead' || state === 'running'
  return (
    <article class={isOver(event, now) ? 'h-event event-page past' : 'h-event event-page'}>
      <a class="u-url" href={address} hidden>
        {event.title}
      </a>
      <header class="event-head">
        <DateLeaf language={language} date={event.start_date} />
        <div>
          {event.featured === true ? <p class="eyebrow">{words.featured}</p> : null}
          <Title text={event.title} lang={lang} className="p-name" />
          <WhenLine visit={visit} event={event} />
        </div>
      </header>
      <StateNotice visit={visit} event={event} />
      <div class={facts === null && !isWorthNoting ? 'event-columns' : 'event-columns with-facts'}>
        {facts === null && !isWorthNoting ? null : (
          <section class="event-facts card" aria-label={words.facts}>
            {facts}
            {isWorthNoting ? (
              <AddToCalendar
                language={language}
                event={event}
                address={address}
                place={place === undefined ? '' : [place.venue, ...addressLines(place)].join(', ')}
                text={description}
                isProtected={isProtected}
              />
            ) : null}
          </section>
        )}
        <div class="event-story">
          {lang === undefined ? null : <p class="other-language">{words.onlyOther}</p>}
          {event.image === false ? null : (
            <Picture
              image={event.image}
              sizes="(min-width: 60rem) 44rem, calc(100vw - 2rem)"
              className="event-picture u-photo"
            />
          )}
          {event.description === '' ? null : <RichText html={event.description} lang={lang} className="e-content" />}
          <Chips visit={visit} event={event} />
          <Organizers visit={visit} organizers={event.organizer} />
        </div>
      </div>
      {around.moreHere.length === 0 ? null : (
        <section class="event-more">
          <h2>{words.moreHere}</h2>
          <EventLines visit={visit} events={around.moreHere} />
        </section>
      )}
      <Neighbours visit={visit} around={around} />
    </article>
  )
}

function WhenLine({ visit, event }: Shown) {
  const { start, end, between, after } = whenOf(visit.language, event)
  const zone = zoneText(visit, event)
  const machine = (local: string, utc: string) => machineTime(local, utc, event.all_day)
  return (
    <>
      <p class="event-when">
        <time class="dt-start" dateTime={machine(event.start_date, event.utc_start_date)}>
          {start}
        </time>
        {end === undefined ? null : (
          <>
            {between}
            <time class="dt-end" dateTime={machine(event.end_date, event.utc_end_date)}>
              {end}
            </time>
          </>
        )}
        {after}
      </p>
      {zone === undefined ? null : <p class="event-zone">{zone}</p>}
    </>
  )
}

const looks = { canceled: 'bad', postponed: 'warn', past: '', running: 'good', ahead: '' }

function StateNotice({ visit, event }: Shown) {
  const { language, now } = visit
  const state = stateOf(event, now)
  if (state === 'ahead') return null
  const { title, text } = eventWords[language][state]
  return (
    <p class={`notice ${looks[state]}`}>
      <strong>{title}</strong> {text}
      {state === 'past' ? (
        <>
          {' '}
          <a href={pathTo('calendar', language)}>{frameWords[language].toCalendar}</a>
        </>
      ) : null}
    </p>
  )
}

/** Null where nothing is known. */
function factsOf(visit: Visit, event: CalendarEvent): JSX.Element | null {
  const { language, site } = visit
  const words = eventWords[language]
  const cost = costOf(language, site.currency, event)
  // Without a website of its own the API names the page of the event, which is this one.
  const website = event.website === event.url ? undefined : webAddress(event.website)
  const venues = venuesOf(event)
  if (venues.length === 0 && cost === '' && website === undefined) return null
  return (
    <dl class="facts">
      {venues.length === 0 ? null : (
        <Fact name={words.where}>
          {venues.map(venue => (
            <Place key={venue.id} visit={visit} venue={venue} />
          ))}
        </Fact>
      )}
      {cost === '' ? null : <Fact name={words.cost}>{cost}</Fact>}
      {website === undefined ? null : (
        <Fact name={words.website}>
          <WebLink address={website.href} />
        </Fact>
      )}
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Place({ visit, venue }: { visit: Visit; venue: Venue }) {
  return (
    <div class="p-location h-card">
      <p class="place-name">
        <a class="p-name u-url" href={pathTo('venue', visit.language, venue.slug)} lang={langOf(visit, venue.language)}>
          {venue.venue}
        </a>
      </p>
      <Address venue={venue} />
      <MapLinks language={visit.language} venue={venue} />
    </div>
  )
}

function Chips({ visit, event }: Shown) {
  const { language } = visit
  const words = eventWords[language]
  if (event.categories.length + event.tags.length === 0) return null
  const chip = (place: 'category' | 'tag', term: Term) => (
    <li key={`${place}${term.id}`}>
      <a
        class={`chip p-category ${place === 'category' ? hueOf(term.id) : ''}`}
        href={pathTo(place, language, term.slug)}
        rel="tag"
      >
        {place === 'category' ? <span class="dot" aria-hidden="true" /> : <span aria-hidden="true">#</span>}
        {term.name}
      </a>
    </li>
  )
  return (
    <ul class="chips event-chips" aria-label={words.filedUnder}>
      {event.categories.map(term => chip('category', term))}
      {event.tags.map(term => chip('tag', term))}
    </ul>
  )
}

function Organizers({ visit, organizers }: { visit: Visit; organizers: Organizer[] }) {
  const words = eventWords[visit.language]
  if (organizers.length === 0) return null
  return (
    <section class="event-organizers">
      <h2>{organizers.length === 1 ? words.organizer : words.organizers}</h2>
      <ul class="plain-list organizer-cards">
        {organizers.map(one => (
          <li key={one.id} class="card p-organizer h-card">
            <p class="place-name">
              <a
                class="p-name u-url"
                href={pathTo('organizer', visit.language, one.slug)}
                lang={langOf(visit, one.language)}
              >
                {one.organizer}
              </a>
            </p>
            <ContactLines visit={visit} of={one} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Phone, mail and website of somebody, as far as they have them. */
export function ContactLines({
  visit,
  of
}: {
  visit: Visit
  of: { phone?: string; email?: string; website?: string }
}) {
  const words = eventWords[visit.language]
  const { phone, email, website } = of
  const site = webAddress(website)
  if (!phone && !email && site === undefined) return null
  return (
    <dl class="contact">
      {phone ? (
        <Fact name={words.phone}>
          <a class="p-tel" href={`tel:${phone.replace(/[^\d+]/g, '')}`}>
            {phone}
          </a>
        </Fact>
      ) : null}
      {email ? (
        <Fact name={words.email}>
          <MailLink address={email} />
        </Fact>
      ) : null}
      {site === undefined ? null : (
        <Fact name={words.website}>
          <WebLink address={site.href} />
        </Fact>
      )}
    </dl>
  )
}

function Neighbours({ visit, around }: { visit: Visit; around: Surroundings }) {
  const { language } = visit
  const words = eventWords[language]
  const { previous, next } = around
  if (previous === undefined && next === undefined) return null
  const link = (event: CalendarEvent, label: string, side: 'prev' | 'next') => (
    <a class={`neighbour ${side}`} href={pathTo('event', language, event.slug)} rel={side}>
      <span class="neighbour-label">{label}</span>
      <span lang={langOf(visit, event.language)}>{event.title}</span>
    </a>
  )
  return (
    <nav class="neighbours no-print" aria-label={words.otherEvents}>
      {previous === undefined ? null : link(previous, words.earlier, 'prev')}
      {next === undefined ? null : link(next, words.later, 'next')}
    </nav>
  )
}
