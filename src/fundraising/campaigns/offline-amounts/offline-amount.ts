import { record } from '#platform/activity/activity.ts'
import type { Actor } from '#platform/caller.ts'
import type { Database } from '#platform/database/database.ts'
import { newUuidV7 } from '#platform/ids.ts'
import { buildText } from '#platform/messages/messages.ts'
import { Problem } from '#platform/problem.ts'
import { toLocalDay } from '../../dates.ts'
import { toAmount } from '../../money/money.ts'
import { newCampaignNotFoundProblem } from '../../problems/campaigns.ts'
import { newReceivedInFutureProblem } from '../../problems/payments.ts'
import * as campaigns from '../queries.ts'
import { toRequiredTexts } from '../texts.ts'
import type { OfflineAmountRow } from './queries.ts'
import * as offlineAmounts from './queries.ts'
import type { NewOfflineAmount, OfflineAmount } from './schema.ts'

/** Adds money that was collected outside of donations. No donation and no payment is recorded for it. */
export async function addOfflineAmount(
  db: Database,
  { by, timezone, now = new Date() }: Actor & { timezone: string },
  campaignId: number,
  input: NewOfflineAmount
): Promise<OfflineAmount> {
  const row: OfflineAmountRow = {
    id: newUuidV7(now.getTime()),
    amountCents: input.amount,
    receivedOn: input.receivedOn,
    label: toRequiredTexts(input.label, '/label'),
    createdAt: now.toISOString()
  }
  const today = toLocalDay(now, timezone)
  if (row.receivedOn > today) throw newReceivedInFutureProblem(today)
  return await db.transaction(async tx => {
    await requireLockedCampaign(tx, campaignId)
    if ((await offlineAmounts.count(tx, campaignId)) >= offlineAmounts.offlineAmountsMax) throw newTooManyProblem()
    await offlineAmounts.insert(tx, campaignId, row)
    const details = { amount: toAmount(row.amountCents), label: row.label }
    await record(tx, { by, now }, 'campaign.offline_amount_added', { subject: 'campaign', id: campaignId, details })
    return toWire(row)
  })
}

export async function removeOfflineAmount(
  db: Database,
  { by, now = new Date() }: Actor,
  campaignId: number,
  id: string
): Promise<void> {
  await db.transaction(async tx => {
    await requireLockedCampaign(tx, campaignId)
    const removed = await offlineAmounts.remove(tx, campaignId, id)
    if (removed === undefined) throw newOfflineAmountNotFoundProblem()
    const details = { amount: toAmount(removed.amountCents), label: removed.label }
    await record(tx, { by, now }, 'campaign.offline_amount_removed', { subject: 'campaign', id: campaignId, details })
  })
}

export function toWire({ id, amountCents, receivedOn, label, createdAt }: OfflineAmountRow): OfflineAmount {
  return { id, amount: toAmount(amountCents), receivedOn, label, createdAt }
}

async function requireLockedCampaign(tx: Database, campaignId: number): Promise<void> {
  if ((await campaigns.lock(tx, campaignId)) === undefined) throw newCampaignNotFoundProblem(campaignId)
}

const newOfflineAmountNotFoundProblem = () =>
  new Problem(404, 'offline-amount-not-found', buildText('fundraising-problems', 'offlineAmountNotFound'))

const newTooManyProblem = () =>
  new Problem(
    422,
    'too-many-offline-amounts',
    buildText('fundraising-problems', 'tooManyOfflineAmounts', { offlineAmountsMax: offlineAmounts.offlineAmountsMax })
  )
