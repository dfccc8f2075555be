import assert from 'node:assert/strict'
import { platformActivityTypes } from '#platform/activity/resource-types.ts'
import { newWebhookSender, type WebhookSenderOptions } from '#platform/webhooks/sender.ts'
import { silent } from './database.ts'
import { startCampaignsAndCalendar } from './services.ts'
import type { WebhookReceiver } from './webhook-receiver.ts'

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs

/** Both services, with webhooks that are told of what happens when a test says so. */
export async function startWebhooks() {
  const service = await startCampaignsAndCalendar()
  const { admin, settings, store } = service

  /** A courier with a clock that is moved by hand. */
  function aCourier(options: Partial<WebhookSenderOptions> = {}) {
    // Ahead of ours, so that what has just happened is due.
    let clock = Date.now() + minuteMs
    const courier = newWebhookSender({
      db: store,
      keys: settings,
      activityTypes: platformActivityTypes,
      origin: 'https://kalends.example',
      allowPrivate: true,
      log: silent,
      now: () => new Date(clock),
      ...options
    })

    /** Everything that is to be done at this moment; answers how many messages were sent. */
    async function deliver(): Promise<number> {
      let sent = 0
      for (let more = await courier.deliverDue(); more > 0; more = await courier.deliverDue()) {
        sent += more
        await courier.drain()
      }
      return sent
    }

    /** Lets time pass, step by step. */
    async function pass(ms: number, stepMs = 4000): Promise<void> {
      for (const end = clock + ms; clock < end; ) {
        clock = Math.min(end, clock + stepMs)
        await deliver()
      }
    }

    function skip(ms: number): void {
      clock += ms
    }

    return { ...courier, deliver, pass, skip, now: () => new Date(clock) }
  }

  return {
    ...service,
    aCourier,
    aWebhook: async ({ url }: Pick<WebhookReceiver, 'url'>, actions = ['key.created']) => {
      const { status, body, text } = await admin.post('/webhooks', { url, actions })
      assert.equal(status, 201, text)
      return body
    },
    /** Answers the number of the thing it happened to. */
    somethingHappens: async (): Promise<number> =>
      (await admin.post('/keys', { name: 'something', role: 'viewer' })).body.id,
    deliveriesOf: async ({ id }: { id: number }, query = '') =>
      (await admin.get(`/webhooks/${id}/deliveries?limit=200${query}`)).body,
    remove: async ({ id }: { id: number }) => assert.equal((await admin.delete(`/webhooks/${id}`)).status, 204)
  }
}
