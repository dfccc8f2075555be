import type { Attempt, Delivery } from '#platform/deliveries/schema.ts'
import type { Webhook } from '#platform/webhooks/schema.ts'
import { type Answer, withQuery } from '../../api.ts'
import { number, shortMoment } from '../../format.ts'
import { webhookWords } from '../../text/webhooks.ts'
import type { ConsolePage, Desk } from '../console.ts'
import { Act } from '../form.tsx'
import { Table } from '../table.tsx'
import { apiPath, menu, pagePath } from './webhook-paths.ts'
import { actionName, errorName, listensTo, lookOfState, nameOf, stateOf } from './webhook-words.ts'

const rowsShown = 25
const tabs = ['all', 'waiting', 'delivered', 'given_up'] as const
export const lookOfStatus: Record<Delivery['status'], string> = { waiting: 'warn', delivered: 'good', given_up: 'bad' }

/** One webhook: how it does, and everything that was sent. */
export async function showWebhook(desk: Desk): Promise<ConsolePage> {
  const { status, cursor } = desk.query
  const [webhook, deliveries] = await Promise.all([
    desk.api.get<Webhook>(apiPath(desk)),
    desk.api.get<Delivery[]>(apiPath(desk, '/deliveries'), { status, cursor, limit: rowsShown })
  ])
  return webhookPage(desk, webhook.body, deliveries)
}

function webhookPage(desk: Desk, webhook: Webhook, deliveries: Answer<Delivery[]>): ConsolePage {
  const { language } = desk
  const words = webhookWords[language]
  const state = stateOf(webhook)
  return {
    title: nameOf(webhook),
    menu,
    actions: (
      <>
        <Act desk={desk} action={pagePath(desk, '/test')} label={words.test} look="" />
        <a class="button quiet" href={pagePath(desk, '/edit')}>
          {words.edit}
        </a>
      </>
    ),
    body: (
      <>
        <Trouble desk={desk} webhook={webhook} />
        <dl class="facts">
          <div>
            <dt>{words.state}</dt>
            <dd>
              <span class={`badge ${lookOfState[state]}`}>{words.states[state]}</span>
            </dd>
          </div>
          <div>
            <dt>{words.address}</dt>
            <dd>{webhook.url}</dd>
          </div>
          <div>
            <dt>{words.listens}</dt>
            <dd>{listensTo(language, webhook.actions)}</dd>
          </div>
        </dl>
        <h2>{words.log}</h2>
        <Log desk={desk} deliveries={deliveries} />
        <section class="card webhook-more" aria-labelledby="secret-title">
          <h2 id="secret-title">{words.secret}</h2>
          <p>{words.secretText}</p>
          <div class="actions">
            <a class="button quiet" href={pagePath(desk, '/secret')}>
              {words.newSecret}
            </a>
          </div>
        </section>
        <p class="danger-zone">
          <a class="button danger small" href={pagePath(desk, '/delete')}>
            {words.remove}
          </a>
        </p>
      </>
    )
  }
}

/** What somebody has to do something about. */
function Trouble({ desk, webhook }: { desk: Desk; webhook: Webhook }) {
  const { language, site } = desk
  const words = webhookWords[language]
  const { isOn, failingSince, switchedOffAt } = webhook
  const at = (instant: string) => shortMoment(language, instant, site.timezone)
  if (isOn) {
    return failingSince === null ? null : <p class="notice warn">{words.failing(at(failingSince))}</p>
  }
  return (
    <div class={`notice console-notice ${switchedOffAt === null ? 'warn' : 'bad'}`}>
      <p>{switchedOffAt === null ? words.isOff : words.switchedOff(at(switchedOffAt))}</p>
      <Act desk={desk} action={pagePath(desk, '/on')} label={words.switchOn} />
    </div>
  )
}

function Log({ desk, deliveries }: { desk: Desk; deliveries: Answer<Delivery[]> }) {
  const { language, query, site } = desk
  const words = webhookWords[language]
  const cursor = nextCursor(deliveries)
  const { status } = query
  return (
    <>
      <nav class="tabs" aria-label={words.status}>
        <ul>
          {tabs.map(tab => (
            <li key={tab}>
              <a
                href={withQuery(pagePath(desk), { status: tab === 'all' ? '' : tab })}
                {...((status ?? 'all') === tab ? { 'aria-current': 'page' as const } : {})}
              >
                {words.tabs[tab]}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <Table
        desk={desk}
        caption={words.log}
        empty={<p>{status === undefined ? words.logNone : words.logNoneSo}</p>}
        rows={deliveries.body}
        columns={[
          {
            label: words.when,
            cell: ({ createdAt }) => (
              <time class="nowrap" dateTime={createdAt}>
                {shortMoment(language, createdAt, site.timezone)}
              </time>
            )
          },
          {
            label: words.what,
            isHead: true,
            cell: ({ id, action }) => (
              <a href={pagePath(desk, `/deliveries/${encodeURIComponent(id)}`)}>{actionName(language, action)}</a>
            )
          },
          {
            label: words.status,
            cell: ({ status: reached }) => (
              <span class={`badge ${lookOfStatus[reached]}`}>{words.statuses[reached] ?? reached}</span>
            )
          },
          { label: words.attempts, isNumber: true, cell: ({ attemptCount }) => number(language, attemptCount) },
          {
            label: words.answer,
            isNamed: true,
            cell: ({ lastAttempt }) => (lastAttempt === null ? '' : answerIn(desk, lastAttempt))
          }
        ]}
      />
      <nav class="pager" aria-label={words.log}>
        {query.cursor === undefined ? (
          <a class="button quiet small" href={withQuery(pagePath(desk), { status })}>
            {words.refresh}
          </a>
        ) : (
          <a class="button quiet small" href={withQuery(pagePath(desk), { status })}>
            {words.newest}
          </a>
        )}
        {cursor === undefined ? null : (
          <a class="button quiet small" rel="next" href={withQuery(pagePath(desk), { status, cursor })}>
            {words.older}
          </a>
        )}
      </nav>
    </>
  )
}

/** 200 · 120 ms, or why there was none. */
function answerIn({ language }: Desk, { status, error, durationMs }: Attempt): string {
  const words = webhookWords[language]
  return [status ?? errorName(language, error), words.ms(number(language, durationMs))].join(' · ')
}

function nextCursor(answer: Answer<unknown>): string | undefined {
  const cursor = /[?&]cursor=([^&>]+)/.exec(answer.header('link'))?.[1]
  return cursor === undefined ? undefined : decodeURIComponent(cursor)
}
