import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { record } from '#platform/activity/activity.ts'
import type { Caller } from '#platform/caller.ts'
import type { Database } from '#platform/database/database.ts'
import { queueEmail } from '#platform/email/outbox.ts'
import { type IfMatch, requireVersion } from '#platform/http/etag.ts'
import { newUuidV7 } from '#platform/ids.ts'
import { Problem } from '#platform/problem.ts'
import { toAmount } from '../../money/money.ts'
import * as organisation from '../../organisation/queries.ts'
import {
  newReceiptNotFoundProblem,
  newReceiptsBusyProblem,
  newReceiptWithdrawnProblem
} from '../../problems/receipts.ts'
import type { ReceiptContent } from '../content.ts'
import { buildReceiptPdf } from '../pdf/receipt-pdf.ts'
import type { ReceiptRow } from '../queries.ts'
import * as receipts from '../queries.ts'
import type { NewReceipt } from '../schema.ts'
import { assignNumber, type Draft, draftReceipt, type IssueContext } from './draft.ts'
import { selectRequested } from './selection.ts'

/** What is to be issued, found out anew in each transaction that asks. */
export type Plan<Found extends { drafts: Draft[] }> = (tx: Database) => Promise<Found>

/** A file that was made before its receipt has a number for sure. */
interface PreparedFile {
  content: ReceiptContent
  file: Buffer
}

/** How often a file is made anew because another process took its number: each time that one is a step further. */
const attemptsMax = 20

/** Something has changed between the making of the files and the transaction that wanted to store them. */
class Outdated extends Error {}

/** Issues what was asked for. `store` brings the transaction in which it is written down. */
export async function issueReceipt<Stored>(
  db: Database,
  issuing: IssueContext,
  input: NewReceipt,
  store: (write: (tx: Database) => Promise<ReceiptRow>) => Promise<Stored>
): Promise<Stored> {
  const { settings, now } = issuing
  const plan = async (tx: Database) => {
    const choice = await selectRequested(tx, { timezone: settings.timezone, now }, input)
    return { drafts: [await draftReceipt(tx, issuing, choice, input)] }
  }
  return await issuePlan(db, issuing, plan, async write =>
    store(async tx => {
      const [row] = (await write(tx)).rows
      if (row === undefined) throw new Error('Nothing was issued, and nothing was refused.')
      return row
    })
  )
}

/**
 * Issues a plan in two steps: the files are made outside of any transaction, with the numbers that come next; then a short
 * transaction finds the plan again, takes the numbers and stores the files if they say exactly that. Otherwise all is done
 * anew. So no number is taken without a file, and nobody waits in the database while a file is made.
 */
export async function issuePlan<Found extends { drafts: Draft[] }, Stored>(
  db: Database,
  issuing: IssueContext,
  plan: Plan<Found>,
  store: (write: (tx: Database) => Promise<{ found: Found; rows: ReceiptRow[] }>) => Promise<Stored>
): Promise<Stored> {
  return await runExclusively(async () => {
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      const prepared = await prepareFiles(db, plan)
      try {
        return await store(
          async outer =>
            await outer.transaction(async tx => {
              const found = await plan(tx)
              return { found, rows: await storeDrafts(tx, issuing, found.drafts, prepared) }
            })
        )
      } catch (error) {
        if (!(error instanceof Outdated)) throw error
      }
    }
    throw newReceiptsBusyProblem()
  })
}

let last: Promise<unknown> = Promise.resolve()

/** One after the other within this process: those that wait would only make files for numbers that others take. */
async function runExclusively<Made>(make: () => Promise<Made>): Promise<Made> {
  const own = last.then(make)
  last = own.catch(() => undefined)
  return await own
}

/** What is refused here is refused again where it is to be stored, so that an answer of before can be given first. */
async function prepareFiles(db: Database, plan: Plan<{ drafts: Draft[] }>): Promise<PreparedFile[]> {
  let drafts: Draft[]
  try {
    drafts = (await db.transaction(plan)).drafts
  } catch (error) {
    if (error instanceof Problem) return []
    throw error
  }
  const [first] = drafts
  if (first === undefined) return []
  const next = await receipts.findNextNumber(db, first.year)
  const prepared: PreparedFile[] = []
  for (const [index, draft] of drafts.entries()) {
    const content = assignNumber(draft, next + index)
    prepared.push({ content, file: await buildFile(db, content, false) })
  }
  return prepared
}

async function storeDrafts(
  tx: Database,
  { by, settings, now, runId }: IssueContext,
  drafts: Draft[],
  prepared: PreparedFile[]
): Promise<ReceiptRow[]> {
  const rows: ReceiptRow[] = []
  for (const [index, draft] of drafts.entries()) {
    const { year, replaces, sent } = draft
    const sequence = await receipts.takeNumber(tx, year)
    const content = assignNumber(draft, sequence)
    const file = prepared[index]?.file
    if (file === undefined || !isDeepStrictEqual(content, prepared[index]?.content)) throw new Outdated()
    const id = newUuidV7(now.getTime())
    const receipt = await receipts.insert(tx, {
      ...{ id, sequence, year, by: by.name, content, file, sent, replaces },
      fileHash: createHash('sha256').update(file).digest(),
      runId: runId ?? null
    })
    await recordReceipt(tx, by, now, 'receipt.issued', receipt)
    if (sent) await queueEmail(tx, settings, { kind: 'receipt', about: id, once: true }, now)
    rows.push(receipt)
  }
  return rows
}

/** Takes a receipt back: its number stays, and what it certified is free for another one. */
export async function withdrawReceipt(
  db: Database,
  by: Caller,
  id: string,
  reason: string,
  expected: IfMatch,
  now = new Date()
): Promise<ReceiptRow> {
  return await db.transaction(async tx => {
    const before = await receipts.lock(tx, id)
    if (before === undefined) throw newReceiptNotFoundProblem()
    requireVersion(expected, before.version)
    if (before.state === 'withdrawn') throw newReceiptWithdrawnProblem(before.number)
    const after = await receipts.setWithdrawn(tx, id, { reason, by: by.name, now })
    await recordReceipt(tx, by, now, 'receipt.withdrawn', after)
    return after
  })
}

/** The file as it was issued, or a copy that says so. */
export async function buildFile(db: Database, content: ReceiptContent, isCopy: boolean): Promise<Buffer> {
  const { signature } = content.issuer
  const picture =
    signature === null || content.issuer.taxOfficeInformedOn === null
      ? undefined
      : await organisation.findSignature(db, Buffer.from(signature, 'hex'))
  return await buildReceiptPdf(content, { isCopy, signature: picture })
}

/** No names: activity is told to webhooks. */
async function recordReceipt(tx: Database, by: Caller, now: Date, action: string, receipt: ReceiptRow): Promise<void> {
  const { id, number, kind, amountCents } = receipt
  const details = { name: number, kind, amount: toAmount(amountCents), donations: receipt.content.donations.length }
  await record(tx, by, now, action, { subject: 'receipt', id, details })
}
