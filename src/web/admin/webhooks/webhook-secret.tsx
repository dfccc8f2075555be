import { randomUUID } from 'node:crypto'
import { getMessages } from '#platform/messages/messages.ts'
import type { CreatedWebhook, Webhook } from '#platform/webhooks/schema.ts'
import { getFormField } from '../../server/context.ts'
import type { AdminContext, AdminPage } from '../shared/context.ts'
import { Form } from '../shared/form.tsx'
import { getWebhookName } from './webhook-format.ts'
import { getWebhookApiPath, getWebhookPagePath, menu } from './webhook-paths.ts'

/** Asks for confirmation before creating a new secret: the receiver has to be updated. */
export async function askForSecret(context: AdminContext): Promise<AdminPage> {
  const strings = getMessages('webhook', context.language)
  const { body } = await context.api.get<Webhook>(getWebhookApiPath(context))
  return {
    title: strings.newSecretQuestion,
    menu,
    body: (
      <div class="narrow">
        <p class="muted anywhere">{getWebhookName(body)}</p>
        <p class="lead">{strings.overlap}</p>
        <Form context={context} action={getWebhookPagePath(context, '/secret')} class="actions">
          <button type="submit">{strings.newSecret}</button>
          <a class="button quiet" href={getWebhookPagePath(context)}>
            {strings.keepSecret}
          </a>
        </Form>
      </div>
    )
  }
}

export async function replaceSecret(context: AdminContext): Promise<AdminPage> {
  const { body: webhook } = await context.api.get<Webhook>(getWebhookApiPath(context))
  const { body } = await context.api.post<{ secret: string }>(getWebhookApiPath(context, '/secret'))
  return buildSecretPage(context, { ...webhook, secret: body.secret }, getMessages('webhook', context.language).overlap)
}

/** The secret is shown in the response to a POST: reloading sends the form again and returns the same secret. */
export function getIdempotencyHeader(context: AdminContext): Record<string, string> {
  return { 'idempotency-key': getFormField(context, 'idempotencyKey') || randomUUID() }
}

/** Shows the secret, this once only. */
export function buildSecretPage(context: AdminContext, webhook: CreatedWebhook, more?: string): AdminPage {
  const strings = getMessages('webhook', context.language)
  const copy = getMessages('layout', context.language)
  const lines = [
    "import { Webhook } from 'standardwebhooks'",
    '',
    'const message = new Webhook(secret).verify(body, headers)'
  ].join('\n')
  return {
    title: more === undefined ? strings.secretTitle : strings.newSecretTitle,
    menu,
    scripts: ['copy'],
    body: (
      <div class="narrow">
        <p class="notice warn">{strings.once}</p>
        <section class="card" aria-label={strings.secret}>
          <p class="muted anywhere">{getWebhookName(webhook)}</p>
          <div class="secret">
            <code id="secret">{webhook.secret}</code>
            <button type="button" class="small" data-copy="#secret" data-copied={copy.copied} hidden>
              {copy.copy}
            </button>
          </div>
          {more === undefined ? null : <p>{more}</p>}
          <p>{strings.verify}</p>
          <pre>
            <code>{lines}</code>
          </pre>
          <p class="muted">{strings.verifyMore}</p>
          <div class="actions">
            <a class="button" href={`${menu}/${webhook.id}`}>
              {strings.copied}
            </a>
          </div>
        </section>
      </div>
    )
  }
}
