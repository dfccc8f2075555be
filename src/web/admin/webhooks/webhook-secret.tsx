import { randomUUID } from 'node:crypto'
import type { MadeWebhook, Webhook } from '#platform/webhooks/schema.ts'
import { frameWords } from '../../text/frame.ts'
import { webhookWords } from '../../text/webhooks.ts'
import { field } from '../../visit.ts'
import type { ConsolePage, Desk } from '../console.ts'
import { Form } from '../form.tsx'
import { apiPath, menu, pagePath } from './webhook-paths.ts'
import { nameOf } from './webhook-words.ts'

/** Asks before a new secret is made: the receiver has to be told of it. */
export async function askForSecret(desk: Desk): Promise<ConsolePage> {
  const words = webhookWords[desk.language]
  const { body } = await desk.api.get<Webhook>(apiPath(desk))
  return {
    title: words.newSecretQuestion,
    menu,
    body: (
      <div class="narrow">
        <p class="faded anywhere">{nameOf(body)}</p>
        <p class="lead">{words.overlap}</p>
        <Form desk={desk} action={pagePath(desk, '/secret')} class="actions">
          <button type="submit">{words.newSecret}</button>
          <a class="button quiet" href={pagePath(desk)}>
            {words.keepSecret}
          </a>
        </Form>
      </div>
    )
  }
}

export async function newSecret(desk: Desk): Promise<ConsolePage> {
  const { body: webhook } = await desk.api.get<Webhook>(apiPath(desk))
  const { body } = await desk.api.post<{ secret: string }>(apiPath(desk, '/secret'))
  return secretPage(desk, { ...webhook, secret: body.secret }, webhookWords[desk.language].overlap)
}

/** The page with a secret is the answer to a form: who reloads it sends the form again, and gets the same secret. */
export function onceOf(desk: Desk): Record<string, string> {
  return { 'idempotency-key': field(desk, 'once') || randomUUID() }
}

/** Shown once and never again. */
export function secretPage(desk: Desk, webhook: MadeWebhook, more?: string): ConsolePage {
  const words = webhookWords[desk.language]
  const copy = frameWords[desk.language]
  const lines = [
    "import { Webhook } from 'standardwebhooks'",
    '',
    'const message = new Webhook(secret).verify(body, headers)'
  ].join('\n')
  return {
    title: more === undefined ? words.secretTitle : words.newSecretTitle,
    menu,
    islands: ['copy'],
    body: (
      <div class="narrow">
        <p class="notice warn">{words.once}</p>
        <section class="card" aria-label={words.secret}>
          <p class="faded anywhere">{nameOf(webhook)}</p>
          <div class="secret">
            <code id="secret">{webhook.secret}</code>
            <button type="button" class="small" data-copy="#secret" data-copied={copy.copied} hidden>
              {copy.copy}
            </button>
          </div>
          {more === undefined ? null : <p>{more}</p>}
          <p>{words.verify}</p>
          <pre>
            <code>{lines}</code>
          </pre>
          <p class="faded">{words.verifyMore}</p>
          <div class="actions">
            <a class="button" href={`${menu}/${webhook.id}`}>
              {words.copied}
            </a>
          </div>
        </section>
      </div>
    )
  }
}
