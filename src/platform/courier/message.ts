import { createHmac } from 'node:crypto'
import type { Database } from '../database.ts'
import { decrypt, type Keys } from '../encryption.ts'
import type { Subject } from '../service.ts'
import type { Claimed } from './queries.ts'

/** What all that is told has: the same as the stream says. */
export interface Told {
  id: string
  action: string
  at: string
  subject: string
  subjectId: string
  details: Record<string, unknown>
}

/** What may be said of something that not everybody may read: which fields, which state, and where it belongs. */
const harmless = ['campaignId', 'amount', 'status', 'before', 'changed', 'fields', 'language', 'removed'] as const

/**
 * What is sent for each, by id: the thing as everybody may read it now, or little more than its id. One question for all
 * things of a kind.
 */
export async function messagesFor(
  db: Database,
  told: Told[],
  subjects: Record<string, Subject>,
  origin: string
): Promise<Map<string, string>> {
  const messages = new Map<string, string>()
  for (const subject of new Set(told.map(one => one.subject))) {
    const some = told.filter(one => one.subject === subject)
    const ids = [...new Set(some.map(one => one.subjectId))]
    const things = (await subjects[subject]?.represent?.(db, ids, origin)) ?? new Map<string, object>()
    for (const one of some) messages.set(one.id, messageOf(one, things.get(one.subjectId)))
  }
  return messages
}

function messageOf(told: Told, thing: object | undefined): string {
  return JSON.stringify({ type: told.action, timestamp: told.at, data: dataOf(told, thing) })
}

/** The thing, if everybody may read it; else what names it. The stream says the same. */
export function dataOf(
  { subject, subjectId, details }: Pick<Told, 'subject' | 'subjectId' | 'details'>,
  thing: object | undefined
): object {
  if (thing !== undefined) return thing
  const known = harmless.flatMap(name => (details[name] === undefined ? [] : [[name, details[name]]]))
  const id = /^\d{1,15}$/.test(subjectId) ? Number(subjectId) : subjectId
  return { id, subject, ...Object.fromEntries(known) }
}

/** A secret as it is stored: sealed, or in the clear from before secrets were. */
type Signing = Pick<
  Claimed,
  'id' | 'sealedSecret' | 'secretBefore' | 'sealedPrevious' | 'previousBefore' | 'previousSecretUntil'
>

/** The headers of https://www.standardwebhooks.com: signed with every secret that is good at the moment. */
export function signedHeaders(keys: Keys, claimed: Signing, body: string, now: Date): Record<string, string> {
  const { id, previousSecretUntil } = claimed
  const timestamp = Math.floor(now.getTime() / 1000)
  const previousIsGood = previousSecretUntil !== null && now.toISOString() < previousSecretUntil
  const secrets = [
    openSecret(keys, claimed.sealedSecret, claimed.secretBefore),
    previousIsGood ? openSecret(keys, claimed.sealedPrevious, claimed.previousBefore) : null
  ].filter(secret => secret !== null)
  if (secrets.length === 0) throw new Error('A webhook that is on has no secret.')
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

function openSecret(keys: Keys, sealed: Buffer | null, before: Buffer | null): Buffer | null {
  return sealed === null ? before : decrypt(keys, 'webhook secrets', sealed)
}
