import type { Attempt, DeliveryInFull } from '#platform/deliveries/schema.ts'
import { number, shortMoment } from '../../format.ts'
import { type Redirect, redirect } from '../../page.ts'
import { webhookWords } from '../../text/webhooks.ts'
import type { ConsolePage, Desk } from '../console.ts'
import { Act } from '../form.tsx'
import { lookOfStatus } from './webhook-page.tsx'
import { apiPath, menu, pagePath } from './webhook-paths.ts'
import { actionName, errorName } from './webhook-words.ts'

/** One message: what is sent, and what came of each attempt. */
export async function showDelivery(desk: Desk): Promise<ConsolePage> {
  const { body } = await desk.api.get<DeliveryInFull>(apiPath(desk, below(desk)))
  return deliveryPage(desk, body)
}

export async function redeliver(desk: Desk): Promise<Redirect> {
  await desk.api.post(apiPath(desk, `${below(desk)}/redeliver`))
  desk.say({ text: webhookWords[desk.language].redelivered })
  return redirect(pagePath(desk, below(desk)), 303)
}

function below({ params }: Desk): string {
  return `/deliveries/${encodeURIComponent(params.delivery ?? '')}`
}

function deliveryPage(desk: Desk, delivery: DeliveryInFull): ConsolePage {
  const { language } = desk
  const words = webhookWords[language]
  return {
    title: actionName(language, delivery.action),
    menu,
    actions: (
      <>
        <Act desk={desk} action={pagePath(desk, `${below(desk)}/redeliver`)} label={words.redeliver} look="" />
        <a class="button quiet" href={pagePath(desk)}>
          {words.back}
        </a>
      </>
    ),
    body: (
      <>
        <Facts desk={desk} delivery={delivery} />
        <h2>{words.attempts}</h2>
        {delivery.attempts.length === 0 ? <p class="faded">{words.attemptsNone}</p> : null}
        <ol class="attempts">
          {delivery.attempts.map((attempt, index) => (
            <AttemptItem key={index} desk={desk} attempt={attempt} count={index + 1} />
          ))}
        </ol>
        <h2>{words.sent}</h2>
        <Sent desk={desk} delivery={delivery} />
      </>
    )
  }
}

function Facts({ desk, delivery }: { desk: Desk; delivery: DeliveryInFull }) {
  const words = webhookWords[desk.language]
  const { status, action, subjectId, createdAt, nextAttemptAt, deliveredAt } = delivery
  return (
    <dl class="facts">
      <div>
        <dt>{words.status}</dt>
        <dd>
          <span class={`badge ${lookOfStatus[status]}`}>{words.statuses[status] ?? status}</span>
        </dd>
      </div>
      <div>
        <dt>{words.subject}</dt>
        <dd>
          <code>{action}</code> {subjectId}
        </dd>
      </div>
      <Moment desk={desk} label={words.createdAt} at={createdAt} />
      <Moment desk={desk} label={words.deliveredAt} at={deliveredAt} />
      <Moment desk={desk} label={words.next} at={status === 'waiting' ? nextAttemptAt : null} />
    </dl>
  )
}

function Moment({ desk, label, at }: { desk: Desk; label: string; at: string | null }) {
  if (at === null) return null
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <time dateTime={at}>{shortMoment(desk.language, at, desk.site.timezone)}</time>
      </dd>
    </div>
  )
}

function AttemptItem({ desk, attempt, count }: { desk: Desk; attempt: Attempt; count: number }) {
  const { language, site } = desk
  const words = webhookWords[language]
  const { at, durationMs, status, error, response } = attempt
  const isGood = status !== null && status >= 200 && status < 300
  return (
    <li class="card attempt">
      <h3>{words.attempt(count)}</h3>
      <p class="attempt-line">
        <span class={`badge ${isGood ? 'good' : 'bad'}`}>{status ?? words.noAnswer}</span>
        <time dateTime={at}>{shortMoment(language, at, site.timezone)}</time>
        <span class="faded">{words.ms(number(language, durationMs))}</span>
      </p>
      {error === null ? null : <p class="attempt-error">{errorName(language, error)}</p>}
      {response === null ? null : (
        <details>
          <summary>{words.answered}</summary>
          {response === '' ? (
            <p class="faded">{words.emptyAnswer}</p>
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

function Sent({ desk, delivery }: { desk: Desk; delivery: DeliveryInFull }) {
  const words = webhookWords[desk.language]
  const headers = [
    ['content-type', 'application/json'],
    ['webhook-id', delivery.id],
    ['webhook-timestamp', words.perAttempt],
    ['webhook-signature', words.perAttempt]
  ]
  return (
    <section class="card" aria-label={words.sent}>
      <h3>{words.headers}</h3>
      <dl class="headers">
        {headers.map(([name, value]) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>{value === words.perAttempt ? <span class="faded">{value}</span> : <code>{value}</code>}</dd>
          </div>
        ))}
      </dl>
      <h3>{words.body}</h3>
      {delivery.body === null ? (
        <p class="faded">{words.bodyLater}</p>
      ) : (
        <pre>
          <code>{pretty(delivery.body)}</code>
        </pre>
      )}
    </section>
  )
}

/** As it is sent, with room to read. */
function pretty(body: string): string {
  return JSON.stringify(JSON.parse(body), undefined, 2)
}
