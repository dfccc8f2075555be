import { getMessages } from '#platform/messages/messages.ts'
import type { Attempt, DeliveryInFull } from '#platform/webhooks/deliveries/schema.ts'
import { formatDateTime, formatNumber } from '../../format/format.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import type { AdminContext, AdminPage } from '../shared/context.ts'
import { ActionButton } from '../shared/form.tsx'
import { formatAction, formatDeliveryError } from './webhook-format.ts'
import { statusBadgeClasses } from './webhook-page.tsx'
import { getWebhookApiPath, getWebhookPagePath, menu } from './webhook-paths.ts'

/** One delivery: its payload, and the result of each attempt. */
export async function showDelivery(context: AdminContext): Promise<AdminPage> {
  const { body } = await context.api.get<DeliveryInFull>(getWebhookApiPath(context, getDeliveryPath(context)))
  return buildPage(context, body)
}

export async function redeliver(context: AdminContext): Promise<Redirect> {
  await context.api.post(getWebhookApiPath(context, `${getDeliveryPath(context)}/redeliver`))
  context.flash({ text: getMessages('webhook', context.language).redelivered })
  return redirect(getWebhookPagePath(context, getDeliveryPath(context)), 303)
}

function getDeliveryPath({ params }: AdminContext): string {
  return `/deliveries/${encodeURIComponent(params.delivery ?? '')}`
}

function buildPage(context: AdminContext, delivery: DeliveryInFull): AdminPage {
  const { language } = context
  const strings = getMessages('webhook', language)
  return {
    title: formatAction(language, delivery.action),
    menu,
    actions: (
      <>
        <ActionButton
          context={context}
          action={getWebhookPagePath(context, `${getDeliveryPath(context)}/redeliver`)}
          label={strings.redeliver}
          look=""
        />
        <a class="button quiet" href={getWebhookPagePath(context)}>
          {strings.back}
        </a>
      </>
    ),
    body: (
      <>
        <Facts context={context} delivery={delivery} />
        <h2>{strings.attempts}</h2>
        {delivery.attempts.length === 0 ? <p class="muted">{strings.attemptsNone}</p> : null}
        <ol class="attempts">
          {delivery.attempts.map((attempt, index) => (
            <AttemptItem key={index} context={context} attempt={attempt} count={index + 1} />
          ))}
        </ol>
        <h2>{strings.sent}</h2>
        <Sent context={context} delivery={delivery} />
      </>
    )
  }
}

function Facts({ context, delivery }: { context: AdminContext; delivery: DeliveryInFull }) {
  const strings = getMessages('webhook', context.language)
  const { status, action, subjectId, createdAt, nextAttemptAt, deliveredAt } = delivery
  return (
    <dl class="facts">
      <div>
        <dt>{strings.status}</dt>
        <dd>
          <span class={`badge ${statusBadgeClasses[status]}`}>{strings.statuses[status] ?? status}</span>
        </dd>
      </div>
      <div>
        <dt>{strings.subject}</dt>
        <dd>
          <code>{action}</code> {subjectId}
        </dd>
      </div>
      <Moment context={context} label={strings.createdAt} at={createdAt} />
      <Moment context={context} label={strings.deliveredAt} at={deliveredAt} />
      <Moment context={context} label={strings.next} at={status === 'waiting' ? nextAttemptAt : null} />
    </dl>
  )
}

function Moment({ context, label, at }: { context: AdminContext; label: string; at: string | null }) {
  if (at === null) return null
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <time dateTime={at}>{formatDateTime(context.language, at, context.site.timezone)}</time>
      </dd>
    </div>
  )
}

function AttemptItem({ context, attempt, count }: { context: AdminContext; attempt: Attempt; count: number }) {
  const { language, site } = context
  const strings = getMessages('webhook', language)
  const { at, durationMs, status, error, response } = attempt
  const isGood = status !== null && status >= 200 && status < 300
  return (
    <li class="card attempt">
      <h3>{strings.attempt({ count })}</h3>
      <p class="attempt-line">
        <span class={`badge ${isGood ? 'good' : 'bad'}`}>{status ?? strings.noAnswer}</span>
        <time dateTime={at}>{formatDateTime(language, at, site.timezone)}</time>
        <span class="muted">{strings.ms({ value: formatNumber(language, durationMs) })}</span>
      </p>
      {error === null ? null : <p class="attempt-error">{formatDeliveryError(language, error)}</p>}
      {response === null ? null : (
        <details>
          <summary>{strings.answered}</summary>
          {response === '' ? (
            <p class="muted">{strings.emptyAnswer}</p>
          ) : (
            <pre>
              <code>{response}</code>
            </pre>
          )}
        </details>
      )}
    </li>
  )
}

function Sent({ context, delivery }: { context: AdminContext; delivery: DeliveryInFull }) {
  const strings = getMessages('webhook', context.language)
  const headers = [
    ['content-type', 'application/json'],
    ['webhook-id', delivery.id],
    ['webhook-timestamp', strings.perAttempt],
    ['webhook-signature', strings.perAttempt]
  ]
  return (
    <section class="card" aria-label={strings.sent}>
      <h3>{strings.headers}</h3>
      <dl class="headers">
        {headers.map(([name, value]) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>{value === strings.perAttempt ? <span class="muted">{value}</span> : <code>{value}</code>}</dd>
          </div>
        ))}
      </dl>
      <h3>{strings.body}</h3>
      {delivery.body === null ? (
        <p class="muted">{strings.bodyLater}</p>
      ) : (
        <pre>
          <code>{formatJson(delivery.body)}</code>
        </pre>
      )}
    </section>
  )
}

/** Pretty-prints the payload. */
function formatJson(body: string): string {
  return JSON.stringify(JSON.parse(body), undefined, 2)
}
