import { Readable } from 'node:stream'
import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { Activity } from '#platform/activity/schema.ts'
import type { Key } from '#platform/auth/keys/schema.ts'
import type { User } from '#platform/auth/users/schema.ts'
import { newCsvWriter } from '#platform/csv/csv.ts'
import { findText, getMessages } from '#platform/messages/messages.ts'
import { Field } from '../../components/field.tsx'
import { formatDateTime } from '../../format/format.ts'
import { type ApiResponse, withQuery } from '../../server/api-client.ts'
import { calendarPath, type EventList } from '../../server/calendar-api.ts'
import type { AdminContext, AdminPage, AdminRouter } from '../shared/context.ts'
import { Filters, Table } from '../shared/table.tsx'
import {
  type ActivityNames,
  describeActivity,
  findActivityPath,
  findVerb,
  formatActor,
  formatDetails
} from './describe-activity.ts'

const menu = '/admin/activity'
const rowsShown = 50
/** Page size limit of the API. */
const rowsOfDownload = 200
/** Page size limit of the API's event list. */
const namesMax = 50

/** The activity log. Admins only. */
export function registerActivityRoutes(pages: AdminRouter): void {
  pages.get(menu, [], async context => {
    const [answer, known, users, keys, names] = await Promise.all([
      listActivity(context, rowsShown, context.query.cursor),
      context.api.get<{ action: string }[]>('/actions'),
      context.api.get<User[]>('/users'),
      context.api.get<Key[]>('/keys'),
      listCampaignNames(context)
    ])
    const events = await listEventNames(context, answer.body)
    const actors = [
      ...users.body.map(({ id, name }) => `user ${id} (${name})`),
      ...keys.body.map(({ id, name }) => `key ${id} (${name})`),
      ...Object.keys(getMessages('activity', 'en').actors)
    ]
    const choices = { actions: known.body.map(({ action }) => action), actors }
    return buildPage(context, answer, choices, { events, campaigns: names })
  })

  pages.get('/admin/activity.csv', [], async context => ({
    // Fetches the first page before the response starts, so that an error can still be a page.
    text: Readable.from(streamCsvLines(context, await listActivity(context, rowsOfDownload, undefined))),
    type: 'text/csv; charset=utf-8',
    fileName: 'activity.csv'
  }))
}

function getFilter({ query }: AdminContext): Record<string, string | undefined> {
  const { action, subject, subjectId, actor } = query
  return { action, subject, subjectId, actor }
}

async function listActivity(
  context: AdminContext,
  limit: number,
  cursor: string | undefined
): Promise<ApiResponse<Activity[]>> {
  return await context.api.get<Activity[]>('/activity', { ...getFilter(context), limit, cursor })
}

function getNextCursor(answer: ApiResponse<Activity[]>): string | undefined {
  const cursor = /[?&]cursor=([^&>]+)/.exec(answer.header('link'))?.[1]
  return cursor === undefined ? undefined : decodeURIComponent(cursor)
}

async function listCampaignNames({ api, language }: AdminContext): Promise<ActivityNames['campaigns']> {
  const { body } = await api.get<Campaign[]>('/campaigns', { limit: 200 })
  return new Map(body.map(({ id, name, translations }) => [String(id), translations[language]?.name ?? name]))
}

/** Activity entries of events do not contain the title. */
async function listEventNames({ api }: AdminContext, rows: Activity[]): Promise<ActivityNames['events']> {
  const ids = [...new Set(rows.filter(({ subject }) => subject === 'event').map(({ subjectId }) => subjectId))]
  if (ids.length === 0) return new Map()
  const { body } = await api.get<EventList>(`${calendarPath}/events`, {
    include: ids.slice(0, namesMax).join(),
    per_page: namesMax,
    status: 'publish,draft,pending,private,future,trash'
  })
  return new Map(body.events.map(({ id, title }) => [String(id), title]))
}

/** Streams page by page, with backpressure: each page is fetched when the previous one has been read. */
async function* streamCsvLines(context: AdminContext, first: ApiResponse<Activity[]>): AsyncGenerator<string> {
  const strings = getMessages('activity', context.language)
  const csv = newCsvWriter(context.language)
  const campaigns = await listCampaignNames(context)
  yield csv.formatHeader([strings.when, strings.who, strings.what, strings.details, 'action', 'subject', 'id'])
  for (let answer = first; ; ) {
    const names = { events: await listEventNames(context, answer.body), campaigns }
    yield answer.body
      .map(row =>
        csv.formatRow([
          row.at,
          formatActor(context.language, row.actor),
          describeActivity(context, row, names),
          formatDetails(context, row),
          row.action,
          row.subject,
          row.subjectId
        ])
      )
      .join('')
    const cursor = getNextCursor(answer)
    if (cursor === undefined) return
    answer = await listActivity(context, rowsOfDownload, cursor)
  }
}

/** Options of the filters. */
interface ActivityChoices {
  actions: string[]
  actors: string[]
}

function buildPage(
  context: AdminContext,
  answer: ApiResponse<Activity[]>,
  choices: ActivityChoices,
  names: ActivityNames
): AdminPage {
  const { language, query, site } = context
  const strings = getMessages('activity', language)
  const cursor = getNextCursor(answer)
  const filter = getFilter(context)
  return {
    title: strings.title,
    menu,
    actions: (
      <a class="button quiet" href={withQuery('/admin/activity.csv', filter)}>
        {getMessages('admin', language).csv}
      </a>
    ),
    body: (
      <>
        <p class="muted">{strings.lead}</p>
        <ActivityFilters context={context} choices={choices} />
        <p class="muted">{strings.total({ count: Number(answer.header('x-total-count')) })}</p>
        <Table
          context={context}
          caption={strings.list}
          empty={<p>{strings.none}</p>}
          rows={answer.body}
          columns={[
            {
              label: strings.when,
              cell: row => (
                <time class="nowrap" dateTime={row.at}>
                  {formatDateTime(language, row.at, site.timezone)}
                </time>
              )
            },
            {
              label: strings.what,
              isHead: true,
              cell: row => {
                const place = findActivityPath(row)
                const text = describeActivity(context, row, names)
                return <span class="sentence">{place === undefined ? text : <a href={place}>{text}</a>}</span>
              }
            },
            { label: strings.details, cell: row => <span class="muted">{formatDetails(context, row)}</span> }
          ]}
        />
        <nav class="pager" aria-label={strings.list}>
          {query.cursor === undefined ? (
            <span />
          ) : (
            <a class="button quiet small" href={withQuery(menu, filter)}>
              {strings.newest}
            </a>
          )}
          {cursor === undefined ? null : (
            <a class="button quiet small" rel="next" href={withQuery(menu, { ...filter, cursor })}>
              {strings.older}
            </a>
          )}
        </nav>
      </>
    )
  }
}

function ActivityFilters({ context, choices }: { context: AdminContext; choices: ActivityChoices }) {
  const { language, query } = context
  const strings = getMessages('activity', language)
  const select = (name: 'action' | 'subject' | 'actor', label: string, options: [string, string][]) => {
    const current = query[name] ?? ''
    const isKnown = current === '' || options.some(([value]) => value === current)
    return (
      <Field name={name} label={label}>
        {tied => (
          <select {...tied}>
            <option value="">{strings.all}</option>
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
    const subject = getSubject(action)
    return [action, `${findText(strings.subjects, subject) ?? subject}: ${findVerb(language, action) ?? action}`]
  }
  return (
    <Filters context={context}>
      {select(
        'subject',
        strings.subject,
        [...new Set(choices.actions.map(getSubject))].map(subject => [
          subject,
          findText(strings.subjects, subject) ?? subject
        ])
      )}
      {select('action', strings.action, choices.actions.map(named))}
      {select(
        'actor',
        strings.actor,
        choices.actors.map(actor => [actor, formatActor(language, actor)])
      )}
    </Filters>
  )
}

function getSubject(action: string): string {
  return action.slice(0, action.indexOf('.'))
}
