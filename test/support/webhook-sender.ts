import assert from 'node:assert/strict'
import { platformActivityTypes } from '#platform/activity/resource-types.ts'
import { newWebhookSender, type WebhookSenderOptions } from '#platform/webhooks/sender.ts'
import { silent } from './database.ts'
import { startCampaignsAndCalendar } from './services.ts'
import type { WebhookReceiver } from './webhook-receiver.ts'

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs

/** Both services, with webhooks that are sent only when a test calls its sender. */
export async function startWebhooks() {
  const service = await startCampaignsAndCalendar()
  const { admin, settings, store } = service

  /** A webhook sender with a manual clock. */
  function createSender(options: Partial<WebhookSenderOptions> = {}) {
    // Ahead of the real clock, so that new deliveries are due.
    let clock = Date.now() + minuteMs
    const sender = newWebhookSender({
      db: store,
      keys: settings,
      activityTypes: platformActivityTypes,
      origin: 'https://kalends.example',
      allowPrivate: true,
      log: silent,
      now: () => new Date(clock),
      ...options
    })

    /** Sends all due deliveries and returns their number. */
    async function deliver(): Promise<number> {
      let sent = 0
      for (let more = await sender.deliverDue(); more > 0; more = await sender.deliverDue()) {
        sent += more
        await sender.drain()
      }
      return sent
    }

    /** Advances the clock step by step, sending due deliveries. */
    async function pass(ms: number, stepMs = 4000): Promise<void> {
      for (const end = clock + ms; clock < end; ) {
        clock = Math.min(end, clock + stepMs)
        await deliver()
      }
    }

    function skip(ms: number): void {
      clock += ms
    }

    return { ...sender, deliver, pass, skip, now: () => new Date(clock) }
  }

  return {
    ...service,
    createSender,
    aWebhook: async ({ url }: Pick<WebhookReceiver, 'url'>, actions = ['key.created']) => {
      const { status, body, text } = await admin.post('/webhooks', { url, actions })
      assert.equal(status, 201, text)
      return body
    },
    /** Returns the id of the item of the activity. */
    createActivity: async (): Promise<number> =>
      (await admin.post('/keys', { name: 'something', role: 'viewer' })).body.id,
    deliveriesOf: async ({ id }: { id: number }, query = '') =>
      (await admin.get(`/webhooks/${id}/deliveries?limit=200${query}`)).body,
    remove: async ({ id }: { id: number }) => assert.equal((await admin.delete(`/webhooks/${id}`)).status, 204)
  }
}
