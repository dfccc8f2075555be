import type { JSX } from 'preact'
import type { Campaign } from '#fundraising/campaigns/schema.ts'
import { formatLanguageName, type Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { AddToCalendar } from '../../components/add-to-calendar.tsx'
import { DateBadge } from '../../components/date-badge.tsx'
import { EventLines, getLangAttribute } from '../../components/event-lines.tsx'
import { formatCost } from '../../components/format-cost.ts'
import { formatAddressLines } from '../../components/map-link.tsx'
import { Picture } from '../../components/picture.tsx'
import { RichText } from '../../components/rich-text.tsx'
import { Share } from '../../components/share.tsx'
import { Title } from '../../components/title.tsx'
import { parseWebAddress, WebLink } from '../../components/web-link.tsx'
import { getDirAttribute } from '../../format/direction.ts'
import { formatDayMonth } from '../../format/format.ts'
import { withQuery } from '../../server/api-client.ts'
import { type CalendarEvent, type EmbeddedTerm, getHueClass, getVenues } from '../../server/calendar-api.ts'
import type { PageContext } from '../../server/context.ts'
import { getPath } from '../../server/paths.ts'
import { EventCampaigns } from '../campaign/event-campaigns.tsx'
import { Fact, Organizers, VenueBlock } from './event-facts.tsx'
import { formatIsoTime, formatWhenParts, formatZone, getEventState, isOver } from './event-time.ts'

/** Previous and next event, and more events at the same venue. */
export interface RelatedEvents {
  previous: CalendarEvent | undefined
  next: CalendarEvent | undefined
  moreHere: CalendarEvent[]
  /** The next date of its series. */
  nextOfSeries?: CalendarEvent | undefined
}

interface EventProps {
  context: PageContext
  event: CalendarEvent
}

export function EventView({
  context,
  event,
  address,
  description,
  around,
  campaigns = [],
  isProtected
}: EventProps & {
  address: string
  description: string
  around: RelatedEvents
  /** Campaigns that the event supports. */
  campaigns?: Campaign[]
  isProtected: boolean
}) {
  const { language, now } = context
  const strings = getMessages('event', language)
  const place = getVenues(event)[0]
  const lang = getLangAttribute(context, event.language)
  const facts = renderFacts(context, event)
  const state = getEventState(event, now)
  const isWorthNoting = state === 'ahead' || state === 'running'
  return (
    <article class={isOver(event, now) ? 'h-event event-page past' : 'h-event event-page'}>
      <a class="u-url" href={address} hidden>
        {event.title}
      </a>
      <header class="event-head">
        <DateBadge language={language} date={event.start_date} />
        <div>
          {event.featured === true ? <p class="eyebrow">{strings.featured}</p> : null}
          <Title text={event.title} lang={lang} className="p-name" />
          <WhenLine context={context} event={event} />
          <SeriesLine context={context} event={event} next={around.nextOfSeries} />
        </div>
      </header>
      <StateNotice context={context} event={event} />
      <div class={facts === null && !isWorthNoting ? 'event-columns' : 'event-columns with-facts'}>
        {facts === null && !isWorthNoting ? null : (
          <section class="event-facts card" aria-label={strings.facts}>
            {facts}
            {isWorthNoting ? (
              <AddToCalendar
                language={language}
                event={event}
                address={address}
                place={place === undefined ? '' : [place.venue, ...formatAddressLines(language, place)].join(', ')}
                text={description}
                when={formatWhen(language, event)}
                isProtected={isProtected}
              />
            ) : null}
          </section>
        )}
        <div class="event-story">
          {lang === undefined ? null : (
            <p class="other-language">{strings.onlyIn({ languageName: formatLanguageName(lang, language) })}</p>
          )}
          {event.image === false ? null : (
            <Picture
              image={event.image}
              sizes="(min-width: 60rem) 44rem, calc(100vw - 2rem)"
              className="event-picture u-photo"
            />
          )}
          {event.description === '' ? null : <RichText html={event.description} lang={lang} className="e-content" />}
          <Chips context={context} event={event} />
          <EventCampaigns context={context} campaigns={campaigns} />
          <Organizers context={context} organizers={event.organizer} />
        </div>
      </div>
      {isProtected || !isWorthNoting ? null : (
        <Share language={language} kind="event" name={event.title} address={address} />
      )}
      {around.moreHere.length === 0 ? null : (
        <section class="event-more">
          <h2>{strings.moreHere}</h2>
          <EventLines context={context} events={around.moreHere} />
        </section>
      )}
      <Neighbours context={context} around={around} />
    </article>
  )
}

function formatWhen(language: Language, event: CalendarEvent): string {
  const { start, end, between, after } = formatWhenParts(language, event)
  return `${start}${end === undefined ? '' : `${between}${end}`}${after}`
}

function WhenLine({ context, event }: EventProps) {
  const { start, end, between, after } = formatWhenParts(context.language, event)
  const zone = formatZone(context, event)
  const machine = (local: string, utc: string) => formatIsoTime(local, utc, event.all_day)
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

/** The rule of its series, with links to the next date and to all. */
function SeriesLine({ context, event, next }: EventProps & { next: CalendarEvent | undefined }) {
  const { language } = context
  const strings = getMessages('event', language).series
  if (event.series === null) return null
  return (
    <p class="event-series">
      <span aria-hidden="true">↻ </span>
      {event.series.text}
      {next === undefined ? null : (
        <>
          {', '}
          {strings.next} <a href={getPath('event', language, next.slug)}>{formatDayMonth(language, next.start_date)}</a>
        </>
      )}
      {' · '}
      <a href={withQuery(getPath('list', language), { series: event.series.id })}>{strings.allDates}</a>
    </p>
  )
}

const noticeClasses = { canceled: 'bad', postponed: 'warn', past: '', running: 'good', ahead: '' }

function StateNotice({ context, event }: EventProps) {
  const { language, now } = context
  const state = getEventState(event, now)
  if (state === 'ahead') return null
  const { title, text } = getMessages('event', language)[state]
  return (
    <p class={`notice ${noticeClasses[state]}`}>
      <strong>{title}</strong> {text}
      {state === 'past' ? (
        <>
          {' '}
          <a href={getPath('calendar', language)}>{getMessages('layout', language).toCalendar}</a>
        </>
      ) : null}
    </p>
  )
}

/** Null if there are none. */
function renderFacts(context: PageContext, event: CalendarEvent): JSX.Element | null {
  const { language, site } = context
  const strings = getMessages('event', language)
  const cost = formatCost(language, site.currency, event)
  // Without its own website the API returns the URL of the event's page, which is this one.
  const website = event.website === event.url ? undefined : parseWebAddress(event.website)
  const venues = getVenues(event)
  const isOnline = event.is_virtual === true
  if (venues.length === 0 && !isOnline && cost === '' && website === undefined) return null
  return (
    <dl class="facts">
      {venues.length === 0 && !isOnline ? null : (
        <Fact name={strings.where}>
          {isOnline ? <p class="place-name">{getMessages('calendar', language).online}</p> : null}
          {venues.map(venue => (
            <VenueBlock key={venue.id} context={context} venue={venue} />
          ))}
        </Fact>
      )}
      {cost === '' ? null : <Fact name={strings.cost}>{cost}</Fact>}
      {website === undefined ? null : (
        <Fact name={strings.website}>
          <WebLink address={website.href} />
        </Fact>
      )}
    </dl>
  )
}

function Chips({ context, event }: EventProps) {
  const { language } = context
  const strings = getMessages('event', language)
  if (event.categories.length + event.tags.length === 0) return null
  const chip = (place: 'category' | 'tag', term: EmbeddedTerm) => (
    <li key={`${place}${term.id}`}>
      <a
        class={`chip p-category ${place === 'category' ? getHueClass(term.id) : ''}`}
        href={getPath(place, language, term.slug)}
        rel="tag"
      >
        {place === 'category' ? <span class="dot" aria-hidden="true" /> : <span aria-hidden="true">#</span>}
        <bdi>{term.name}</bdi>
      </a>
    </li>
  )
  return (
    <ul class="chips event-chips" aria-label={strings.filedUnder}>
      {event.categories.map(term => chip('category', term))}
      {event.tags.map(term => chip('tag', term))}
    </ul>
  )
}

function Neighbours({ context, around }: { context: PageContext; around: RelatedEvents }) {
  const { language } = context
  const strings = getMessages('event', language)
  const { previous, next } = around
  if (previous === undefined && next === undefined) return null
  const link = (event: CalendarEvent, label: string, side: 'prev' | 'next') => (
    <a class={`neighbour ${side}`} href={getPath('event', language, event.slug)} rel={side}>
      <span class="neighbour-label">{label}</span>
      <span lang={getLangAttribute(context, event.language)} dir={getDirAttribute(event.title)}>
        {event.title}
      </span>
    </a>
  )
  return (
    <nav class="neighbours no-print" aria-label={strings.otherEvents}>
      {previous === undefined ? null : link(previous, strings.earlier, 'prev')}
      {next === undefined ? null : link(next, strings.later, 'next')}
    </nav>
  )
}
