import { record } from '#platform/activity/activity.ts'
import type { Actor } from '#platform/caller.ts'
import type { Database } from '#platform/database/database.ts'
import { isDonorToken } from '../encryption/donor-token.ts'
import { newNewsNotFoundProblem } from '../problems/updates.ts'
import type { NewsRow } from './queries.ts'
import * as news from './queries.ts'
import type { NewsConsent } from './schema.ts'

export async function findSubscription(db: Database, token: string): Promise<NewsRow> {
  const row = isDonorToken(token) ? await news.findByToken(db, token) : undefined
  if (row === undefined) throw newNewsNotFoundProblem()
  return row
}

/** The donor unsubscribes with the link of an email. A repeated call changes nothing. */
export async function unsubscribe(db: Database, { by, now = new Date() }: Actor, token: string): Promise<NewsRow> {
  return await db.transaction(async tx => {
    const row = await findSubscription(tx, token)
    const ended = await news.end(tx, row, 'donor', now)
    await recordEnd(tx, { by, now }, row.campaignId, ended)
    return { ...row, isActive: false }
  })
}

/** A treasurer unsubscribes a donor who asked for it. */
export async function endConsent(
  db: Database,
  { by, now = new Date() }: Actor,
  key: { campaignId: number; id: string }
): Promise<NewsConsent> {
  return await db.transaction(async tx => {
    const ended = await news.end(tx, key, 'treasurer', now)
    const consent = await news.findOfDonation(tx, key)
    if (consent === undefined) throw newNewsNotFoundProblem()
    await recordEnd(tx, { by, now }, key.campaignId, ended)
    return consent
  })
}

async function recordEnd(tx: Database, actor: Required<Actor>, campaignId: number, ended: string[]): Promise<void> {
  for (const id of ended) {
    await record(tx, actor, 'donation.unsubscribed', { subject: 'donation', id, details: { campaignId } })
  }
}
