import { getMessages } from '#platform/messages/messages.ts'
import type { Attempt, Delivery } from '#platform/webhooks/deliveries/schema.ts'
import type { Webhook } from '#platform/webhooks/schema.ts'
import { formatDateTime, formatNumber } from '../../format/format.ts'
import { type ApiResponse, withQuery } from '../../server/api-client.ts'
import type { AdminContext, AdminPage } from '../shared/context.ts'
import { ActionButton } from '../shared/form.tsx'
import { Table } from '../shared/table.tsx'
import {
  formatAction,
  formatActions,
  formatDeliveryError,
  getWebhookName,
  getWebhookState,
  stateBadgeClasses
} from './webhook-format.ts'
import { getWebhookApiPath, getWebhookPagePath, menu } from './webhook-paths.ts'

const rowsShown = 25
const tabs = ['all', 'waiting', 'delivered', 'given_up'] as const
export const statusBadgeClasses: Record<Delivery['status'], string> = {
  waiting: 'warn',
  delivered: 'good',
  given_up: 'bad'
}

/** One webhook: its state, and all deliveries. */
export async function showWebhook(context: AdminContext): Promise<AdminPage> {
  const { status, cursor } = context.query
  const [webhook, deliveries] = await Promise.all([
    context.api.get<Webhook>(getWebhookApiPath(context)),
    context.api.get<Delivery[]>(getWebhookApiPath(context, '/deliveries'), { status, cursor, limit: rowsShown })
  ])
  return buildPage(context, webhook.body, deliveries)
}

function buildPage(context: AdminContext, webhook: Webhook, deliveries: ApiResponse<Delivery[]>): AdminPage {
  const { language } = context
  const strings = getMessages('webhook', language)
  const state = getWebhookState(webhook)
  return {
    title: getWebhookName(webhook),
    menu,
    actions: (
      <>
        <ActionButton context={context} action={getWebhookPagePath(context, '/test')} label={strings.test} look="" />
        <a class="button quiet" href={getWebhookPagePath(context, '/edit')}>
          {strings.edit}
        </a>
      </>
    ),
    body: (
      <>
        <Trouble context={context} webhook={webhook} />
        <dl class="facts">
          <div>
            <dt>{strings.state}</dt>
            <dd>
              <span class={`badge ${stateBadgeClasses[state]}`}>{strings.states[state]}</span>
            </dd>
          </div>
          <div>
            <dt>{strings.address}</dt>
            <dd>{webhook.url}</dd>
          </div>
          <div>
            <dt>{strings.listens}</dt>
            <dd>{formatActions(language, webhook.actions)}</dd>
          </div>
        </dl>
        <h2>{strings.log}</h2>
        <Log context={context} deliveries={deliveries} />
        <section class="card webhook-more" aria-labelledby="secret-title">
          <h2 id="secret-title">{strings.secret}</h2>
          <p>{strings.secretText}</p>
          <div class="actions">
            <a class="button quiet" href={getWebhookPagePath(context, '/secret')}>
              {strings.newSecret}
            </a>
          </div>
        </section>
        <p class="danger-zone">
          <a class="button danger small" href={getWebhookPagePath(context, '/delete')}>
            {strings.remove}
          </a>
        </p>
      </>
    )
  }
}

/** Problems that need action. */
function Trouble({ context, webhook }: { context: AdminContext; webhook: Webhook }) {
  const { language, site } = context
  const strings = getMessages('webhook', language)
  const { isOn, failingSince, switchedOffAt } = webhook
  const at = (instant: string) => formatDateTime(language, instant, site.timezone)
  if (isOn) {
    return failingSince === null ? null : <p class="notice warn">{strings.failing({ since: at(failingSince) })}</p>
  }
  return (
    <div class={`notice console-notice ${switchedOffAt === null ? 'warn' : 'bad'}`}>
      <p>{switchedOffAt === null ? strings.isOff : strings.switchedOff({ since: at(switchedOffAt) })}</p>
      <ActionButton context={context} action={getWebhookPagePath(context, '/on')} label={strings.switchOn} />
    </div>
  )
}

function Log({ context, deliveries }: { context: AdminContext; deliveries: ApiResponse<Delivery[]> }) {
  const { language, query, site } = context
  const strings = getMessages('webhook', language)
  const cursor = getNextCursor(deliveries)
  const { status } = query
  return (
    <>
      <nav class="tabs" aria-label={strings.status}>
        <ul>
          {tabs.map(tab => (
            <li key={tab}>
              <a
                href={withQuery(getWebhookPagePath(context), { status: tab === 'all' ? '' : tab })}
                {...((status ?? 'all') === tab ? { 'aria-current': 'page' as const } : {})}
              >
                {strings.tabs[tab]}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <Table
        context={context}
        caption={strings.log}
        empty={<p>{status === undefined ? strings.logNone : strings.logNoneSo}</p>}
        rows={deliveries.body}
        columns={[
          {
            label: strings.when,
            cell: ({ createdAt }) => (
              <time class="nowrap" dateTime={createdAt}>
                {formatDateTime(language, createdAt, site.timezone)}
              </time>
            )
          },
          {
            label: strings.what,
            isHead: true,
            cell: ({ id, action }) => (
              <a href={getWebhookPagePath(context, `/deliveries/${encodeURIComponent(id)}`)}>
                {formatAction(language, action)}
              </a>
            )
          },
          {
            label: strings.status,
            cell: ({ status: reached }) => (
              <span class={`badge ${statusBadgeClasses[reached]}`}>{strings.statuses[reached] ?? reached}</span>
            )
          },
          { label: strings.attempts, isNumber: true, cell: ({ attemptCount }) => formatNumber(language, attemptCount) },
          {
            label: strings.answer,
            isNamed: true,
            cell: ({ lastAttempt }) => (lastAttempt === null ? '' : formatAttempt(context, lastAttempt))
          }
        ]}
      />
      <nav class="pager" aria-label={strings.log}>
        {query.cursor === undefined ? (
          <a class="button quiet small" href={withQuery(getWebhookPagePath(context), { status })}>
            {strings.refresh}
          </a>
        ) : (
          <a class="button quiet small" href={withQuery(getWebhookPagePath(context), { status })}>
            {strings.newest}
          </a>
        )}
        {cursor === undefined ? null : (
          <a class="button quiet small" rel="next" href={withQuery(getWebhookPagePath(context), { status, cursor })}>
            {strings.older}
          </a>
        )}
      </nav>
    </>
  )
}

/** 200 · 120 ms, or why there was no response. */
function formatAttempt({ language }: AdminContext, { status, error, durationMs }: Attempt): string {
  const strings = getMessages('webhook', language)
  return [
    status ?? formatDeliveryError(language, error),
    strings.ms({ value: formatNumber(language, durationMs) })
  ].join(' · ')
}

function getNextCursor(answer: ApiResponse<unknown>): string | undefined {
  const cursor = /[?&]cursor=([^&>]+)/.exec(answer.header('link'))?.[1]
  return cursor === undefined ? undefined : decodeURIComponent(cursor)
}
