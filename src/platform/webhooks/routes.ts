import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { listActions } from '../activity/resource-types.ts'
import { buildContentEtag, parseIfMatch } from '../http/etag.ts'
import { withIdempotency } from '../http/idempotency.ts'
import { decodeCursor, encodeCursor, getFetchSize, parseUuid, sendPage } from '../http/paging.ts'
import type { ActivityType, RouteContext } from '../http/service.ts'
import * as deliveries from './deliveries/queries.ts'
import { Delivery, DeliveryInFull, DeliveryQuery } from './deliveries/schema.ts'
import type { WebhookRow } from './queries.ts'
import * as webhooks from './queries.ts'
import { Action, buildInputSchemas, CreatedWebhook, NewSecret, Webhook } from './schema.ts'
import {
  changeWebhook,
  createWebhook,
  newDeliveryNotFoundProblem,
  newWebhookNotFoundProblem,
  redeliver,
  removeWebhook,
  renewSecret,
  testWebhook
} from './webhook.ts'

const OfWebhook = Type.Object({ id: Type.Integer() })
const OfDelivery = Type.Object({ id: Type.Integer(), deliveryId: Type.String({ format: 'uuid' }) })

export function registerWebhookRoutes(scope: RouteContext, subjects: Record<string, ActivityType>): void {
  const { app, db, settings } = scope
  const known = listActions(subjects)
  const { NewWebhook, WebhookChanges } = buildInputSchemas(known.map(({ action }) => action))

  app.get('/actions', {
    config: { requires: ['admin'] },
    schema: {
      summary: 'List event types (activity log, webhooks, stream)',
      description: 'With a description of each action. The names are what webhooks and the stream can be filtered by.',
      response: { 200: Type.Array(Action) }
    },
    handler: async () => known
  })

  app.get('/webhooks', {
    config: { requires: ['admin'] },
    schema: {
      summary: 'List webhooks, oldest first',
      description: 'URL, actions and status of each webhook; never its signing secret.',
      response: { 200: Type.Array(Webhook) }
    },
    handler: async () => (await webhooks.list(db)).map(toWire)
  })

  app.post('/webhooks', {
    config: { requires: ['admin'], creates: true, requiresConfirmation: true },
    schema: {
      summary: 'Create a webhook; the signing secret is returned once',
      description: 'Messages are signed as in Standard Webhooks. A failed delivery is retried for three days.',
      problems: { 400: ['empty'], 409: ['too-many-webhooks'], 503: ['no-encryption-key'] },
      body: NewWebhook,
      response: { 201: CreatedWebhook }
    },
    handler: async (request, reply) =>
      await withIdempotency(scope, request, reply, async tx => {
        const { secret, ...webhook } = await createWebhook(tx, request.caller, request.body, { settings })
        return {
          location: `/webhooks/${webhook.id}`,
          body: { ...toWire(webhook), secret },
          etag: buildWebhookEtag(webhook)
        }
      })
  })

  app.get('/webhooks/:id', {
    config: { requires: ['admin'] },
    schema: {
      summary: 'Get a webhook',
      description: 'URL, actions and status; never its signing secret.',
      problems: { 404: ['webhook-not-found'] },
      params: OfWebhook,
      response: { 200: Webhook }
    },
    handler: async ({ params }, reply) => toWebhookWithEtag(await found(params.id), reply)
  })

  app.patch('/webhooks/:id', {
    config: { requires: ['admin'] },
    schema: {
      summary: 'Update, enable or disable a webhook',
      description: 'Omitted fields are kept. Once enabled again, queued messages are sent.',
      problems: { 400: ['empty'], 404: ['webhook-not-found'], 409: ['webhook-has-no-secret'] },
      params: OfWebhook,
      body: WebhookChanges,
      response: { 200: Webhook }
    },
    handler: async (request, reply) => {
      const { caller, params, body } = request
      return toWebhookWithEtag(
        await changeWebhook(db, { by: caller, expected: parseIfMatch(request) }, params.id, body),
        reply
      )
    }
  })

  app.delete('/webhooks/:id', {
    config: { requires: ['admin'] },
    schema: {
      summary: 'Delete a webhook with its pending deliveries and its log',
      description: 'Queued messages are not sent. This cannot be undone.',
      problems: { 404: ['webhook-not-found'] },
      params: OfWebhook,
      response: { 204: Type.Null() }
    },
    handler: async (request, reply) => {
      await removeWebhook(db, { by: request.caller, expected: parseIfMatch(request) }, request.params.id)
      return reply.code(204).send(null)
    }
  })

  app.post('/webhooks/:id/secret', {
    config: { requires: ['admin'], requiresConfirmation: true },
    schema: {
      summary: 'Rotate the signing secret; the old one stays valid for 24 hours',
      description: 'The secret is shown in this response only.',
      problems: { 404: ['webhook-not-found'], 503: ['no-encryption-key'] },
      params: OfWebhook,
      response: { 200: NewSecret }
    },
    handler: async ({ caller, params }) => ({ secret: await renewSecret(db, caller, params.id, { settings }) })
  })

  app.post('/webhooks/:id/test', {
    config: { requires: ['admin'] },
    schema: {
      summary: 'Send a test message',
      description:
        'Queues a message with the action `test`; the response is the delivery, whose outcome can be read later.',
      problems: { 404: ['webhook-not-found'], 409: ['webhook-is-off'] },
      params: OfWebhook,
      response: { 202: Delivery }
    },
    handler: async ({ caller, params }, reply) => reply.code(202).send(await testWebhook(db, caller, params.id))
  })

  app.get('/webhooks/:id/deliveries', {
    config: { requires: ['admin'] },
    schema: {
      summary: 'List deliveries of a webhook, newest first',
      description: 'Deliveries are kept for 30 days.',
      problems: { 404: ['webhook-not-found'] },
      params: OfWebhook,
      querystring: DeliveryQuery,
      response: { 200: Type.Array(Delivery) }
    },
    handler: async (request, reply) => {
      const { limit, cursor, status } = request.query
      const { id } = await found(request.params.id)
      const beforeId = decodeCursor(cursor, parseUuid)
      const [rows, total] = await Promise.all([
        deliveries.list(db, id, status, { beforeId, rows: getFetchSize(limit) }),
        deliveries.count(db, id, status)
      ])
      return sendPage(request, reply, settings, { rows, limit, total, cursorAfter: row => encodeCursor(row.id) })
    }
  })

  app.get('/webhooks/:id/deliveries/:deliveryId', {
    config: { requires: ['admin'] },
    schema: {
      summary: 'Get a delivery with its message and all attempts',
      description: 'The message as it was sent, and status, time and duration of every attempt.',
      problems: { 404: ['delivery-not-found'] },
      params: OfDelivery,
      response: { 200: DeliveryInFull }
    },
    handler: async ({ params }) => {
      const delivery = await deliveries.findInFull(db, params.id, params.deliveryId)
      if (delivery === undefined) throw newDeliveryNotFoundProblem()
      return delivery
    }
  })

  app.post('/webhooks/:id/deliveries/:deliveryId/redeliver', {
    config: { requires: ['admin'] },
    schema: {
      summary: 'Redeliver a message',
      description: 'Queues the same message with the same id once more, so that receivers can recognise it.',
      problems: { 404: ['delivery-not-found', 'webhook-not-found'], 409: ['webhook-is-off'] },
      params: OfDelivery,
      response: { 202: Delivery }
    },
    handler: async ({ caller, params }, reply) => reply.code(202).send(await redeliver(db, caller, params))
  })

  async function found(id: number): Promise<WebhookRow> {
    const webhook = await webhooks.find(db, id)
    if (webhook === undefined) throw newWebhookNotFoundProblem(id)
    return webhook
  }
}

function toWire({ version: _, ...webhook }: WebhookRow): Webhook {
  return webhook
}

/** The delivery state changes the ETag but not the version, so it causes no edit conflict. */
function buildWebhookEtag(webhook: WebhookRow): string {
  return buildContentEtag(JSON.stringify(toWire(webhook)), webhook.version)
}

function toWebhookWithEtag(webhook: WebhookRow, reply: FastifyReply): Webhook {
  reply.header('etag', buildWebhookEtag(webhook))
  return toWire(webhook)
}
