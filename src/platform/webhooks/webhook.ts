import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { record } from '../activity/activity.ts'
import type { Actor, Caller } from '../caller.ts'
import type { Database } from '../database/database.ts'
import { type EncryptionKeys, encrypt } from '../encryption/encryption.ts'
import { type IfMatch, requireVersion } from '../http/etag.ts'
import { newUuidV7 } from '../ids.ts'
import { buildText } from '../messages/messages.ts'
import { newFieldProblem, Problem } from '../problem.ts'
import * as deliveries from './deliveries/queries.ts'
import type { Delivery } from './deliveries/schema.ts'
import type { WebhookRow } from './queries.ts'
import * as webhooks from './queries.ts'
import { allActions, type NewWebhook, type WebhookChanges } from './schema.ts'

const secretBytes = 24
/** How long messages are also signed with the previous secret. */
const previousSecretMs = 24 * 3_600_000

/** Creates a webhook. Only this response contains its secret. */
export async function createWebhook(
  db: Database,
  by: Caller,
  input: NewWebhook,
  { settings, now = new Date() }: { settings: EncryptionKeys; now?: Date }
): Promise<WebhookRow & { secret: string }> {
  requireKey(settings)
  const fields = { url: input.url, actions: toDistinctActions(input.actions), description: input.description ?? '' }
  return await db.transaction(async tx => {
    if ((await webhooks.lockAndCount(tx)) >= webhooks.webhooksMax) throw newTooManyWebhooksProblem()
    const secret = randomBytes(secretBytes)
    const webhook = await webhooks.insert(tx, { ...fields, encryptedSecret: encryptSecret(settings, secret) }, now)
    await record(tx, { by, now }, 'webhook.created', {
      subject: 'webhook',
      id: webhook.id,
      details: { name: getHost(webhook.url), actions: webhook.actions }
    })
    return { ...webhook, secret: formatSecret(secret) }
  })
}

/**
 * Changes the given fields. A webhook that is switched on, or has a new URL, starts over: all waiting deliveries are
 * due.
 */
export async function changeWebhook(
  db: Database,
  { by, expected, now = new Date() }: Actor & { expected: IfMatch },
  id: number,
  changes: WebhookChanges
): Promise<WebhookRow> {
  return await db.transaction(async tx => {
    const before = await lockWebhook(tx, id)
    requireVersion(expected, before.version)
    const wanted = {
      url: changes.url ?? before.url,
      actions: changes.actions === undefined ? before.actions : toDistinctActions(changes.actions),
      description: changes.description ?? before.description,
      isOn: changes.isOn ?? before.isOn
    }
    const fields = (Object.keys(wanted) as (keyof typeof wanted)[]).filter(
      field => !isDeepStrictEqual(wanted[field], before[field])
    )
    if (fields.length === 0) return before
    if (wanted.isOn && !before.isOn && !(await webhooks.hasSecret(tx, id))) throw newWebhookSecretMissingProblem()

    const after = await webhooks.update(tx, id, wanted, now)
    const startsAnew = wanted.isOn && (fields.includes('isOn') || fields.includes('url'))
    if (startsAnew) await deliveries.makeDue(tx, id, now)
    await record(tx, { by, now }, 'webhook.updated', {
      subject: 'webhook',
      id,
      details: { name: getHost(after.url), fields }
    })
    return startsAnew ? await webhooks.resetFailures(tx, id) : after
  })
}

/** Replaces the secret. Only this response contains it. */
export async function renewSecret(
  db: Database,
  by: Caller,
  id: number,
  { settings, now = new Date() }: { settings: EncryptionKeys; now?: Date }
): Promise<string> {
  requireKey(settings)
  return await db.transaction(async tx => {
    const { url } = await lockWebhook(tx, id)
    const secret = randomBytes(secretBytes)
    await webhooks.replaceSecret(tx, id, encryptSecret(settings, secret), {
      now,
      until: new Date(now.getTime() + previousSecretMs)
    })
    await record(tx, { by, now }, 'webhook.secret_changed', { subject: 'webhook', id, details: { name: getHost(url) } })
    return formatSecret(secret)
  })
}

/** Also deletes its waiting deliveries and its log. */
export async function removeWebhook(
  db: Database,
  { by, expected, now = new Date() }: Actor & { expected: IfMatch },
  id: number
): Promise<void> {
  await db.transaction(async tx => {
    const before = await lockWebhook(tx, id)
    requireVersion(expected, before.version)
    await webhooks.remove(tx, id)
    await deliveries.removeOfWebhook(tx, id)
    await record(tx, { by, now }, 'webhook.deleted', { subject: 'webhook', id, details: { name: getHost(before.url) } })
  })
}

/** For lost encryption keys: without its secret a webhook could only send messages that its receiver cannot verify. */
export async function switchOffWithoutSecret(tx: Database, by: Caller, now: Date): Promise<void> {
  for (const { id, url } of await webhooks.listWithoutSecret(tx)) {
    await webhooks.switchOff(tx, id, now)
    await record(tx, { by, now }, 'webhook.switched_off', {
      subject: 'webhook',
      id,
      details: { name: getHost(url), reason: 'secret-lost' }
    })
  }
}

/** Queues a test message. */
export async function testWebhook(db: Database, by: Caller, id: number, now = new Date()): Promise<Delivery> {
  return await db.transaction(async tx => {
    const { url, isOn } = await lockWebhook(tx, id)
    if (!isOn) throw newWebhookOffProblem()
    const messageId = newUuidV7(now.getTime())
    await deliveries.insertTest(tx, id, messageId, now)
    await webhooks.clearBackoff(tx, id)
    await record(tx, { by, now }, 'webhook.tested', { subject: 'webhook', id, details: { name: getHost(url) } })
    const delivery = await deliveries.find(tx, id, messageId)
    if (delivery === undefined) throw new Error(`The test delivery of webhook ${id} was not inserted.`)
    return delivery
  })
}

/** Sends a message again at once. */
export async function redeliver(
  db: Database,
  by: Caller,
  { id, deliveryId }: { id: number; deliveryId: string },
  now = new Date()
): Promise<Delivery> {
  return await db.transaction(async tx => {
    const { url, isOn } = await lockWebhook(tx, id)
    if (!(await deliveries.requeue(tx, id, deliveryId))) throw newDeliveryNotFoundProblem()
    if (!isOn) throw newWebhookOffProblem()
    await webhooks.clearBackoff(tx, id)
    await record(tx, { by, now }, 'webhook.redelivered', {
      subject: 'webhook',
      id,
      details: { name: getHost(url), deliveryId }
    })
    const delivery = await deliveries.find(tx, id, deliveryId)
    if (delivery === undefined) throw newDeliveryNotFoundProblem()
    return delivery
  })
}

async function lockWebhook(tx: Database, id: number): Promise<WebhookRow> {
  const webhook = await webhooks.lock(tx, id)
  if (webhook === undefined) throw newWebhookNotFoundProblem(id)
  return webhook
}

/** Only the host, because the full URL may contain a token of the receiver. */
function getHost(url: string): string {
  return new URL(url).host
}

function encryptSecret(settings: EncryptionKeys, secret: Buffer): Buffer {
  return encrypt(settings, 'webhook secrets', secret)
}

/** A process that only renders pages may have no key. */
function requireKey({ encryptionKey }: EncryptionKeys): void {
  if (encryptionKey !== undefined) return
  throw new Problem(503, 'no-encryption-key', buildText('webhook-problems', 'noEncryptionKey'))
}

function formatSecret(secret: Buffer): string {
  return `whsec_${secret.toString('base64')}`
}

function toDistinctActions(actions: string[]): string[] {
  if (actions.includes(allActions)) return [allActions]
  if (actions.length > 0) return [...new Set(actions)]
  throw newFieldProblem(400, '/actions', 'empty', buildText('webhook-problems', 'actionsEmpty'))
}

export const newWebhookNotFoundProblem = (id: number) =>
  new Problem(404, 'webhook-not-found', buildText('webhook-problems', 'webhookNotFound', { id }))

export const newDeliveryNotFoundProblem = () =>
  new Problem(404, 'delivery-not-found', buildText('webhook-problems', 'deliveryNotFound'))

const newWebhookOffProblem = () => new Problem(409, 'webhook-is-off', buildText('webhook-problems', 'webhookOff'))

const newWebhookSecretMissingProblem = () =>
  new Problem(409, 'webhook-has-no-secret', buildText('webhook-problems', 'webhookSecretMissing'))

const newTooManyWebhooksProblem = () =>
  new Problem(
    409,
    'too-many-webhooks',
    buildText('webhook-problems', 'tooManyWebhooks', { webhooksMax: webhooks.webhooksMax })
  )
