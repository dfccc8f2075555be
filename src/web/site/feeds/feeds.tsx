import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { getLangAttribute } from '../../components/event-lines.tsx'
import type { Page, PageRouter } from '../../page/page.ts'
import { calendarPath, type EventList } from '../../server/calendar-api.ts'
import type { PageContext } from '../../server/context.ts'
import { buildForLanguages, getPath } from '../../server/paths.ts'
import { listActiveFilters } from '../calendar/active-filters.ts'
import { UnknownFilter } from '../calendar/calendar-bar.tsx'
import {
  getFeedPath,
  ignoreUnknownFilter,
  isFiltered,
  listFilterChoices,
  omitDates,
  parseFilters,
  toAlternateFilters,
  toApiQuery,
  withFilters
} from '../calendar/calendar-filter.ts'
import { type Kind, loadFeedChoice, toChoiceQuery } from './feed-choice.ts'
import { FeedForm } from './feed-form.tsx'
import { CalendarAddress, CampaignEmbed, EventsEmbed, type FeedSelection, NewsAddresses } from './feed-results.tsx'

/** Page that explains feeds, subscriptions and embeds. */
export function registerFeedsPageRoutes(pages: PageRouter): void {
  pages.add('feeds', showFeeds)
}

const results: Record<Kind, (chosen: FeedSelection) => ReturnType<typeof CalendarAddress>> = {
  calendar: CalendarAddress,
  news: NewsAddresses,
  events: EventsEmbed,
  campaign: CampaignEmbed
}

async function showFeeds(context: PageContext): Promise<Page> {
  const { api, language } = context
  const strings = getMessages('feed', language)
  const asChosen = omitDates(parseFilters(context))
  const [choices, choice] = await Promise.all([
    listFilterChoices({ api, query: { more: 'yes' } }, asChosen),
    loadFeedChoice(context)
  ])
  // Ids work in both languages, and still do after a rename.
  const filters = toAlternateFilters(asChosen, choices)
  const found = await ignoreUnknownFilter(
    api.get<EventList>(`${calendarPath}/events`, { ...toApiQuery(filters), per_page: 1 })
  )
  const Result = results[choice.kind]
  const alternatePath = (one: Language) => withFilters(getPath('feeds', one), filters, toChoiceQuery(context, choice))
  const titles = {
    calendar: strings.address.title,
    news: strings.news.title,
    events: strings.embed.title,
    campaign: strings.embed.title
  }
  const isUnknown = found === undefined && choice.kind !== 'campaign'
  return {
    title: strings.title,
    description: strings.description,
    alternates: buildForLanguages(alternatePath),
    canonical: getPath('feeds', language),
    icalFeed: getFeedPath(choice.textLanguage, filters),
    styles: 'developers',
    scripts: ['configurator'],
    body: (
      <div class="feeds">
        <header class="reference-head">
          <h1>{strings.title}</h1>
          <p class="lead">{strings.lead}</p>
        </header>
        <div class="feeds-main">
          <FeedForm context={context} filters={filters} choices={choices} choice={choice} />
          <section id="result" class="feeds-result" aria-labelledby="result-title">
            <h2 id="result-title">{titles[choice.kind]}</h2>
            {choice.kind === 'campaign' || found === undefined ? null : (
              <p data-summary>
                <strong>
                  {isFiltered(filters)
                    ? strings.address.only({
                        names: listActiveFilters({ language, currency: context.site.currency }, filters, choices)
                          .map(({ name }) => name)
                          .join(', ')
                      })
                    : strings.address.all}
                </strong>{' '}
                <span class="muted">{strings.address.count({ count: found.total })}</span>
              </p>
            )}
            {isUnknown ? (
              <UnknownFilter language={language} href={getPath('feeds', language)} />
            ) : (
              <Result context={context} filters={filters} choice={choice} />
            )}
          </section>
        </div>
        <Notes context={context} event={found?.events[0]} />
        <Programmers context={context} />
      </div>
    )
  }
}

function Notes({ context, event }: { context: PageContext; event: EventList['events'][0] | undefined }) {
  const { language } = context
  const strings = getMessages('feed', language)
  return (
    <div class="feeds-notes">
      <section aria-labelledby="refresh">
        <h2 id="refresh">{strings.refresh.title}</h2>
        <p>{strings.refresh.text}</p>
      </section>
      <section aria-labelledby="one">
        <h2 id="one">{strings.one.title}</h2>
        <p>
          {strings.one.text} <code>{`/${language}/events/{id}.ics`}</code>
        </p>
        {event === undefined || event.all_day === null ? null : (
          <p>
            {strings.one.example}{' '}
            <a href={`/${language}/events/${event.id}.ics`} lang={getLangAttribute(context, event.language)}>
              {event.title}
            </a>
          </p>
        )}
      </section>
    </div>
  )
}

function Programmers({ context: { language, origin } }: { context: PageContext }) {
  const strings = getMessages('feed', language).programmers
  const sources: [name: string, path: string, text: string][] = [
    [strings.json, `${calendarPath}/events`, strings.jsonText],
    [strings.campaigns, '/campaigns', strings.campaignsText],
    [strings.peer, '/wp-json/tribe/events/v1/events', strings.peerText]
  ]
  return (
    <section class="feeds-programmers" aria-labelledby="programmers">
      <h2 id="programmers">{strings.title}</h2>
      <p>{strings.lead}</p>
      <dl>
        {sources.map(([name, path, text]) => (
          <div key={path}>
            <dt>{name}</dt>
            <dd>
              {text}
              <br />
              <a href={path}>
                {origin}
                <wbr />
                {path}
              </a>
            </dd>
          </div>
        ))}
        <div>
          <dt>{strings.documents}</dt>
          <dd>
            {strings.documentsText}
            <br />
            <a href="/openapi/calendar.json">calendar.json</a>, <a href="/openapi/campaigns.json">campaigns.json</a>
          </dd>
        </div>
      </dl>
      <p class="actions">
        <a class="button quiet" href={getPath('api', language)}>
          {strings.reference}
        </a>
      </p>
    </section>
  )
}
