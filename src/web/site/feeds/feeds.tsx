import type { Language } from '#platform/language.ts'
import { calendarPath, type EventList } from '../../calendar-api.ts'
import type { Page, Pages } from '../../page.ts'
import { pathTo } from '../../paths.ts'
import { calendarWords } from '../../text/calendar.ts'
import { feedWords } from '../../text/feeds.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { langOf } from '../../ui/event-lines.tsx'
import { subscribeIsland } from '../../ui/subscribe.tsx'
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
import { FeedForm } from './feed-form.tsx'

/** Everything here that programs can read, explained to people. */
export function feedPages(pages: Pages): void {
  pages.add('feeds', feedsPage)
}

async function feedsPage(visit: Visit): Promise<Page> {
  const { api, language, site, origin } = visit
  const words = feedWords[language]
  const chosen = filtersIn(visit)
  const choices = await choicesFor({ api, query: { more: 'yes' } }, chosen)
  // Numbers lead to the same thing in both languages, and still do when somebody changes a name.
  const filters = filtersAbroad(chosen, choices)
  const found = await unlessUnknown(api.get<EventList>(`${calendarPath}/events`, { ...asked(filters), per_page: 1 }))
  const spoken = site.languages.find(one => one === visit.query.in) ?? language
  const feed = feedOf(spoken, filters)
  const event = found?.events[0]
  const twin = (one: Language) => withFilters(pathTo('feeds', one), filters, { in: visit.query.in })
  return {
    title: words.title,
    description: words.description,
    twins: { en: twin('en'), de: twin('de') },
    canonical: pathTo('feeds', language),
    feed,
    islands: [subscribeIsland],
    body: (
      <div class="feeds">
        <header class="reference-head">
          <h1>{words.title}</h1>
          <p class="lead">{words.lead}</p>
        </header>
        <div class="feeds-main">
          <section id="address" class="feeds-address" aria-labelledby="address-title">
            <h2 id="address-title">{words.address.title}</h2>
            {found === undefined ? (
              <UnknownFilter language={language} href={pathTo('feeds', language)} />
            ) : (
              <>
                <p>
                  <strong>
                    {isFiltered(filters)
                      ? words.address.only(filterNames(language, filters, choices).join(', '))
                      : words.address.all}
                  </strong>{' '}
                  <span class="faded">{words.address.count(found.total)}</span>
                </p>
                <Address language={language} address={origin + feed} path={feed} />
              </>
            )}
            <h3>{words.programs.title}</h3>
            <dl>
              {words.programs.list.map(([name, text]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{text}</dd>
                </div>
              ))}
            </dl>
          </section>
          <section class="card" aria-labelledby="build">
            <h2 id="build">{words.build.title}</h2>
            <p class="faded">{words.build.lead}</p>
            <FeedForm language={language} site={site} filters={filters} choices={choices} spoken={spoken} />
          </section>
        </div>
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
        <Programmers language={language} origin={origin} />
      </div>
    )
  }
}

function Address({ language, address, path }: { language: Language; address: string; path: string }) {
  const words = feedWords[language].address
  return (
    <>
      <label class="visually-hidden" for="feed-address">
        {words.label}
      </label>
      <div class="feeds-row">
        <input id="feed-address" type="text" readOnly value={address} spellcheck={false} />
        <CopyButton language={language} of="#feed-address" />
      </div>
      <p class="actions">
        <a class="button" href={address.replace(/^https?:/, 'webcal:')} rel="nofollow">
          {words.open}
        </a>
        <a class="button quiet" href={path} rel="nofollow">
          {words.download}
        </a>
      </p>
      <p class="hint">{calendarWords[language].subscribe.hint}</p>
    </>
  )
}

function Programmers({ language, origin }: { language: Language; origin: string }) {
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
