import type { Database } from '#platform/database/database.ts'
import { sql } from '#platform/database/sql.ts'
import type { Language, Text } from '#platform/language.ts'
import type { Draft } from '../issuing/draft.ts'
import type { ReceiptCandidate } from '../issuing/eligible-payments.ts'
import type { LeftOutReason, RunStatus, SkipReason } from './schema.ts'

export interface RunRow {
  id: string
  version: number
  year: number
  language: Language | null
  send: boolean
  status: RunStatus
  done: number
  total: number
  issued: number
  skipped: Partial<Record<SkipReason, number>>
  problems: { code: string; message: Text }[]
  /** The last processed name. */
  position: string
  startedAt: string
  startedBy: string
  endedAt: string | null
}

/** Lines without a receipt, and the reason. */
export interface SkippedLines {
  reason: LeftOutReason
  lines: ReceiptCandidate[]
  /** The receipt that certifies them or claims their period. */
  receiptNumber: string | null
}

export interface NamePlan {
  drafts: Draft[]
  skipped: SkippedLines[]
}

const columns = sql`
  id, version, year, language, send, status, done, total, issued, skipped, problems, position,
  started_at as "startedAt", started_by as "startedBy", ended_at as "endedAt"`

export async function find(db: Database, id: string): Promise<RunRow | undefined> {
  return await db.maybeOne(sql`
    select ${columns}
    from fundraising.receipt_runs
    where id = ${id}`)
}

/** Newest first. */
export async function listLatest(db: Database): Promise<RunRow[]> {
  return await db.all(sql`
    select ${columns}
    from fundraising.receipt_runs
    order by id desc
    limit 20`)
}

/** One run per year at a time: the advisory lock makes a concurrent start wait for the outcome of the first. */
export async function findUnfinished(tx: Database, year: number): Promise<RunRow | undefined> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtext('fundraising.receipt_runs'), ${year})`)
  return await tx.maybeOne(sql`
    select ${columns}
    from fundraising.receipt_runs
    where year = ${year} and status in ('waiting', 'running')
    limit 1`)
}

export async function insert(
  tx: Database,
  run: Pick<RunRow, 'id' | 'year' | 'language' | 'send' | 'total' | 'startedAt' | 'startedBy'>
): Promise<RunRow> {
  return await tx.one(sql`
    insert into fundraising.receipt_runs (id, year, language, send, status, total, started_at, started_by)
    values (
      ${run.id}, ${run.year}, ${run.language}, ${run.send}, 'waiting', ${run.total}, ${run.startedAt}, ${run.startedBy}
    )
    returning ${columns}`)
}

/** Leases a run that no process works on; if this process dies, another one continues after the lease expires. */
export async function claim(db: Database, { now, until }: { now: Date; until: Date }): Promise<RunRow | undefined> {
  return await db.maybeOne(sql`
    with next as (
      select id
      from fundraising.receipt_runs
      where status in ('waiting', 'running') and (leased_until is null or leased_until <= ${now})
      order by id
      limit 1
      for update skip locked
    )
    update fundraising.receipt_runs as run
    set status = 'running', leased_until = ${until}, version = run.version + 1
    from next
    where run.id = next.id
    returning run.id, run.version, run.year, run.language, run.send, run.status, run.done, run.total, run.issued,
      run.skipped, run.problems, run.position,
      run.started_at as "startedAt", run.started_by as "startedBy", run.ended_at as "endedAt"`)
}

/** Stores the progress of a run; returns undefined if another process has taken over the lease. */
export async function update(
  tx: Database,
  run: RunRow,
  { leasedUntil }: { leasedUntil: Date | null }
): Promise<RunRow | undefined> {
  return await tx.maybeOne(sql`
    update fundraising.receipt_runs
    set
      version = version + 1, status = ${run.status}, done = ${run.done}, total = ${run.total}, issued = ${run.issued},
      skipped = ${JSON.stringify(run.skipped)}, problems = ${JSON.stringify(run.problems)}, position = ${run.position},
      ended_at = ${run.endedAt}, leased_until = ${leasedUntil}
    where id = ${run.id} and version = ${run.version}
    returning ${columns}`)
}
