import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { record } from '#platform/activity/activity.ts'
import type { Actor } from '#platform/caller.ts'
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

/** Computes what to issue; runs again in every transaction that needs it. */
export type Plan<Found extends { drafts: Draft[] }> = (tx: Database) => Promise<Found>

/** A file built before its receipt number is certain. */
interface PreparedFile {
  content: ReceiptContent
  file: Buffer
}

/** How often files are rebuilt because another process took their number; that process makes progress each time. */
const attemptsMax = 20

/** The plan or the numbers changed between building the files and the transaction that stores them. */
class Outdated extends Error {}

/** Issues the requested receipt. `store` provides the transaction. */
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
      if (row === undefined) throw new Error('Issuing returned neither a receipt nor a problem.')
      return row
    })
  )
}

/**
 * Issues a plan in two steps: builds the files outside any transaction with the next free numbers; then a short
 * transaction computes the plan again, takes the numbers and stores the files if their content is exactly the same.
 * Otherwise it starts over. So no number is taken without a file, and no lock is held while a file is built.
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

/** Serialised within this process: concurrent calls would only build files for numbers that others take. */
async function runExclusively<Made>(make: () => Promise<Made>): Promise<Made> {
  const own = last.then(make)
  last = own.catch(() => undefined)
  return await own
}

/** Ignores problems, because the storing transaction raises them again: a stored idempotent response comes first. */
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
    await recordReceipt(tx, { by, now }, 'receipt.issued', receipt)
    if (sent) await queueEmail(tx, settings, { kind: 'receipt', about: id, once: true }, now)
    rows.push(receipt)
  }
  return rows
}

/** Withdraws a receipt: its number stays, and its payments can be certified again. */
export async function withdrawReceipt(
  db: Database,
  { by, expected, now = new Date() }: Actor & { expected: IfMatch },
  id: string,
  reason: string
): Promise<ReceiptRow> {
  return await db.transaction(async tx => {
    const before = await receipts.lock(tx, id)
    if (before === undefined) throw newReceiptNotFoundProblem()
    requireVersion(expected, before.version)
    if (before.state === 'withdrawn') throw newReceiptWithdrawnProblem(before.number)
    const after = await receipts.setWithdrawn(tx, id, { reason, by: by.name, now })
    await recordReceipt(tx, { by, now }, 'receipt.withdrawn', after)
    return after
  })
}

/** The file as issued, or a marked copy. */
export async function buildFile(db: Database, content: ReceiptContent, isCopy: boolean): Promise<Buffer> {
  const { signature } = content.issuer
  const picture =
    signature === null || content.issuer.taxOfficeInformedOn === null
      ? undefined
      : await organisation.findSignature(db, Buffer.from(signature, 'hex'))
  return await buildReceiptPdf(content, { isCopy, signature: picture })
}

/** Leaves out names, because activity is sent to webhooks. */
async function recordReceipt(
  tx: Database,
  { by, now }: Required<Actor>,
  action: string,
  receipt: ReceiptRow
): Promise<void> {
  const { id, number, kind, amountCents } = receipt
  const details = { name: number, kind, amount: toAmount(amountCents), donations: receipt.content.donations.length }
  await record(tx, { by, now }, action, { subject: 'receipt', id, details })
}
