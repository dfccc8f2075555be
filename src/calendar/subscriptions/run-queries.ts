import type { Database } from '#platform/database/database.ts'
import { emptySql, sql, toLiteral } from '#platform/database/sql.ts'
import type { Text } from '#platform/language.ts'
import type { Page } from '../contract/routing/paging.ts'
import {
  noRunCounts,
  type RowOutcome,
  type RunCounts,
  type RunResult,
  type SubscriptionRow,
  type SubscriptionRun
} from './schema.ts'

/** Runs of subscriptions and their reports. */

const columns = sql`
  run.id, run.result, run.times, run.counts, run.error,
  run.started_at as "startedAt",
  run.finished_at as "finishedAt"`

/** Newest first. */
export async function listPage(db: Database, subscriptionId: number, page: Page): Promise<SubscriptionRun[]> {
  return await db.all(sql`
    select ${columns}
    from calendar.subscription_runs as run
    where run.subscription_id = ${subscriptionId}
    order by run.id desc
    limit ${toLiteral(page.size)} offset ${page.offset}`)
}

export async function count(db: Database, subscriptionId: number): Promise<number> {
  const { total } = await db.one<{ total: number }>(sql`
    select count(*) as total from calendar.subscription_runs where subscription_id = ${subscriptionId}`)
  return total
}

/** The run that another process left, or a new one. */
export async function findOrStart(db: Database, subscriptionId: number, now: Date): Promise<{ id: number }> {
  return await db.transaction(async tx => {
    const left = await tx.maybeOne<{ id: number }>(sql`
      select id from calendar.subscription_runs
      where subscription_id = ${subscriptionId} and result = 'running'
      order by id desc
      limit 1`)
    return left ?? (await insert(tx, subscriptionId, { result: 'running', counts: noRunCounts, now }))
  })
}

interface NewRun {
  result: RunResult
  counts: RunCounts
  error?: Text
  now: Date
}

async function insert(
  tx: Database,
  subscriptionId: number,
  { result, counts, error, now }: NewRun
): Promise<{ id: number }> {
  return await tx.one(sql`
    insert into calendar.subscription_runs (subscription_id, result, counts, error, started_at, finished_at)
    values (
      ${subscriptionId}, ${result}, ${JSON.stringify(counts)}, ${error === undefined ? null : JSON.stringify(error)},
      ${now}, ${result === 'running' ? null : now}
    )
    returning id`)
}

/** Stores a run that wrote nothing. It is added to the last one if that had the same result for the same reason. */
export async function addIdle(tx: Database, subscriptionId: number, run: NewRun): Promise<void> {
  const error = run.error === undefined ? null : JSON.stringify(run.error)
  const added = await tx.run(sql`
    update calendar.subscription_runs as run
    set times = run.times + 1, finished_at = ${run.now}, counts = ${JSON.stringify(run.counts)}::jsonb
    where run.id = (
      select last.id
      from calendar.subscription_runs as last
      where last.subscription_id = ${subscriptionId}
      order by last.id desc
      limit 1
    ) and run.result = ${run.result} and run.error is not distinct from ${error}::jsonb`)
  if (added === 0) await insert(tx, subscriptionId, run)
}

export async function finish(tx: Database, id: number, counts: RunCounts, now: Date): Promise<void> {
  await tx.run(sql`
    update calendar.subscription_runs
    set result = 'changed', counts = ${JSON.stringify(counts)}, finished_at = ${now}
    where id = ${id}`)
}

/** The run turned out to be idle. */
export async function remove(tx: Database, id: number): Promise<void> {
  await tx.run(sql`delete from calendar.subscription_runs where id = ${id}`)
}

/** A run that failed before its end keeps the report of what it wrote. */
export async function closeUnfinished(tx: Database, subscriptionId: number, now: Date): Promise<void> {
  const unfinished = await tx.all<{ id: number }>(sql`
    select id from calendar.subscription_runs where subscription_id = ${subscriptionId} and result = 'running'`)
  for (const { id } of unfinished) await finish(tx, id, await countOutcomes(tx, id), now)
}

export async function countOutcomes(tx: Database, runId: number): Promise<RunCounts> {
  const rows = await tx.all<{ outcome: RowOutcome; total: number }>(sql`
    select outcome, count(*)::int as total from calendar.subscription_rows where run_id = ${runId} group by outcome`)
  return { ...noRunCounts, ...Object.fromEntries(rows.map(({ outcome, total }) => [outcome, total])) }
}

/** An item that has a row already, from an attempt before, keeps it. */
export async function insertRows(
  tx: Database,
  runId: number,
  rows: Omit<SubscriptionRow, 'position'>[]
): Promise<void> {
  if (rows.length === 0) return
  const given = rows.map((row, index) => ({ ...row, place: index + 1 }))
  await tx.run(sql`
    insert into calendar.subscription_rows (run_id, position, kind, source_id, title, outcome, reasons, item_id)
    select
      ${runId}::bigint,
      place + (select coalesce(max(position), 0) from calendar.subscription_rows where run_id = ${runId}),
      kind, "sourceId", title, outcome, reasons, "itemId"
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given (
      place integer, kind text, "sourceId" text, title text, outcome text, reasons jsonb, "itemId" bigint
    )
    on conflict (run_id, kind, source_id) do nothing`)
}

/** The given run of the subscription, or its last one with a report. */
export async function findReported(db: Database, subscriptionId: number, id?: number): Promise<number | undefined> {
  const found = await db.maybeOne<{ id: number }>(sql`
    select run.id
    from calendar.subscription_runs as run
    where run.subscription_id = ${subscriptionId}
      and ${id === undefined ? sql`run.result in ('changed', 'running')` : sql`run.id = ${id}`}
    order by run.id desc
    limit 1`)
  return found?.id
}

export async function listRows(
  db: Database,
  runId: number,
  outcome: RowOutcome | undefined,
  page: Page
): Promise<SubscriptionRow[]> {
  return await db.all(sql`
    select position, kind, title, outcome, reasons, source_id as "sourceId", item_id as "itemId"
    from calendar.subscription_rows
    where run_id = ${runId} ${outcome === undefined ? emptySql : sql`and outcome = ${outcome}`}
    order by position
    limit ${toLiteral(page.size)} offset ${page.offset}`)
}

export async function countRows(db: Database, runId: number, outcome: RowOutcome | undefined): Promise<number> {
  const { total } = await db.one<{ total: number }>(sql`
    select count(*) as total
    from calendar.subscription_rows
    where run_id = ${runId} ${outcome === undefined ? emptySql : sql`and outcome = ${outcome}`}`)
  return total
}

export async function deleteOld(db: Database, before: Date): Promise<void> {
  await db.run(sql`delete from calendar.subscription_runs where finished_at < ${before}`)
}
