import { randomBytes } from 'node:crypto'
import type { Caller } from '#platform/access.ts'
import { record } from '#platform/activity/activity.ts'
import { type IfMatch, refuseStale } from '#platform/conditional.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database.ts'
import { postMails } from '#platform/mail/letter.ts'
import { dayOf } from '../../days.ts'
import { toAmount } from '../../money.ts'
import type { OrganisationRow } from '../../organisation/queries.ts'
import * as organisation from '../../organisation/queries.ts'
import { openIban } from '../../vault.ts'
import { addDays, earliestCollection, isBankDay } from '../bank-days.ts'
import { mandateTerms } from '../mandates/mandate.ts'
import { pain008, toBlockKey } from '../pain008.ts'
import {
  cannotCollectYet,
  collectionFileGone,
  collectionNotFound,
  collectionOutOfDate,
  nothingToCollect,
  wrongCollectionDay,
  wrongNumberToCollect
} from '../problems.ts'
import { inSepaCharacters } from '../transliteration.ts'
import type { Block, CollectionRow, Item, LeftOut, Preview } from './queries.ts'
import * as collections from './queries.ts'
import { collectedMax, type NewCollection } from './schema.ts'
import type { Collectable, Terms, Which } from './waiting.ts'
import * as waiting from './waiting.ts'

/** Banks do not keep files for longer, and neither do donors remember. */
const daysAheadMax = 90
/** A mandate that was not used for so long is void. */
const mandateMonths = 36

interface Moment {
  settings: Settings
  now?: Date
}

/** Takes everything that can be collected into a file for the bank, and has donors told. */
export async function makeCollection(
  db: Database,
  by: Caller,
  input: NewCollection,
  { settings, now = new Date() }: Moment
): Promise<CollectionRow> {
  const which = whichOf(input)
  return await db.transaction(async tx => {
    const { terms, earliestOn, creditorName } = termsOf(await organisation.find(tx), settings, now)
    const collectOn = input.collectOn ?? earliestOn
    const latest = addDays(dayOf(now, settings.timezone), daysAheadMax)
    if (!isBankDay(collectOn) || collectOn < earliestOn || collectOn > latest)
      throw wrongCollectionDay(earliestOn, latest)

    await collections.oneAtATime(tx)
    const found = await waiting.lockCollectable(tx, which, terms, collectedMax + 1)
    const items = found.slice(0, collectedMax).map(withRemittance)
    const leftOut = await leftOutOf(tx, which, terms)
    if (items.length === 0) throw nothingToCollect(leftOut)
    if (found.length > items.length)
      leftOut.push({ code: 'too-many', count: found.length - items.length, references: [] })

    const told = settings.smtpUrl === undefined ? [] : items.filter(({ hasEmail }) => hasEmail)
    const blocks = blocksOf(items)
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
        notifiedCount: told.length,
        blocks,
        leftOut
      },
      by.name,
      now
    )
    await collections.insertItems(tx, made.id, items)
    const abouts = told.map(({ campaignId, donationId }) => `${made.id} ${campaignId} ${donationId}`)
    await postMails(tx, settings, { kind: 'pre-notification', abouts }, now)
    await recordCollection(tx, by, now, 'collection.made', made)
    return made
  })
}

/** What would be collected if somebody did it now. */
export async function previewCollection(
  db: Database,
  campaignId: number | undefined,
  { settings, now = new Date() }: Moment
): Promise<Preview> {
  const { terms, earliestOn } = termsOf(await organisation.find(db), settings, now)
  const which: Which = { campaignId, donations: undefined }
  const [sums, leftOut] = await Promise.all([
    waiting.listCollectableSums(db, which, terms),
    leftOutOf(db, which, terms)
  ])
  const count = sums.reduce((total, sum) => total + sum.count, 0)
  const withoutEmail = sums.reduce((total, sum) => total + sum.withoutEmail, 0)
  return {
    blocks: sums.map(({ withoutEmail: _, ...block }) => block),
    leftOut,
    notToldCount: settings.smtpUrl === undefined ? count : withoutEmail,
    earliestOn
  }
}

/**
 * The file for the bank. It is written of what the collection was made of, so it is the same every time; where something happened
 * to a donation before the bank had it, it is not handed out any more.
 */
export async function writeFile(
  db: Database,
  id: number,
  settings: Settings
): Promise<{ row: CollectionRow; xml: string }> {
  const row = await collections.find(db, id)
  if (row === undefined) throw collectionNotFound()
  if (row.status === 'cancelled') throw collectionFileGone()
  const [debits, changed] = await Promise.all([
    collections.listDebits(db, id),
    row.status === 'made' ? collections.listChanged(db, id) : []
  ])
  if (changed.length > 0) throw collectionOutOfDate(changed)
  const xml = pain008({
    ...row,
    debits: debits.map(({ sealedIban, accountName, ...debit }) => {
      if (sealedIban === null) throw collectionFileGone()
      return { ...debit, debtorName: accountName ?? '', debtorIban: openIban(settings, sealedIban) }
    })
  })
  return { row, xml }
}

/** Account numbers leave the house with the file, so it is written down who took it. */
export async function recordDownload(db: Database, by: Caller, row: CollectionRow, now = new Date()): Promise<void> {
  await db.transaction(async tx => await recordCollection(tx, by, now, 'collection.downloaded', row))
}

export async function recordCollection(
  tx: Database,
  by: Caller,
  now: Date,
  action: string,
  { id, status, collectOn, count, amountCents }: CollectionRow
): Promise<void> {
  const details = { status, collectOn, count, amount: toAmount(amountCents) }
  await record(tx, by, now, action, { subject: 'collection', id, details })
}

export async function lockCollection(tx: Database, id: number, expected: IfMatch): Promise<CollectionRow> {
  const row = await collections.lock(tx, id)
  if (row === undefined) throw collectionNotFound()
  refuseStale(expected, row.version)
  return row
}

function whichOf({ campaignId, donations }: NewCollection): Which {
  if (donations != null && (donations.length < 1 || donations.length > collectedMax)) {
    throw wrongNumberToCollect(collectedMax)
  }
  return { campaignId: campaignId ?? undefined, donations: donations ?? undefined }
}

function termsOf(
  row: OrganisationRow,
  { timezone }: Settings,
  now: Date
): { terms: Terms; earliestOn: string; creditorName: string } {
  const mandate = mandateTerms(row)
  if (mandate === undefined) throw cannotCollectYet()
  const today = dayOf(now, timezone)
  const oldest = new Date(`${today}T00:00:00Z`)
  oldest.setUTCMonth(oldest.getUTCMonth() - mandateMonths)
  return {
    terms: { creditorId: mandate.creditorId, oldestMandate: oldest.toISOString().slice(0, 10) },
    earliestOn: earliestCollection(today, row.preNotificationDays),
    creditorName: mandate.creditorName
  }
}

async function leftOutOf(db: Database, which: Which, terms: Terms): Promise<LeftOut[]> {
  const [waitingStill, notWaiting] = await Promise.all([
    waiting.listLeftOut(db, which, terms),
    which.donations === undefined ? [] : waiting.listNotWaiting(db, which.donations)
  ])
  return [...waitingStill, ...notWaiting]
}

/** What the donor reads on the statement. */
function withRemittance(one: Collectable): Item {
  const word = one.language === 'de' ? 'Spende' : 'Donation'
  return { ...one, remittance: inSepaCharacters(`${word} ${one.reference} ${one.campaignName}`, 140) }
}

function blocksOf(items: Item[]): Block[] {
  const blocks = new Map<string, Block>()
  for (const item of items) {
    const { account, sequenceType } = item
    const block = blocks.get(toBlockKey(item)) ?? { account, sequenceType, count: 0, amountCents: 0 }
    block.count += 1
    block.amountCents += item.amountCents
    blocks.set(toBlockKey(item), block)
  }
  return [...blocks.values()]
}

/** No two alike, also not in two installations: a bank refuses a file whose name it has seen. */
function newMessageId(now: Date): string {
  const moment = now.toISOString().replace(/[-:]/g, '').slice(0, 15).replace('T', '-')
  return `KALENDS-${moment}-${randomBytes(3).toString('hex').toUpperCase()}`
}
