import { record } from '#platform/activity/activity.ts'
import { type Actor, newSystemCaller } from '#platform/caller.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import { newUuidV7 } from '#platform/ids.ts'
import { enqueue } from '#platform/jobs/jobs.ts'
import { Problem } from '#platform/problem.ts'
import { toLocalDay } from '../../dates.ts'
import * as organisation from '../../organisation/queries.ts'
import {
  newNotSignedByMachineProblem,
  newReceiptRunActiveProblem,
  newYearNotOverProblem
} from '../../problems/receipts.ts'
import type { IssueContext } from '../issuing/draft.ts'
import * as candidates from '../issuing/eligible-payments.ts'
import { issuePlan } from '../issuing/issue.ts'
import { buildIssuer, isSignedByMachine } from '../issuing/issuer.ts'
import { isYearOver } from '../period.ts'
import { planName } from './plan.ts'
import type { RunRow } from './queries.ts'
import * as runs from './queries.ts'
import { isSkipReason, type NewReceiptRun } from './schema.ts'

/** The job that processes runs; also scheduled every minute, for runs whose process died. */
export const issueReceiptsJob = 'issue-receipts'

/** The lease of a run; renewed after every name. */
const leaseMs = 60_000

/** Starts a run that issues receipts to all donors who requested one for money of a year and have none. */
export async function startRun(
  db: Database,
  { by, settings, now }: IssueContext,
  { year, language, send = false, upToToday = false }: NewReceiptRun
): Promise<RunRow> {
  const today = toLocalDay(now, settings.timezone)
  if (!isYearOver(year, today) && !upToToday) throw newYearNotOverProblem(year)
  return await db.transaction(async tx => {
    const issuer = buildIssuer(await organisation.find(tx), today)
    if (send && language !== 'en' && !isSignedByMachine(issuer)) throw newNotSignedByMachineProblem()
    if ((await runs.findUnfinished(tx, year)) !== undefined) throw newReceiptRunActiveProblem(year)
    const total = await candidates.countNamesWithoutReceipt(tx, year)
    const started = { startedAt: now.toISOString(), startedBy: by.name }
    const run = await runs.insert(tx, {
      id: newUuidV7(now.getTime()),
      year,
      language: language ?? null,
      send,
      total,
      ...started
    })
    await recordRun(tx, { by, now }, 'receipt.run_started', run)
    await enqueue(tx, issueReceiptsJob, { key: issueReceiptsJob })
    return run
  })
}

/** Processes runs until none is left or the process shuts down. */
export async function processRuns(db: Database, settings: Settings, stopping?: AbortSignal): Promise<void> {
  while (stopping?.aborted !== true) {
    const now = new Date()
    const run = await runs.claim(db, { now, until: new Date(now.getTime() + leaseMs) })
    if (run === undefined) return
    await processRun(db, settings, run, stopping)
  }
}

async function processRun(db: Database, settings: Settings, claimed: RunRow, stopping?: AbortSignal): Promise<void> {
  let run: RunRow | undefined = claimed
  for (;;) {
    const names = await candidates.listNamesWithoutReceipt(db, { year: run.year, after: run.position })
    if (names.length === 0) break
    for (const name of names) {
      if (stopping?.aborted === true) {
        // Releases the lease, so that the next process can continue at once.
        await runs.update(db, run, { leasedUntil: null })
        return
      }
      run = await issueToName(db, settings, run, name)
      // Another process took over the lease because this one was too slow.
      if (run === undefined || run.status !== 'running') return
    }
  }
  await finishRun(db, { ...run, status: 'done', done: run.total })
}

/** Issues all receipts for one name and stores the progress in the same transaction. */
async function issueToName(db: Database, settings: Settings, run: RunRow, name: string): Promise<RunRow | undefined> {
  const now = new Date()
  const issuing: IssueContext = { by: newSystemCaller(run.startedBy), settings, now, runId: run.id }
  const plan = async (tx: Database) => await planName(tx, issuing, run, name)
  try {
    return await issuePlan(
      db,
      issuing,
      plan,
      async write =>
        await db.transaction(async tx => {
          const { found, rows } = await write(tx)
          const after = { ...run, position: name, done: run.done + 1, skipped: { ...run.skipped } }
          after.issued += rows.length
          for (const { reason } of found.skipped) {
            if (isSkipReason(reason)) after.skipped[reason] = (after.skipped[reason] ?? 0) + 1
          }
          after.total = Math.max(after.total, after.done)
          const updated = await runs.update(tx, after, { leasedUntil: new Date(Date.now() + leaseMs) })
          if (updated === undefined) throw new LeaseLost('Another process goes on with the run.')
          return updated
        })
    )
  } catch (error) {
    if (error instanceof LeaseLost) return undefined
    // A persistent problem, such as incomplete organisation data, fails the run and is reported.
    if (!(error instanceof Problem)) throw error
    return await finishRun(db, { ...run, status: 'failed', problems: [{ code: error.code, message: error.text }] })
  }
}

class LeaseLost extends Error {}

async function finishRun(db: Database, run: RunRow, now = new Date()): Promise<RunRow | undefined> {
  return await db.transaction(async tx => {
    const ended = await runs.update(tx, { ...run, endedAt: now.toISOString() }, { leasedUntil: null })
    if (ended !== undefined)
      await recordRun(tx, { by: newSystemCaller(run.startedBy), now }, 'receipt.run_ended', ended)
    return ended
  })
}

async function recordRun(tx: Database, { by, now }: Required<Actor>, action: string, run: RunRow): Promise<void> {
  const { id, year, status, issued } = run
  await record(tx, { by, now }, action, {
    subject: 'receipt',
    id,
    details: { name: String(year), year, status, issued }
  })
}
