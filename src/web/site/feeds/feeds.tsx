import type { Language } from '#platform/language.ts'
import { calendarPath, type EventList } from '../../calendar-api.ts'
import type { Page, Pages } from '../../page.ts'
import { pathTo } from '../../paths.ts'
import { feedWords } from '../../text/feeds.ts'
import { langOf } from '../../ui/event-lines.tsx'
import type { Visit } from '../../visit.ts'
import { UnknownFilter } from '../calendar/calendar-bar.tsx'
import {
  asked,
  choicesFor,
  feedOf,
  filterNames,
  filtersAbroad,
  filtersIn,
  isFiltered,
  unlessUnknown,
  withFilters
} from '../calendar/calendar-filter.ts'
import { choiceQuery, feedChoiceIn, type Kind } from './feed-choice.ts'
import { FeedForm } from './feed-form.tsx'
import { CalendarAddress, CampaignEmbed, type Chosen, EventsEmbed, NewsAddresses } from './feed-results.tsx'

/** Everything here that programs can read or other sites can show, explained to people. */
export function feedPages(pages: Pages): void {
  pages.add('feeds', feedsPage)
}

const results: Record<Kind, (chosen: Chosen) => ReturnType<typeof CalendarAddress>> = {
  calendar: CalendarAddress,
  news: NewsAddresses,
  events: EventsEmbed,
  campaign: CampaignEmbed
}

async function feedsPage(visit: Visit): Promise<Page> {
  const { api, language } = visit
  const words = feedWords[language]
  const asChosen = filtersIn(visit)
  const [choices, choice] = await Promise.all([
    choicesFor({ api, query: { more: 'yes' } }, asChosen),
    feedChoiceIn(visit)
  ])
  // Numbers lead to the same thing in both languages, and still do when somebody changes a name.
  const filters = filtersAbroad(asChosen, choices)
  const found = await unlessUnknown(api.get<EventList>(`${calendarPath}/events`, { ...asked(filters), per_page: 1 }))
  const Result = results[choice.kind]
  const twin = (one: Language) => withFilters(pathTo('feeds', one), filters, choiceQuery(visit, choice))
  const titles = {
    calendar: words.address.title,
    news: words.news.title,
    events: words.embed.title,
    campaign: words.embed.title
  }
  const isUnknown = found === undefined && choice.kind !== 'campaign'
  return {
    title: words.title,
    description: words.description,
    twins: { en: twin('en'), de: twin('de') },
    canonical: pathTo('feeds', language),
    feed: feedOf(choice.spoken, filters),
    islands: ['configurator'],
    body: (
      <div class="feeds">
        <header class="reference-head">
          <h1>{words.title}</h1>
          <p class="lead">{words.lead}</p>
        </header>
        <div class="feeds-main">
          <FeedForm visit={visit} filters={filters} choices={choices} choice={choice} />
          <section id="result" class="feeds-result" aria-labelledby="result-title">
            <h2 id="result-title">{titles[choice.kind]}</h2>
            {choice.kind === 'campaign' || found === undefined ? null : (
              <p data-summary>
                <strong>
                  {isFiltered(filters)
                    ? words.address.only(filterNames(language, filters, choices).join(', '))
                    : words.address.all}
                </strong>{' '}
                <span class="faded">{words.address.count(found.total)}</span>
              </p>
            )}
            {isUnknown ? (
              <UnknownFilter language={language} href={pathTo('feeds', language)} />
            ) : (
              <Result visit={visit} filters={filters} choice={choice} />
            )}
          </section>
        </div>
        <Notes visit={visit} event={found?.events[0]} />
        <Programmers visit={visit} />
      </div>
    )
  }
}

function Notes({ visit, event }: { visit: Visit; event: EventList['events'][0] | undefined }) {
  const { language } = visit
  const words = feedWords[language]
  return (
    <div class="feeds-notes">
      <section aria-labelledby="refresh">
        <h2 id="refresh">{words.refresh.title}</h2>
        <p>{words.refresh.text}</p>
      </section>
      <section aria-labelledby="one">
        <h2 id="one">{words.one.title}</h2>
        <p>
          {words.one.text} <code>{`/${language}/events/{id}.ics`}</code>
        </p>
        {event === undefined || event.all_day === null ? null : (
          <p>
            {words.one.example}{' '}
            <a href={`/${language}/events/${event.id}.ics`} lang={langOf(visit, event.language)}>
              {event.title}
            </a>
          </p>
        )}
      </section>
    </div>
  )
}

function Programmers({ visit: { language, origin } }: { visit: Visit }) {
  const words = feedWords[language].programmers
  const sources: [name: string, path: string, text: string][] = [
    [words.json, `${calendarPath}/events`, words.jsonText],
    [words.campaigns, '/campaigns', words.campaignsText],
    [words.peer, '/wp-json/tribe/events/v1/events', words.peerText]
  ]
  return (
    <section class="feeds-programmers" aria-labelledby="programmers">
      <h2 id="programmers">{words.title}</h2>
      <p>{words.lead}</p>
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
          <dt>{words.documents}</dt>
          <dd>
            {words.documentsText}
            <br />
            <a href="/openapi/calendar.json">calendar.json</a>, <a href="/openapi/campaigns.json">campaigns.json</a>
          </dd>
        </div>
      </dl>
      <p class="actions">
        <a class="button quiet" href={pathTo('api', language)}>
          {words.reference}
        </a>
      </p>
    </section>
  )
}
