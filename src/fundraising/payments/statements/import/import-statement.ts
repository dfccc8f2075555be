import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { record } from '#platform/activity/activity.ts'
import type { Caller } from '#platform/caller.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import { RetryTransaction } from '#platform/database/errors.ts'
import { newUuidV7 } from '#platform/ids.ts'
import { toLocalDay as dayAt } from '../../../dates.ts'
import { type Booking, bookDonations } from '../../../donations/booking.ts'
import { lockDonations } from '../../../donations/status-queries.ts'
import { toEncryptedIbanColumns } from '../../../encryption/iban-encryption.ts'
import { addNotes, formatReturnNote } from '../entries/donation-note.ts'
import { bookArrival, bookReturn } from '../entries/entry-shares.ts'
import type { NewEntry } from '../entry-queries.ts'
import { insertEntries, listKnown } from '../entry-queries.ts'
import { type Decision, matchEntries } from '../matching/matching.ts'
import { describeReturn } from '../matching/reasons.ts'
import { detectFileType, type ParseOptions, parseStatement } from '../parsers/parse-statement.ts'
import type { Entry } from '../parsers/parsed-entry.ts'
import type { StatementRow } from '../queries.ts'
import * as statements from '../queries.ts'
import { applyPayerRules } from './apply-payer-rules.ts'
import { creditCollections, decideCredits } from './collection-credit.ts'

/** An uploaded file, and the mapping of its columns. */
export interface StatementFile {
  bytes: Buffer
  name: string | undefined
  mapping: Record<string, string> | undefined
}

interface ImportContext {
  by: Caller
  settings: Settings
  now: Date
}

/** Entries per transaction: few enough to hold locks only briefly. */
const batchSize = 100
/** While a file is only validated, yield to the event loop after this many entries. */
const entriesInOneTurn = 200

/**
 * Validates the whole file before anything is written; undefined for a file that was imported before, as there is
 * nothing left to check.
 */
export async function surveyStatement(
  db: Database,
  { settings }: ImportContext,
  file: StatementFile
): Promise<Survey | undefined> {
  if ((await statements.findByDigest(db, computeDigest(file))) !== undefined) return undefined
  const reading = parseStatement(file.bytes, toParseOptions(settings, file))
  const survey: Survey = { format: '', currency: null, firstDay: null, lastDay: null }
  let entries = 0
  for await (const { bookedOn, currency } of reading) {
    entries += 1
    if (entries % entriesInOneTurn === 0) await nextTurn()
    survey.currency ??= currencyForm.test(currency) ? currency : null
    const day = toValidDay(bookedOn)
    if (day === null) continue
    if (survey.firstDay === null || day < survey.firstDay) survey.firstDay = day
    if (survey.lastDay === null || day > survey.lastDay) survey.lastDay = day
  }
  return { ...survey, format: truncate(reading.meta.format, 60) }
}

type Survey = Pick<StatementRow, 'format' | 'currency' | 'firstDay' | 'lastDay'>

/** Inserts the statement; returns the existing one if the same file was imported before. */
export async function beginStatement(
  db: Database,
  { by, now }: ImportContext,
  file: StatementFile,
  survey: Survey | undefined
): Promise<{ id: number; repeated: boolean }> {
  const digest = computeDigest(file)
  return await db.transaction(async tx => {
    const fileName = file.name === undefined ? null : truncate(file.name, 255) || null
    const id = survey && (await statements.insert(tx, { ...survey, digest, fileName, importedBy: by.name }, now))
    if (id !== undefined) {
      const details = { format: survey?.format }
      await record(tx, by, now, 'statement.received', { subject: 'statement', id, details })
      return { id, repeated: false }
    }
    const before = await statements.findByDigest(tx, digest)
    if (before === undefined) throw new RetryTransaction('The statement was there, and is not any more.')
    return { id: before.id, repeated: true }
  })
}

/**
 * Imports all entries in batches, each in a transaction of its own: locks are short, and an interrupted import
 * continues when the same file is uploaded again. Concurrent imports of the same file share the work.
 */
export async function importEntries(
  db: Database,
  importing: ImportContext,
  id: number,
  file: StatementFile
): Promise<StatementRow> {
  const begun = await statements.find(db, id)
  if (begun === undefined) throw new Error(`Statement ${id} was begun and is gone.`)
  if (begun.finishedAt !== null) return begun

  let identify = newIdentifier()
  let batch: IdentifiedEntry[] = []
  let part = 1
  for await (const entry of parseStatement(file.bytes, toParseOptions(importing.settings, file))) {
    if (entry.part !== part) {
      // The next file of an archive: entries of the previous one count as known, as if imported separately.
      await importBatch(db, importing, id, batch)
      batch = []
      identify = newIdentifier()
      part = entry.part
    }
    batch.push({ entry, bankKey: identify(entry) })
    if (batch.length < batchSize) continue
    await importBatch(db, importing, id, batch)
    batch = []
  }
  await importBatch(db, importing, id, batch)
  return await finishImport(db, importing, id)
}

interface IdentifiedEntry {
  entry: Entry
  bankKey: Buffer | undefined
}

async function importBatch(db: Database, importing: ImportContext, id: number, read: IdentifiedEntry[]): Promise<void> {
  const { by, settings, now } = importing
  const last = read.at(-1)
  if (last === undefined) return
  await creditCollections(
    db,
    importing,
    read.map(({ entry }) => entry)
  )
  await db.transaction(async tx => {
    const statement = await statements.lock(tx, id)
    const readTo = statement?.readTo ?? 0
    const batch = read.filter(({ entry }) => entry.position > readTo)
    if (batch.length === 0) return

    const keys = batch.flatMap(({ bankKey }) => bankKey ?? [])
    const known = new Map((await listKnown(tx, keys)).map(one => [one.bankKey.toString('hex'), one]))
    const seenIn = (one: IdentifiedEntry) => one.bankKey && known.get(one.bankKey.toString('hex'))
    const unseen = batch.filter(one => seenIn(one) === undefined).map(({ entry }) => entry)
    const decisions = await matchEntries(tx, settings, unseen)
    await decideCredits(tx, unseen, decisions)
    await applyPayerRules(tx, settings, unseen, { decisions, now })
    let next = 0
    const decided = batch.map(one => {
      const before = seenIn(one)
      return before === undefined ? { ...one, decision: decisions[next++] } : { ...one, before }
    })

    const rows = decided.map(one =>
      'before' in one ? newDuplicateRow(one, one.before, now) : newRow(settings, one, one.decision, now)
    )
    if ((await insertEntries(tx, id, rows)) < rows.length)
      throw new RetryTransaction('Another file has the same payment.')
    const booked = decided.flatMap((one, index): Decided[] => {
      const row = rows[index]
      const decision = 'decision' in one ? one.decision : undefined
      if (row === undefined || decision === undefined || decision.donation === null) return []
      return [{ row, decision: { ...decision, donation: decision.donation } }]
    })
    await bookDecided(tx, importing, id, booked)
    const returns = decided.flatMap(one =>
      'decision' in one && one.decision?.result === 'returned' && one.decision.donation !== null
        ? [{ of: one.decision.donation, text: formatReturnNote(one.entry, id, settings.defaultLanguage) }]
        : []
    )
    await addNotes(tx, by, returns, now)
    await statements.setReadTo(tx, id, last.entry.position)
    await statements.recount(tx, id)
  })
}

/** An entry matched with a donation, with its row. */
interface Decided {
  row: NewEntry
  decision: Decision & { donation: NonNullable<Decision['donation']> }
}

/** Books donations in file order: the second entry for the same donation waits for the next round. */
async function bookDecided(tx: Database, importing: ImportContext, statementId: number, all: Decided[]): Promise<void> {
  const { by, settings, now } = importing
  const today = dayAt(now, settings.timezone)
  const locked = await lockDonations(
    tx,
    all.map(({ decision }) => decision.donation)
  )
  const rows = new Map(locked.map(row => [row.id, row]))
  for (let left = all; left.length > 0; ) {
    const first = new Map(left.toReversed().map(one => [one.decision.donation.id, one]))
    const bookings = [...first.values()].map(({ row, decision }): Booking => {
      const before = rows.get(decision.donation.id)
      if (before?.status !== decision.donation.status) throw new RetryTransaction('A donation has just moved on.')
      const entry = { ...row, statementId }
      return decision.result === 'returned'
        ? bookReturn(entry, before, row, today)
        : bookArrival(entry, before, row, { accept: false, today })
    })
    for (const row of await bookDonations(tx, by, bookings, { settings, now })) rows.set(row.id, row)
    left = left.filter(one => first.get(one.decision.donation.id) !== one)
  }
}

async function finishImport(db: Database, { by, now }: ImportContext, id: number): Promise<StatementRow> {
  return await db.transaction(async tx => {
    const isFirst = await statements.setFinished(tx, id, now)
    const statement = await statements.find(tx, id)
    if (statement === undefined) throw new Error(`Statement ${id} was read and is gone.`)
    if (isFirst) {
      const { format, counts } = statement
      await record(tx, by, now, 'statement.imported', { subject: 'statement', id, details: { format, counts } })
    }
    return statement
  })
}

function newRow(settings: Settings, one: IdentifiedEntry, decision: Decision | undefined, now: Date): NewEntry {
  if (decision === undefined) throw new Error('Every entry is decided on.')
  const { result, reason, problem, donation, suggestions } = decision
  const returned = result === 'returned' ? describeReturn(one.entry.returnReason) : undefined
  const told = returned ?? problem
  return {
    ...toRow(one, now),
    ...toIbanColumns(settings, one.entry.counterpartIban),
    bankKey: one.bankKey,
    result,
    reason: told?.code ?? reason,
    reasonText: told?.message ?? null,
    campaignId: donation?.campaignId ?? null,
    donationId: donation?.id ?? null,
    matchedBy: donation?.by ?? null,
    statusBefore: donation?.status ?? null,
    suggestions,
    firstSeen: null,
    collectionId: decision.collectionId ?? null,
    ruleId: decision.ruleId ?? null
  }
}

/** Leaves out the payer, who is stored with the first entry. */
function newDuplicateRow(one: IdentifiedEntry, before: { statementId: number; entryId: string }, now: Date): NewEntry {
  return {
    ...toRow(one, now),
    text: '',
    counterpartName: null,
    counterpartBic: null,
    encryptedIban: null,
    ibanFingerprint: null,
    bankKey: undefined,
    result: 'known',
    reason: 'known-before',
    reasonText: null,
    campaignId: null,
    donationId: null,
    matchedBy: null,
    statusBefore: null,
    suggestions: [],
    firstSeen: { statementId: before.statementId, entryId: before.entryId },
    collectionId: null,
    ruleId: null
  }
}

function toRow({ entry }: IdentifiedEntry, now: Date) {
  const orNull = (text: string | null, most: number) => (text === null ? null : truncate(text, most) || null)
  return {
    id: newUuidV7(now.getTime()),
    position: entry.position,
    account: orNull(entry.account, 60),
    bookedOn: toValidDay(entry.bookedOn),
    valueOn: toValidDay(entry.valueOn),
    amountCents: entry.amountCents,
    currency: truncate(entry.currency, 10),
    direction: entry.direction,
    isReturn: entry.isReturn,
    returnReason: orNull(entry.returnReason, 500),
    isPending: entry.isPending,
    endToEndId: orNull(entry.endToEndId, 140),
    mandateReference: orNull(entry.mandateReference, 140),
    paymentInformationId: orNull(entry.paymentInformationId, 140),
    text: truncate(entry.text, 2000),
    counterpartName: orNull(entry.counterpartName, 200),
    counterpartBic: orNull(entry.counterpartBic, 40)
  }
}

function toIbanColumns(settings: Settings, iban: string | null) {
  const { encryptedIban, ibanFingerprint } = toEncryptedIbanColumns(settings, iban)
  return { encryptedIban, ibanFingerprint: ibanFingerprint }
}

/**
 * The key that identifies a payment across files: its account and the bank's reference, or all fields if there is none.
 * Includes the amount and a counter within the file, because some banks reuse a reference. Pending entries have no key
 * yet.
 */
function newIdentifier(): (entry: Entry) => Buffer | undefined {
  const seen = new Map<string, number>()
  return entry => {
    if (entry.isPending) return undefined
    const { account, bankReference, amountCents, currency, direction, isReturn } = entry
    const { bookedOn, valueOn, text, endToEndId, counterpartName, counterpartIban } = entry
    const besides =
      bankReference === null ? [bookedOn, valueOn, text, endToEndId, counterpartName, counterpartIban] : []
    const said = JSON.stringify([account, bankReference, amountCents, currency, direction, isReturn, ...besides])
    const print = createHash('sha256').update(said).digest('base64url')
    const number = (seen.get(print) ?? 0) + 1
    seen.set(print, number)
    return createHash('sha256').update(`${print} ${number}`).digest().subarray(0, 16)
  }
}

function computeDigest({ bytes, mapping }: StatementFile): Buffer {
  const columns = Object.entries(mapping ?? {}).sort(([one], [other]) => (one < other ? -1 : 1))
  return createHash('sha256')
    .update(bytes)
    .update(columns.length === 0 ? '' : JSON.stringify(columns))
    .digest()
}

function toParseOptions({ timezone, currency }: Settings, { bytes, mapping }: StatementFile): ParseOptions {
  return { type: detectFileType(bytes), timezone, currency, ...(mapping === undefined ? {} : { mapping }) }
}

const currencyForm = /^[A-Z]{3}$/

/** Rejects dates that do not exist, which banks and people do write. */
function toValidDay(given: string | null): string | null {
  if (given === null || !/^\d{4}-\d\d-\d\d$/.test(given)) return null
  const day = new Date(`${given}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(given) && given >= '1900' ? given : null
}

/** Cuts the text, and removes characters that PostgreSQL cannot store. */
function truncate(text: string, most: number): string {
  return Buffer.from([...text.slice(0, most * 2).replaceAll('\0', '')].slice(0, most).join(''))
    .toString()
    .trim()
}
