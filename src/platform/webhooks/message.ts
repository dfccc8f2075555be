import { createHmac } from 'node:crypto'
import { buildPublicData } from '../activity/public-representation.ts'
import type { Database } from '../database/database.ts'
import { decrypt, type EncryptionKeys } from '../encryption/encryption.ts'
import type { ActivityType } from '../http/service.ts'
import type { ClaimedDelivery } from './sender-queries.ts'

/** The fields that webhook messages and stream events have in common. */
export interface ActivityMessage {
  id: string
  action: string
  at: string
  subject: string
  subjectId: string
  details: Record<string, unknown>
}

/**
 * Builds the message of each delivery, by id: the current public representation, or little more than the id. One query
 * per subject type.
 */
export async function buildMessages(
  db: Database,
  activities: ActivityMessage[],
  subjects: Record<string, ActivityType>,
  origin: string
): Promise<Map<string, string>> {
  const messages = new Map<string, string>()
  for (const subject of new Set(activities.map(one => one.subject))) {
    const some = activities.filter(one => one.subject === subject)
    const ids = [...new Set(some.map(one => one.subjectId))]
    const things = (await subjects[subject]?.serializePublic?.(db, ids, origin)) ?? new Map<string, object>()
    for (const one of some) messages.set(one.id, formatMessage(one, things.get(one.subjectId)))
  }
  return messages
}

function formatMessage(activity: ActivityMessage, thing: object | undefined): string {
  return JSON.stringify({ type: activity.action, timestamp: activity.at, data: buildPublicData(activity, thing) })
}

/** A stored secret: encrypted, or plaintext from before encryption. */
type SigningSecrets = Pick<
  ClaimedDelivery,
  'id' | 'encryptedSecret' | 'secretBefore' | 'encryptedPrevious' | 'previousBefore' | 'previousSecretUntil'
>

/** The headers of https://www.standardwebhooks.com, signed with every currently valid secret. */
export function buildSignedHeaders(
  keys: EncryptionKeys,
  claimed: SigningSecrets,
  body: string,
  now: Date
): Record<string, string> {
  const { id, previousSecretUntil } = claimed
  const timestamp = Math.floor(now.getTime() / 1000)
  const previousIsGood = previousSecretUntil !== null && now.toISOString() < previousSecretUntil
  const secrets = [
    decryptSecret(keys, claimed.encryptedSecret, claimed.secretBefore),
    previousIsGood ? decryptSecret(keys, claimed.encryptedPrevious, claimed.previousBefore) : null
  ].filter(secret => secret !== null)
  if (secrets.length === 0) throw new Error('An enabled webhook has no signing secret.')
  const signatures = secrets.map(
    secret => `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  )
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' ')
  }
}

function decryptSecret(keys: EncryptionKeys, encrypted: Buffer | null, before: Buffer | null): Buffer | null {
  return encrypted === null ? before : decrypt(keys, 'webhook secrets', encrypted)
}
