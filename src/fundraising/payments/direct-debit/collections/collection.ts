import { randomBytes } from 'node:crypto'
import { record } from '#platform/activity/activity.ts'
import type { Actor, Caller } from '#platform/caller.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import { queueEmails } from '#platform/email/outbox.ts'
import { type IfMatch, requireVersion } from '#platform/http/etag.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { toLocalDay } from '../../../dates.ts'
import { decryptIban } from '../../../encryption/iban-encryption.ts'
import { toAmount } from '../../../money/money.ts'
import type { OrganisationRow } from '../../../organisation/queries.ts'
import * as organisation from '../../../organisation/queries.ts'
import {
  newCollectionFileGoneProblem,
  newCollectionNotFoundProblem,
  newCollectionOutOfDateProblem,
  newCollectionSizeProblem,
  newCreditorIncompleteProblem,
  newNothingToCollectProblem,
  newWrongCollectionDayProblem
} from '../../../problems/direct-debit.ts'
import { addDays, getEarliestCollectionDay, isBankDay } from '../bank-days.ts'
import { buildMandateTerms } from '../mandates/mandate.ts'
import { buildPain008, toBlockKey } from '../pain008.ts'
import { toSepaCharacters } from '../transliteration.ts'
import type { EligibilityFilter, EligibilityTerms, EligibleDonation } from './eligible-donations.ts'
import * as waiting from './eligible-donations.ts'
import type { CollectionItem } from './item-queries.ts'
import * as collectionItems from './item-queries.ts'
import type { CollectionBlock, CollectionRow, Preview, SkippedDonations } from './queries.ts'
import * as collections from './queries.ts'
import { collectionSizeMax, type NewCollection } from './schema.ts'

/** Banks do not keep files for longer, and donors forget. */
const daysAheadMax = 90
/** A mandate that is unused for this long is void. */
const mandateMonths = 36

interface CollectionOptions {
  settings: Settings
  now?: Date
}

/** Creates a collection file with all eligible donations and queues the pre-notifications to donors. */
export async function createCollection(
  db: Database,
  by: Caller,
  input: NewCollection,
  { settings, now = new Date() }: CollectionOptions
): Promise<CollectionRow> {
  const which = toEligibilityFilter(input)
  return await db.transaction(async tx => {
    const { terms, earliestOn, creditorName } = getTerms(await organisation.find(tx), settings, now)
    const collectOn = input.collectOn ?? earliestOn
    const latest = addDays(toLocalDay(now, settings.timezone), daysAheadMax)
    if (!isBankDay(collectOn) || collectOn < earliestOn || collectOn > latest)
      throw newWrongCollectionDayProblem(earliestOn, latest)

    await collections.lockCollections(tx)
    const found = await waiting.lockEligible(tx, which, terms, collectionSizeMax + 1)
    const items = found.slice(0, collectionSizeMax).map(withRemittance)
    const leftOut = await listAllSkipped(tx, which, terms)
    if (items.length === 0) throw newNothingToCollectProblem(leftOut)
    if (found.length > items.length)
      leftOut.push({ code: 'too-many', count: found.length - items.length, references: [] })

    const notified = settings.smtpUrl === undefined ? [] : items.filter(({ hasEmail }) => hasEmail)
    const blocks = groupIntoBlocks(items)
    const amountCents = blocks.reduce((sum, block) => sum + block.amountCents, 0)
    const made = await collections.insert(
      tx,
      {
        collectOn,
        messageId: newMessageId(now),
        creditorId: terms.creditorId,
        creditorName,
        batchBooking: input.batchBooking ?? true,
        count: items.length,
        amountCents,
        notifiedCount: notified.length,
        blocks,
        skipped: leftOut
      },
      by.name,
      now
    )
    await collectionItems.insertItems(tx, made.id, items)
    const abouts = notified.map(({ campaignId, donationId }) => `${made.id} ${campaignId} ${donationId}`)
    await queueEmails(tx, settings, { kind: 'pre-notification', abouts }, now)
    await recordCollection(tx, { by, now }, 'collection.made', made)
    return made
  })
}

/** What a collection created now would contain. */
export async function previewCollection(
  db: Database,
  campaignId: number | undefined,
  { settings, now = new Date() }: CollectionOptions
): Promise<Preview> {
  const { terms, earliestOn } = getTerms(await organisation.find(db), settings, now)
  const which: EligibilityFilter = { campaignId, donations: undefined }
  const [sums, leftOut] = await Promise.all([
    waiting.listEligibleSums(db, which, terms),
    listAllSkipped(db, which, terms)
  ])
  const count = sums.reduce((total, sum) => total + sum.count, 0)
  const withoutEmail = sums.reduce((total, sum) => total + sum.withoutEmail, 0)
  return {
    blocks: sums.map(({ withoutEmail: _, ...block }) => block),
    skipped: leftOut,
    notNotifiedCount: settings.smtpUrl === undefined ? count : withoutEmail,
    earliestOn
  }
}

/**
 * The file for the bank. Built from the stored items of the collection, so it is the same every time; if a donation
 * changed before the file was submitted, the file is refused as out of date.
 */
export async function buildCollectionFile(
  db: Database,
  id: number,
  settings: Settings
): Promise<{ row: CollectionRow; xml: string }> {
  const row = await collections.find(db, id)
  if (row === undefined) throw newCollectionNotFoundProblem()
  if (row.status === 'cancelled') throw newCollectionFileGoneProblem()
  const [debits, changed] = await Promise.all([
    collectionItems.listDebits(db, id),
    row.status === 'made' ? collectionItems.listChangedReferences(db, id) : []
  ])
  if (changed.length > 0) throw newCollectionOutOfDateProblem(changed)
  const xml = buildPain008({
    ...row,
    debits: debits.map(({ encryptedIban, accountName, ...debit }) => {
      if (encryptedIban === null) throw newCollectionFileGoneProblem()
      return { ...debit, debtorName: accountName ?? '', debtorIban: decryptIban(settings, encryptedIban) }
    })
  })
  return { row, xml }
}

/** The file contains IBANs, so every download is recorded in the activity log. */
export async function recordDownload(db: Database, by: Caller, row: CollectionRow, now = new Date()): Promise<void> {
  await db.transaction(async tx => await recordCollection(tx, { by, now }, 'collection.downloaded', row))
}

export async function recordCollection(
  tx: Database,
  { by, now }: Required<Actor>,
  action: string,
  { id, status, collectOn, count, amountCents }: CollectionRow
): Promise<void> {
  const details = { status, collectOn, count, amount: toAmount(amountCents) }
  await record(tx, { by, now }, action, { subject: 'collection', id, details })
}

export async function lockCollection(tx: Database, id: number, expected: IfMatch): Promise<CollectionRow> {
  const row = await collections.lock(tx, id)
  if (row === undefined) throw newCollectionNotFoundProblem()
  requireVersion(expected, row.version)
  return row
}

function toEligibilityFilter({ campaignId, donations }: NewCollection): EligibilityFilter {
  if (donations != null && (donations.length < 1 || donations.length > collectionSizeMax)) {
    throw newCollectionSizeProblem(collectionSizeMax)
  }
  return { campaignId: campaignId ?? undefined, donations: donations ?? undefined }
}

function getTerms(
  row: OrganisationRow,
  { timezone }: Settings,
  now: Date
): { terms: EligibilityTerms; earliestOn: string; creditorName: string } {
  const mandate = buildMandateTerms(row)
  if (mandate === undefined) throw newCreditorIncompleteProblem()
  const today = toLocalDay(now, timezone)
  const oldest = new Date(`${today}T00:00:00Z`)
  oldest.setUTCMonth(oldest.getUTCMonth() - mandateMonths)
  return {
    terms: { creditorId: mandate.creditorId, oldestMandate: oldest.toISOString().slice(0, 10) },
    earliestOn: getEarliestCollectionDay(today, row.preNotificationDays),
    creditorName: mandate.creditorName
  }
}

async function listAllSkipped(
  db: Database,
  which: EligibilityFilter,
  terms: EligibilityTerms
): Promise<SkippedDonations[]> {
  const [waitingStill, notWaiting] = await Promise.all([
    waiting.listSkipped(db, which, terms),
    which.donations === undefined ? [] : waiting.listNotWaitingForDebit(db, which.donations)
  ])
  return [...waitingStill, ...notWaiting]
}

/** The remittance text on the donor's statement. */
function withRemittance(one: EligibleDonation): CollectionItem {
  const { remittance } = getMessages('collection-file', one.language ?? 'en')
  const text = remittance({ reference: one.reference, campaign: one.campaignName })
  return { ...one, remittance: toSepaCharacters(text, 140) }
}

function groupIntoBlocks(items: CollectionItem[]): CollectionBlock[] {
  const blocks = new Map<string, CollectionBlock>()
  for (const item of items) {
    const { account, sequenceType } = item
    const block = blocks.get(toBlockKey(item)) ?? { account, sequenceType, count: 0, amountCents: 0 }
    block.count += 1
    block.amountCents += item.amountCents
    blocks.set(toBlockKey(item), block)
  }
  return [...blocks.values()]
}

/** Unique across installations, because a bank rejects a file whose message id it has already seen. */
function newMessageId(now: Date): string {
  const moment = now.toISOString().replace(/[-:]/g, '').slice(0, 15).replace('T', '-')
  return `KALENDS-${moment}-${randomBytes(3).toString('hex').toUpperCase()}`
}
