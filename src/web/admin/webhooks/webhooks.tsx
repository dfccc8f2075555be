import { getMessages } from '#platform/messages/messages.ts'
import type { Webhook } from '#platform/webhooks/schema.ts'
import { formatRelativeTime } from '../../format/format.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import { buildConfirmPage } from '../shared/confirm-page.tsx'
import type { AdminContext, AdminPage, AdminRouter } from '../shared/context.ts'
import { Table } from '../shared/table.tsx'
import { redeliver, showDelivery } from './delivery-page.tsx'
import { changeWebhook, createWebhook, showEditForm, showNewForm } from './webhook-form.tsx'
import { formatActions, getWebhookName, getWebhookState, stateBadgeClasses, stripScheme } from './webhook-format.ts'
import { showWebhook } from './webhook-page.tsx'
import { getWebhookApiPath, getWebhookPagePath, menu } from './webhook-paths.ts'
import { askForSecret, replaceSecret } from './webhook-secret.tsx'

/** Webhooks. Admins only. */
export function registerWebhookRoutes(console: AdminRouter): void {
  const one = `${menu}/:id`
  console.get(menu, [], async context => buildListPage(context, (await context.api.get<Webhook[]>('/webhooks')).body))
  console.get(`${menu}/new`, [], showNewForm)
  console.post(menu, [], createWebhook)
  console.get(one, [], showWebhook)
  console.get(`${one}/edit`, [], showEditForm)
  console.post(`${one}/edit`, [], changeWebhook)
  console.post(`${one}/on`, [], switchOn)
  console.post(`${one}/test`, [], sendTest)
  console.get(`${one}/secret`, [], askForSecret)
  console.post(`${one}/secret`, [], replaceSecret)
  console.get(`${one}/delete`, [], askToRemove)
  console.post(`${one}/delete`, [], remove)
  console.get(`${one}/deliveries/:delivery`, [], showDelivery)
  console.post(`${one}/deliveries/:delivery/redeliver`, [], redeliver)
}

function buildListPage(context: AdminContext, webhooks: Webhook[]): AdminPage {
  const { language, now } = context
  const strings = getMessages('webhook', language)
  return {
    title: strings.title,
    menu,
    actions: (
      <a class="button" href={`${menu}/new`}>
        {strings.create}
      </a>
    ),
    body: (
      <>
        <p class="muted narrow">{strings.lead}</p>
        <Table
          context={context}
          caption={strings.list}
          empty={<p>{strings.none}</p>}
          rows={webhooks}
          columns={[
            {
              label: strings.address,
              isHead: true,
              cell: webhook => (
                <>
                  <a class="anywhere" href={`${menu}/${webhook.id}`}>
                    {getWebhookName(webhook)}
                  </a>
                  {webhook.description === '' ? null : <span class="sub anywhere">{stripScheme(webhook.url)}</span>}
                </>
              )
            },
            { label: strings.listens, isNamed: true, cell: webhook => formatActions(language, webhook.actions) },
            { label: strings.state, cell: webhook => <StateBadge context={context} webhook={webhook} /> },
            {
              label: strings.last,
              isNamed: true,
              cell: ({ lastDeliveredAt }) =>
                lastDeliveredAt === null ? strings.never : formatRelativeTime(language, lastDeliveredAt, now)
            }
          ]}
        />
      </>
    )
  }
}

function StateBadge({ context, webhook }: { context: AdminContext; webhook: Webhook }) {
  const state = getWebhookState(webhook)
  return (
    <>
      <span class={`badge ${stateBadgeClasses[state]}`}>{getMessages('webhook', context.language).states[state]}</span>
      {state === 'failing' && webhook.failingSince !== null ? (
        <span class="sub nowrap">{formatRelativeTime(context.language, webhook.failingSince, context.now)}</span>
      ) : null}
    </>
  )
}

async function switchOn(context: AdminContext): Promise<Redirect> {
  await context.api.patch(getWebhookApiPath(context), { isOn: true })
  context.flash({ text: getMessages('webhook', context.language).switchedOn })
  return redirect(getWebhookPagePath(context), 303)
}

async function sendTest(context: AdminContext): Promise<Redirect> {
  await context.api.post(getWebhookApiPath(context, '/test'))
  context.flash({ text: getMessages('webhook', context.language).tested })
  return redirect(getWebhookPagePath(context), 303)
}

async function askToRemove(context: AdminContext): Promise<AdminPage> {
  const strings = getMessages('webhook', context.language)
  const { body } = await context.api.get<Webhook>(getWebhookApiPath(context))
  return buildConfirmPage(context, {
    title: strings.removeTitle,
    text: strings.removeText({ address: body.url }),
    menu,
    action: getWebhookPagePath(context, '/delete'),
    yes: strings.remove,
    no: { label: strings.keep, href: getWebhookPagePath(context) }
  })
}

async function remove(context: AdminContext): Promise<Redirect> {
  await context.api.delete(getWebhookApiPath(context))
  context.flash({ text: getMessages('webhook', context.language).removed })
  return redirect(menu, 303)
}
