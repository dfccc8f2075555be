import type { Webhook } from '#platform/webhooks/schema.ts'
import { ago } from '../../format.ts'
import { type Redirect, redirect } from '../../page.ts'
import { webhookWords } from '../../text/webhooks.ts'
import type { Console, ConsolePage, Desk } from '../console.ts'
import { questionPage } from '../question.tsx'
import { Table } from '../table.tsx'
import { redeliver, showDelivery } from './delivery-page.tsx'
import { changeWebhook, createWebhook, showEditForm, showNewForm } from './webhook-form.tsx'
import { showWebhook } from './webhook-page.tsx'
import { apiPath, menu, pagePath } from './webhook-paths.ts'
import { askForSecret, newSecret } from './webhook-secret.tsx'
import { listensTo, lookOfState, nameOf, stateOf, withoutScheme } from './webhook-words.ts'

/** Other programs that are told what happens. Only admins come here. */
export function webhookPages(console: Console): void {
  const one = `${menu}/:id`
  console.show(menu, [], async desk => listPage(desk, (await desk.api.get<Webhook[]>('/webhooks')).body))
  console.show(`${menu}/new`, [], showNewForm)
  console.take(menu, [], createWebhook)
  console.show(one, [], showWebhook)
  console.show(`${one}/edit`, [], showEditForm)
  console.take(`${one}/edit`, [], changeWebhook)
  console.take(`${one}/on`, [], switchOn)
  console.take(`${one}/test`, [], sendTest)
  console.show(`${one}/secret`, [], askForSecret)
  console.take(`${one}/secret`, [], newSecret)
  console.show(`${one}/delete`, [], askToRemove)
  console.take(`${one}/delete`, [], remove)
  console.show(`${one}/deliveries/:delivery`, [], showDelivery)
  console.take(`${one}/deliveries/:delivery/redeliver`, [], redeliver)
}

function listPage(desk: Desk, webhooks: Webhook[]): ConsolePage {
  const { language, now } = desk
  const words = webhookWords[language]
  return {
    title: words.title,
    menu,
    actions: (
      <a class="button" href={`${menu}/new`}>
        {words.create}
      </a>
    ),
    body: (
      <>
        <p class="faded narrow">{words.lead}</p>
        <Table
          desk={desk}
          caption={words.list}
          empty={<p>{words.none}</p>}
          rows={webhooks}
          columns={[
            {
              label: words.address,
              isHead: true,
              cell: webhook => (
                <>
                  <a class="anywhere" href={`${menu}/${webhook.id}`}>
                    {nameOf(webhook)}
                  </a>
                  {webhook.description === '' ? null : <span class="sub anywhere">{withoutScheme(webhook.url)}</span>}
                </>
              )
            },
            { label: words.listens, isNamed: true, cell: webhook => listensTo(language, webhook.actions) },
            { label: words.state, cell: webhook => <StateBadge desk={desk} webhook={webhook} /> },
            {
              label: words.last,
              isNamed: true,
              cell: ({ lastDeliveredAt }) =>
                lastDeliveredAt === null ? words.never : ago(language, lastDeliveredAt, now)
            }
          ]}
        />
      </>
    )
  }
}

function StateBadge({ desk, webhook }: { desk: Desk; webhook: Webhook }) {
  const state = stateOf(webhook)
  return (
    <>
      <span class={`badge ${lookOfState[state]}`}>{webhookWords[desk.language].states[state]}</span>
      {state === 'failing' && webhook.failingSince !== null ? (
        <span class="sub nowrap">{ago(desk.language, webhook.failingSince, desk.now)}</span>
      ) : null}
    </>
  )
}

async function switchOn(desk: Desk): Promise<Redirect> {
  await desk.api.patch(apiPath(desk), { isOn: true })
  desk.say({ text: webhookWords[desk.language].switchedOn })
  return redirect(pagePath(desk), 303)
}

async function sendTest(desk: Desk): Promise<Redirect> {
  await desk.api.post(apiPath(desk, '/test'))
  desk.say({ text: webhookWords[desk.language].tested })
  return redirect(pagePath(desk), 303)
}

async function askToRemove(desk: Desk): Promise<ConsolePage> {
  const words = webhookWords[desk.language]
  const { body } = await desk.api.get<Webhook>(apiPath(desk))
  return questionPage(desk, {
    title: words.removeTitle,
    text: words.removeText(body.url),
    menu,
    action: pagePath(desk, '/delete'),
    yes: words.remove,
    no: { label: words.keep, href: pagePath(desk) }
  })
}

async function remove(desk: Desk): Promise<Redirect> {
  await desk.api.delete(apiPath(desk))
  desk.say({ text: webhookWords[desk.language].removed })
  return redirect(menu, 303)
}
