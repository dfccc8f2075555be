import { setTimeout as sleep } from 'node:timers/promises'
import { record } from '#platform/activity/activity.ts'
import * as samples from '#platform/activity/sample-queries.ts'
import type { Caller } from '#platform/caller.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import type { SampleRemoval } from '#platform/http/service.ts'
import type { Text } from '#platform/language.ts'
import { buildText } from '#platform/messages/messages.ts'
import * as campaigns from '../campaigns/queries.ts'
import * as totals from '../campaigns/totals/queries.ts'
import * as donations from '../donations/queries.ts'
import { getTotalsContribution } from '../donations/status-change.ts'
import { listSamples } from '../sample-donations.ts'
import type { SampleDonation } from './sample-queries.ts'
import * as content from './sample-queries.ts'

/**
 * The pause between hiding the campaigns and removing them. A donation reads its campaign before its transaction and
 * takes no lock on it, so a donation in flight when the campaign is hidden can still be inserted; it is removed too.
 */
const pauseMs = 1000

/**
 * Removes sample campaigns with all their donations, and the fictitious donations of sample campaigns that were edited
 * since. Donations with real money or a receipt stay, and so do their campaigns.
 */
export async function removeFundraisingSamples(db: Database, by: Caller, _: Settings): Promise<SampleRemoval> {
  const marked = await listSamples(db)
  const ids = [...new Set([...marked.campaigns, ...(await content.listCampaignIds(db, marked.donations))])]
  let wereOpen = false
  for (const id of marked.campaigns) if (await hideCampaign(db, by, id)) wereOpen = true
  if (wereOpen) await sleep(pauseMs)

  const result: SampleRemoval = { removed: [], kept: [] }
  for (const id of ids.toSorted((one, other) => one - other)) {
    const { removed, kept } = await db.transaction(async tx => await removeCampaign(tx, id))
    result.removed.push(...removed)
    result.kept.push(...kept)
  }
  return result
}

/** Hides the campaign from donors. Returns whether it was open to donations. */
async function hideCampaign(db: Database, by: Caller, id: number, now = new Date()): Promise<boolean> {
  return await db.transaction(async tx => {
    const campaign = await content.lockCampaign(tx, id)
    const { isMarked, toKeep } = await classifyDonations(tx, id)
    if (campaign === undefined || campaign.isDeleted || !isMarked || toKeep.length > 0) return false
    await campaigns.setDeleted(tx, id, now, now)
    await record(tx, { by, now }, 'campaign.deleted', { subject: 'campaign', id, details: { name: campaign.name } })
    return campaign.isOpen
  })
}

interface Classification {
  isMarked: boolean
  toRemove: SampleDonation[]
  toKeep: (SampleDonation & { reason: Text; isInvented: boolean })[]
}

/** Decides which donations of a campaign are removed, and which stay and why. */
async function classifyDonations(tx: Database, campaignId: number): Promise<Classification> {
  const all = await content.lockDonations(tx, campaignId)
  const marks = await samples.listAmong(tx, [
    { kind: 'campaign', id: String(campaignId) },
    ...all.map(({ id }) => ({ kind: 'donation', id }))
  ])
  const isMarked = marks.some(({ kind }) => kind === 'campaign')
  const invented = new Set(marks.filter(({ kind }) => kind === 'donation').map(({ id }) => id))
  const concerned = all.filter(({ id }) => isMarked || invented.has(id))
  const withReasons = concerned.map(one => {
    const isInvented = invented.has(one.id)
    return { ...one, isInvented, reason: getReasonToKeep(one, isInvented) }
  })
  return {
    isMarked,
    toRemove: withReasons.filter(({ reason }) => reason === undefined),
    toKeep: withReasons.flatMap(one => (one.reason === undefined ? [] : [{ ...one, reason: one.reason }]))
  }
}

function getReasonToKeep(donation: SampleDonation, isInvented: boolean): Text | undefined {
  const { reference, receiptNumber } = donation
  if (receiptNumber !== null) {
    return buildText('fundraising-problems', 'sampleHasReceipt', { receiptNumber, reference })
  }
  if (donation.hasEntry) {
    return buildText('fundraising-problems', 'sampleIsBooked', { reference })
  }
  if (donation.isCollected) {
    return buildText('fundraising-problems', 'sampleIsCollected', { reference })
  }
  if (donation.isReceived && !isInvented) {
    return buildText('fundraising-problems', 'notSampleButReceived', { reference })
  }
  return undefined
}

async function removeCampaign(tx: Database, id: number): Promise<SampleRemoval> {
  const campaign = await content.lockCampaign(tx, id)
  const { isMarked, toRemove, toKeep } = await classifyDonations(tx, id)
  const ids = toRemove.map(one => one.id)
  const removed = ids.map(donationId => ({ kind: 'donation', id: donationId }))
  if (isMarked && toKeep.length === 0) {
    await content.removeDonations(tx, id, ids)
    await content.removeCampaign(tx, id)
    await unmark(tx, ids, [id])
    return { removed: campaign === undefined ? removed : [...removed, { kind: 'campaign', id: String(id) }], kept: [] }
  }

  await subtractFromTotals(tx, id, ids)
  await content.removeDonations(tx, id, ids)
  // Real money makes it a real campaign; fictitious donations stay marked until they can be removed.
  await unmark(tx, ids, toKeep.some(one => !one.isInvented) ? [id] : [])
  const kept = { kind: 'campaign', id: String(id), name: campaign?.name ?? '' }
  return { removed, kept: toKeep.map(({ reason }) => ({ ...kept, reason })) }
}

async function subtractFromTotals(tx: Database, campaignId: number, ids: string[]): Promise<void> {
  const sum = { donatedCents: 0, transferredCents: 0, donationCount: 0 }
  for (const id of ids) {
    const donation = await donations.lock(tx, campaignId, id)
    // A deleted donation is in no total.
    if (donation === undefined) continue
    const share = getTotalsContribution(donation)
    sum.donatedCents -= share.donatedCents
    sum.transferredCents -= share.transferredCents
    sum.donationCount -= share.donationCount
  }
  await totals.insertDelta(tx, campaignId, sum)
}

async function unmark(tx: Database, donationIds: string[], campaignIds: number[]): Promise<void> {
  await samples.remove(tx, 'donation', donationIds)
  await samples.remove(tx, 'campaign', campaignIds.map(String))
}
