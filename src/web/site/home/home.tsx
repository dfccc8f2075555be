import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { Presentation } from '#fundraising/presentation/schema.ts'
import type { Language, Text } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import type { Hero as SiteHero } from '#platform/site/schema.ts'
import { DateBadge } from '../../components/date-badge.tsx'
import { EventCard } from '../../components/event-card.tsx'
import { MiniMonth } from '../../components/mini-month.tsx'
import { SeriesToggle } from '../../components/series-toggle.tsx'
import { Subscribe, subscribeScript } from '../../components/subscribe.tsx'
import { SuggestLink } from '../../components/suggest-link.tsx'
import { addDays, addMonths, formatLongDay, formatNumber, toLocalDay } from '../../format/format.ts'
import type { Page, PageRouter } from '../../page/page.ts'
import { withQuery } from '../../server/api-client.ts'
import {
  type CalendarEvent,
  calendarPath,
  type DayList,
  type EventList,
  getHueClass,
  type Term
} from '../../server/calendar-api.ts'
import type { PageContext } from '../../server/context.ts'
import { getPath, getPaths } from '../../server/paths.ts'
import { getTagline } from '../../server/site-settings.ts'
import { loadUploadedImages } from '../../server/uploaded-images.ts'
import { chooseCampaign, HomeCampaign } from './home-campaign.tsx'

export function registerHomeRoutes(pages: PageRouter): void {
  pages.add('home', showHome)
}

const eventsShown = 5
/** Longer names of organisations get a smaller font. */
const shortNameMax = 28
/** Number of upcoming events among which featured ones move to the front. */
const eventsLooked = 15
/** Limits featured events, so that the nearest events stay visible. */
const highlightsMax = 2

/** Home page: upcoming events, campaign, and the current month. */
async function showHome(context: PageContext): Promise<Page> {
  const { api, language, site, origin, now } = context
  const strings = getMessages('calendar', language).home
  const once = context.query.once === 'yes'
  const today = toLocalDay(site.timezone, now)
  const month = today.slice(0, 7)
  const [{ events }, { days }, { categories }, campaigns, presentation] = await Promise.all([
    getFromCalendar<EventList>(context, '/events', {
      ends_after: 'now',
      per_page: eventsLooked,
      ...(once ? { series_once: true } : {})
    }),
    getFromCalendar<DayList>(context, '/days', {
      from: `${month}-01`,
      to: addDays(`${addMonths(month, 1)}-01`, -1),
      per_day: 0
    }),
    getFromCalendar<{ categories: Term[] }>(context, '/categories', { hide_empty: true, per_page: 50 }),
    api.get<Campaign[]>('/campaigns').then(({ body }) => body),
    api.get<Presentation>('/presentation').then(({ body }) => body)
  ])
  const isEmpty = events.length === 0 && campaigns.length === 0
  const isNew = isEmpty && (await api.get<{ needed: boolean }>('/setup')).body.needed
  const campaign = chooseCampaign(campaigns, now, presentation.homeCampaignId)
  const images = await loadUploadedImages(context, [campaign?.imageUrl ?? null])
  const shown = sortHighlightsFirst(events)
  const feed = `/${language}/events.ics`
  return {
    title: site.name,
    alternates: getPaths('home'),
    noindex: once,
    icalFeed: feed,
    scripts: [subscribeScript],
    ...(site.hero === null
      ? {}
      : { image: { url: site.hero.url, alt: (site.hero.alt as Partial<Text>)[language] ?? '' } }),
    body: (
      <div class="home">
        <Hero context={context} today={today} />
        {isNew ? <SetUpHint language={language} /> : null}
        <div class="home-columns">
          <section aria-labelledby="home-next">
            <h2 id="home-next">{strings.next}</h2>
            <SeriesToggle
              language={language}
              events={shown}
              once={once}
              href={withQuery(getPath('home', language), { once: once ? undefined : 'yes' })}
            />
            {events.length === 0 ? (
              <div class="empty">
                <p>{strings.empty}</p>
                <SuggestLink context={context} />
              </div>
            ) : (
              <>
                <ol class="plain-list">
                  {shown.map(event => (
                    <li key={event.id}>
                      <EventCard language={language} event={event} site={site} now={now} brief />
                    </li>
                  ))}
                </ol>
                <p class="home-all">
                  <a
                    class="button quiet"
                    href={withQuery(getPath('list', language), { once: once ? 'yes' : undefined })}
                  >
                    {strings.allEvents}
                  </a>
                </p>
              </>
            )}
          </section>
          <div class="home-side">
            {campaign === undefined ? null : <HomeCampaign language={language} campaign={campaign} images={images} />}
            <section aria-labelledby="home-month">
              <h2 id="home-month" class="visually-hidden">
                {strings.month}
              </h2>
              <MiniMonth language={language} month={month} today={today} weekStart={site.weekStart} days={days} />
            </section>
          </div>
        </div>
        {categories.length === 0 ? null : <Categories language={language} categories={categories} />}
        <Subscribe language={language} origin={origin} feed={feed} isCopied />
      </div>
    )
  }
}

async function getFromCalendar<Body>(
  { api }: PageContext,
  path: string,
  query: Record<string, string | number | boolean>
): Promise<Body> {
  return (await api.get<Body>(calendarPath + path, query)).body
}

function sortHighlightsFirst(events: CalendarEvent[]): CalendarEvent[] {
  const highlights = events
    .filter(({ featured, event_status }) => featured === true && event_status !== 'canceled')
    .slice(0, highlightsMax)
  return [...highlights, ...events.filter(event => !highlights.includes(event))].slice(0, eventsShown)
}

function Hero({ context: { language, site }, today }: { context: PageContext; today: string }) {
  const strings = getMessages('calendar', language).home
  const common = getMessages('layout', language)
  const tagline = getTagline(site, language)
  return (
    <div class={site.name.length > shortNameMax ? 'hero long-name' : 'hero'}>
      <div>
        <p class="eyebrow">{strings.today({ day: formatLongDay(language, today) })}</p>
        <h1>{site.name}</h1>
        {tagline === '' ? null : <p class="hero-tagline">{tagline}</p>}
        <p class="actions">
          <a class="button large" href={getPath('calendar', language)}>
            {common.calendar}
          </a>
          <a class="button quiet large" href={getPath('campaigns', language)}>
            {common.donate}
          </a>
        </p>
      </div>
      {site.hero === null ? (
        <DateBadge language={language} date={today} />
      ) : (
        <HeroImage hero={site.hero} language={language} />
      )}
    </div>
  )
}

/** As wide as half of the page, or as the whole on a phone. */
function HeroImage({ hero, language }: { hero: SiteHero; language: Language }) {
  const all = [...hero.sizes, { url: hero.url, width: hero.width }]
  return (
    <img
      class="hero-image"
      src={hero.url}
      srcset={all.map(({ url, width }) => `${url} ${width}w`).join(', ')}
      sizes="(max-width: 46rem) 100vw, 36rem"
      width={hero.width}
      height={hero.height}
      alt={(hero.alt as Partial<Text>)[language] ?? ''}
      fetchpriority="high"
    />
  )
}

function SetUpHint({ language }: { language: Language }) {
  const { lead, action, hint, locked } = getMessages('layout', language).setUp
  return (
    <div class="card home-setup">
      <p class="lead">{lead}</p>
      <p>{hint}</p>
      <p>{locked}</p>
      <p>
        <a class="button" href="/admin/setup">
          {action}
        </a>
      </p>
    </div>
  )
}

function Categories({ language, categories }: { language: Language; categories: Term[] }) {
  return (
    <section class="home-categories" aria-labelledby="home-categories">
      <h2 id="home-categories">{getMessages('calendar', language).home.categories}</h2>
      <ul class="chips">
        {categories.map(({ id, slug, name, count }) => (
          <li key={id}>
            <a class={`chip ${getHueClass(id)}`} href={getPath('category', language, slug)}>
              <span class="dot" />
              {name} <span class="count">{formatNumber(language, count)}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
