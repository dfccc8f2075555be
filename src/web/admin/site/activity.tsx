import { Readable } from 'node:stream'
import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { Activity } from '#platform/activity/schema.ts'
import { csvIn } from '#platform/csv.ts'
import type { Key } from '#platform/keys/schema.ts'
import type { User } from '#platform/users/schema.ts'
import { type Answer, withQuery } from '../../api.ts'
import { calendarPath, type EventList } from '../../calendar-api.ts'
import { counted, shortMoment } from '../../format.ts'
import { activityWords } from '../../text/activity.ts'
import { consoleWords } from '../../text/console.ts'
import { Field } from '../../ui/field.tsx'
import type { Console, ConsolePage, Desk } from '../console.ts'
import { Filters, Table } from '../table.tsx'
import { actorOf, detailsOf, type Names, placeOf, sentenceOf, verbOf } from './activity-words.ts'

const menu = '/admin/activity'
const rowsShown = 50
/** As many as the API gives at once. */
const rowsOfDownload = 200
/** As many as a list of events has at most. */
const namesMax = 50

/** Who did what. Only admins come here. */
export function activityPages(pages: Console): void {
  pages.show(menu, [], async desk => {
    const [answer, known, users, keys, names] = await Promise.all([
      list(desk, rowsShown, desk.query.cursor),
      desk.api.get<{ action: string }[]>('/actions'),
      desk.api.get<User[]>('/users'),
      desk.api.get<Key[]>('/keys'),
      campaignNames(desk)
    ])
    const events = await eventNames(desk, answer.body)
    const actors = [
      ...users.body.map(({ id, name }) => `user ${id} (${name})`),
      ...keys.body.map(({ id, name }) => `key ${id} (${name})`),
      ...Object.keys(activityWords.en.actors)
    ]
    const choices = { actions: known.body.map(({ action }) => action), actors }
    return activityPage(desk, answer, choices, { events, campaigns: names })
  })

  pages.show('/admin/activity.csv', [], async desk => ({
    // Before anything is sent: what is refused is refused as a page.
    text: Readable.from(csvLines(desk, await list(desk, rowsOfDownload, undefined))),
    type: 'text/csv; charset=utf-8',
    fileName: 'activity.csv'
  }))
}

function filterIn({ query }: Desk): Record<string, string | undefined> {
  const { action, subject, subjectId, actor } = query
  return { action, subject, subjectId, actor }
}

async function list(desk: Desk, limit: number, cursor: string | undefined): Promise<Answer<Activity[]>> {
  return await desk.api.get<Activity[]>('/activity', { ...filterIn(desk), limit, cursor })
}

function nextCursor(answer: Answer<Activity[]>): string | undefined {
  const cursor = /[?&]cursor=([^&>]+)/.exec(answer.header('link'))?.[1]
  return cursor === undefined ? undefined : decodeURIComponent(cursor)
}

async function campaignNames({ api, language }: Desk): Promise<Names['campaigns']> {
  const { body } = await api.get<Campaign[]>('/campaigns', { limit: 200 })
  return new Map(body.map(({ id, name, translations }) => [String(id), translations[language]?.name ?? name]))
}

/** Changes of events are recorded without their title. */
async function eventNames({ api }: Desk, rows: Activity[]): Promise<Names['events']> {
  const ids = [...new Set(rows.filter(({ subject }) => subject === 'event').map(({ subjectId }) => subjectId))]
  if (ids.length === 0) return new Map()
  const { body } = await api.get<EventList>(`${calendarPath}/events`, {
    include: ids.slice(0, namesMax).join(),
    per_page: namesMax,
    status: 'publish,draft,pending,private,future,trash'
  })
  return new Map(body.events.map(({ id, title }) => [String(id), title]))
}

/** Page by page, each asked for when the reader has taken the one before. */
async function* csvLines(desk: Desk, first: Answer<Activity[]>): AsyncGenerator<string> {
  const words = activityWords[desk.language]
  const csv = csvIn(desk.language)
  const campaigns = await campaignNames(desk)
  yield csv.head([words.when, words.who, words.what, words.details, 'action', 'subject', 'id'])
  for (let answer = first; ; ) {
    const names = { events: await eventNames(desk, answer.body), campaigns }
    yield answer.body
      .map(row =>
        csv.line([
          row.at,
          actorOf(desk.language, row.actor),
          sentenceOf(desk, row, names),
          detailsOf(desk, row),
          row.action,
          row.subject,
          row.subjectId
        ])
      )
      .join('')
    const cursor = nextCursor(answer)
    if (cursor === undefined) return
    answer = await list(desk, rowsOfDownload, cursor)
  }
}

/** What the list can be narrowed to. */
interface Choices {
  actions: string[]
  actors: string[]
}

function activityPage(desk: Desk, answer: Answer<Activity[]>, choices: Choices, names: Names): ConsolePage {
  const { language, query, site } = desk
  const words = activityWords[language]
  const cursor = nextCursor(answer)
  const filter = filterIn(desk)
  return {
    title: words.title,
    menu,
    actions: (
      <a class="button quiet" href={withQuery('/admin/activity.csv', filter)}>
        {consoleWords[language].csv}
      </a>
    ),
    body: (
      <>
        <p class="faded">{words.lead}</p>
        <ActivityFilters desk={desk} choices={choices} />
        <p class="faded">{counted(language, Number(answer.header('x-total-count')), ...words.total)}</p>
        <Table
          desk={desk}
          caption={words.list}
          empty={<p>{words.none}</p>}
          rows={answer.body}
          columns={[
            {
              label: words.when,
              cell: row => (
                <time class="nowrap" dateTime={row.at}>
                  {shortMoment(language, row.at, site.timezone)}
                </time>
              )
            },
            {
              label: words.what,
              isHead: true,
              cell: row => {
                const place = placeOf(row)
                const text = sentenceOf(desk, row, names)
                return <span class="sentence">{place === undefined ? text : <a href={place}>{text}</a>}</span>
              }
            },
            { label: words.details, cell: row => <span class="faded">{detailsOf(desk, row)}</span> }
          ]}
        />
        <nav class="pager" aria-label={words.list}>
          {query.cursor === undefined ? (
            <span />
          ) : (
            <a class="button quiet small" href={withQuery(menu, filter)}>
              {words.newest}
            </a>
          )}
          {cursor === undefined ? null : (
            <a class="button quiet small" rel="next" href={withQuery(menu, { ...filter, cursor })}>
              {words.older}
            </a>
          )}
        </nav>
      </>
    )
  }
}

function ActivityFilters({ desk, choices }: { desk: Desk; choices: Choices }) {
  const { language, query } = desk
  const words = activityWords[language]
  const select = (name: 'action' | 'subject' | 'actor', label: string, options: [string, string][]) => {
    const current = query[name] ?? ''
    const isKnown = current === '' || options.some(([value]) => value === current)
    return (
      <Field name={name} label={label}>
        {tied => (
          <select {...tied}>
            <option value="">{words.all}</option>
            {isKnown ? null : (
              <option value={current} selected>
                {current}
              </option>
            )}
            {options.map(([value, text]) => (
              <option key={value} value={value} selected={value === current}>
                {text}
              </option>
            ))}
          </select>
        )}
      </Field>
    )
  }
  const named = (action: string): [string, string] => {
    const subject = subjectOf(action)
    return [action, `${words.subjects[subject] ?? subject}: ${verbOf(language, action) ?? action}`]
  }
  return (
    <Filters desk={desk}>
      {select(
        'subject',
        words.subject,
        [...new Set(choices.actions.map(subjectOf))].map(subject => [subject, words.subjects[subject] ?? subject])
      )}
      {select('action', words.action, choices.actions.map(named))}
      {select(
        'actor',
        words.actor,
        choices.actors.map(actor => [actor, actorOf(language, actor)])
      )}
    </Filters>
  )
}

function subjectOf(action: string): string {
  return action.slice(0, action.indexOf('.'))
}
