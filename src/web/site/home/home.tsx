import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { Language } from '#platform/language.ts'
import { type CalendarEvent, calendarPath, type Days, type EventList, hueOf, type Term } from '../../calendar-api.ts'
import { addDays, addMonths, dayIn, longDay, number } from '../../format.ts'
import type { Page, Pages } from '../../page.ts'
import { pathTo } from '../../paths.ts'
import { calendarWords } from '../../text/calendar.ts'
import { frameWords } from '../../text/frame.ts'
import { DateLeaf } from '../../ui/date-leaf.tsx'
import { EventCard } from '../../ui/event-card.tsx'
import { MiniMonth } from '../../ui/mini-month.tsx'
import { Subscribe } from '../../ui/subscribe.tsx'
import type { Visit } from '../../visit.ts'
import { campaignToShow, HomeCampaign } from './home-campaign.tsx'

export function homePages(pages: Pages): void {
  pages.add('home', homePage)
}

const eventsShown = 5
/** Longer names of organisations are set smaller. */
const shortNameMax = 28
/** Of so many to come, highlights move to the front. */
const eventsLooked = 15
/** So that what is near is still to be seen where much is highlighted. */
const highlightsMax = 2

/** What comes next, what we collect for, and the month at a glance. */
async function homePage(visit: Visit): Promise<Page> {
  const { api, language, site, origin, now } = visit
  const words = calendarWords[language].home
  const today = dayIn(site.timezone, now)
  const month = today.slice(0, 7)
  const [{ events }, { days }, { categories }, campaigns] = await Promise.all([
    asks<EventList>(visit, '/events', { ends_after: 'now', per_page: eventsLooked }),
    asks<Days>(visit, '/days', { from: `${month}-01`, to: addDays(`${addMonths(month, 1)}-01`, -1), per_day: 0 }),
    asks<{ categories: Term[] }>(visit, '/categories', { hide_empty: true, per_page: 50 }),
    api.get<Campaign[]>('/campaigns').then(({ body }) => body)
  ])
  const isEmpty = events.length === 0 && campaigns.length === 0
  const isNew = isEmpty && (await api.get<{ needed: boolean }>('/setup')).body.needed
  const campaign = campaignToShow(campaigns, now)
  const feed = `/${language}/events.ics`
  return {
    title: site.name,
    twins: { en: pathTo('home', 'en'), de: pathTo('home', 'de') },
    feed,
    body: (
      <div class="home">
        <Hero visit={visit} today={today} />
        {isNew ? <SetUp language={language} /> : null}
        <div class="home-columns">
          <section aria-labelledby="home-next">
            <h2 id="home-next">{words.next}</h2>
            {events.length === 0 ? (
              <div class="empty">
                <p>{words.empty}</p>
              </div>
            ) : (
              <>
                <ol class="plain-list">
                  {highlightsFirst(events).map(event => (
                    <li key={event.id}>
                      <EventCard language={language} event={event} timezone={site.timezone} now={now} brief />
                    </li>
                  ))}
                </ol>
                <p class="home-all">
                  <a class="button quiet" href={pathTo('list', language)}>
                    {words.allEvents}
                  </a>
                </p>
              </>
            )}
          </section>
          <div class="home-side">
            {campaign === undefined ? null : <HomeCampaign language={language} campaign={campaign} />}
            <section aria-labelledby="home-month">
              <h2 id="home-month" class="visually-hidden">
                {words.month}
              </h2>
              <MiniMonth language={language} month={month} today={today} weekStart={site.weekStart} days={days} />
            </section>
          </div>
        </div>
        {categories.length === 0 ? null : <Categories language={language} categories={categories} />}
        <Subscribe language={language} origin={origin} feed={feed} />
      </div>
    )
  }
}

async function asks<Body>(
  { api }: Visit,
  path: string,
  query: Record<string, string | number | boolean>
): Promise<Body> {
  return (await api.get<Body>(calendarPath + path, query)).body
}

function highlightsFirst(events: CalendarEvent[]): CalendarEvent[] {
  const highlights = events
    .filter(({ featured, event_status }) => featured === true && event_status !== 'canceled')
    .slice(0, highlightsMax)
  return [...highlights, ...events.filter(event => !highlights.includes(event))].slice(0, eventsShown)
}

function Hero({ visit: { language, site }, today }: { visit: Visit; today: string }) {
  const words = calendarWords[language].home
  const common = frameWords[language]
  const tagline = site.tagline[language]
  return (
    <div class={site.name.length > shortNameMax ? 'hero long-name' : 'hero'}>
      <div>
        <p class="eyebrow">{words.today(longDay(language, today))}</p>
        <h1>{site.name}</h1>
        {tagline === '' ? null : <p class="hero-tagline">{tagline}</p>}
        <p class="actions">
          <a class="button large" href={pathTo('calendar', language)}>
            {common.calendar}
          </a>
          <a class="button quiet large" href={pathTo('campaigns', language)}>
            {common.donate}
          </a>
        </p>
      </div>
      <DateLeaf language={language} date={today} />
    </div>
  )
}

function SetUp({ language }: { language: Language }) {
  const { lead, action, hint, locked } = frameWords[language].setUp
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
      <h2 id="home-categories">{calendarWords[language].home.categories}</h2>
      <ul class="chips">
        {categories.map(({ id, slug, name, count }) => (
          <li key={id}>
            <a class={`chip ${hueOf(id)}`} href={pathTo('category', language, slug)}>
              <span class="dot" />
              {name} <span class="count">{number(language, count)}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
