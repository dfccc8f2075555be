import type { Database } from '#platform/database/database.ts'
import { emptySql, sql, toLiteral } from '#platform/database/sql.ts'
import type { Text } from '#platform/language.ts'
import type { Page } from '../contract/routing/paging.ts'
import type { Counts, Import } from './schema.ts'
import type { Source } from './sources/source.ts'

const columns = sql`
  import.id, import.source, import.url, import.policy, import.language, import.timezone, import.mapping,
  import.columns, import.origin, import.caller, import.status, import.done, import.total, import.error,
  import.login_user as "loginUser",
  import.file_name as "fileName",
  import.dry_run as "dryRun",
  import.compares,
  (
    select max(other.id) from calendar.imports as other where other.based_on = import.id and other.compares
  ) as comparison,
  import.based_on as "basedOn",
  import.author_id as "authorId",
  import.created_at as "createdAt",
  import.started_at as "startedAt",
  import.finished_at as "finishedAt",
  jsonb_build_object(
    'new', import.new_count, 'changed', import.changed_count, 'same', import.same_count,
    'skipped', import.skipped_count, 'problem', import.problem_count, 'gone', import.gone_count, 'explained', import.explained_count,
    'differs', import.differs_count, 'missing', import.missing_count, 'kept', import.kept_count
  ) as counts,
  import.status in ('done', 'failed', 'cancelled') and exists (
    select from calendar.import_changes as change where change.import_id = import.id
  ) as "canUndo"`

export async function find(db: Database, id: number): Promise<Import | undefined> {
  return await db.maybeOne(sql`select ${columns} from calendar.imports as import where import.id = ${id}`)
}

/** Newest first. */
export async function listPage(db: Database, page: Page): Promise<Import[]> {
  return await db.all(sql`
    select ${columns}
    from calendar.imports as import
    order by import.id desc
    limit ${toLiteral(page.size)} offset ${page.offset}`)
}

export async function count(db: Database): Promise<number> {
  const { total } = await db.one<{ total: number }>(sql`select count(*) as total from calendar.imports`)
  return total
}

export type NewImportRow = Pick<
  Import,
  | 'source'
  | 'url'
  | 'fileName'
  | 'dryRun'
  | 'compares'
  | 'policy'
  | 'language'
  | 'timezone'
  | 'mapping'
  | 'loginUser'
  | 'authorId'
  | 'caller'
> & { encryptedPassword: Buffer | null }

export async function insert(tx: Database, wanted: NewImportRow, file: Buffer | null, now: Date): Promise<number> {
  const { id } = await tx.one<{ id: number }>(sql`
    insert into calendar.imports (
      source, url, file_name, file, dry_run, compares, policy, language, timezone, mapping, login_user, login_password,
      author_id, caller, status, created_at
    ) values (
      ${wanted.source}, ${wanted.url}, ${wanted.fileName}, ${file}, ${wanted.dryRun}, ${wanted.compares}, ${wanted.policy},
      ${wanted.language}, ${wanted.timezone}, ${wanted.mapping === null ? null : JSON.stringify(wanted.mapping)},
      ${wanted.loginUser}, ${wanted.encryptedPassword}, ${wanted.authorId}, ${JSON.stringify(wanted.caller)}, 'waiting', ${now}
    )
    returning id`)
  return id
}

/** Copies an import for another run inside the database, without loading its file into memory. */
export async function insertRun(
  tx: Database,
  id: number,
  run: Pick<NewImportRow, 'mapping' | 'policy' | 'dryRun' | 'compares' | 'authorId' | 'caller' | 'encryptedPassword'>,
  now: Date
): Promise<number> {
  const row = await tx.one<{ id: number }>(sql`
    insert into calendar.imports (
      source, url, file_name, file, dry_run, compares, policy, language, timezone, mapping, login_user, login_password,
      based_on, author_id, caller, status, created_at
    )
    select
      source, url, file_name, file, ${run.dryRun}, ${run.compares}, ${run.policy}, language, timezone,
      ${run.mapping === null ? null : JSON.stringify(run.mapping)}::jsonb, login_user,
      ${run.encryptedPassword}::bytea, id,
      ${run.authorId}, ${JSON.stringify(run.caller)}::jsonb, 'waiting', ${now}
    from calendar.imports
    where id = ${id}
    returning id`)
  return row.id
}

export async function findFile(db: Database, id: number): Promise<Buffer | null> {
  const { file } = await db.one<{ file: Buffer | null }>(sql`select file from calendar.imports where id = ${id}`)
  return file
}

export async function findEncryptedPassword(db: Database, id: number): Promise<Buffer | null> {
  const { encrypted } = await db.one<{ encrypted: Buffer | null }>(sql`
    select login_password as encrypted from calendar.imports where id = ${id}`)
  return encrypted
}

export async function lock(tx: Database, id: number): Promise<Import | undefined> {
  await tx.run(sql`select from calendar.imports where id = ${id} for no key update`)
  return await find(tx, id)
}

/** How long a runner may go without renewing its lease before another one takes over. */
const leaseSeconds = 45
const newLease = sql`now() + make_interval(secs => ${toLiteral(leaseSeconds)})`
/** How many times an import may be claimed without making progress. */
export const attemptsMax = 5

export type ClaimedImport = Pick<Import, 'id' | 'status'> & { attempts: number }

/**
 * Claims the oldest import that is waiting or whose lease has expired, or the given one. Only one import runs at a time
 * per site: concurrent imports would block each other and other jobs.
 */
export async function claim(db: Database, owner: string, id?: number): Promise<ClaimedImport | undefined> {
  return await db.transaction(async tx => {
    await tx.run(sql`select pg_advisory_xact_lock(hashtextextended('calendar.imports', 0))`)
    return await tx.maybeOne(sql`
      update calendar.imports as import
      set
        status = case import.status when 'waiting' then 'running' else import.status end,
        started_at = coalesce(import.started_at, now()),
        attempts = import.attempts + 1,
        leased_by = ${owner},
        leased_until = ${newLease}
      where import.id = (
        select next.id
        from calendar.imports as next
        where next.status in ('waiting', 'running', 'undoing') and (next.leased_until is null or next.leased_until < now())
          ${id === undefined ? emptySql : sql`and next.id = ${id}`}
        order by next.id
        limit 1
      ) and not exists (
        select
        from calendar.imports as other
        where other.status in ('running', 'undoing') and other.leased_until >= now()
      )
      returning import.id, import.status, import.attempts`)
  })
}

/** Renews the lease; false if the import was cancelled or taken over. */
export async function renewLease(db: Database, id: number, owner: string): Promise<boolean> {
  const renewed = await db.run(sql`
    update calendar.imports
    set leased_until = ${newLease}
    where id = ${id} and leased_by = ${owner} and status in ('running', 'undoing')`)
  return renewed === 1
}

/** Ends the lease, so that another runner can continue immediately. */
export async function release(db: Database, id: number, owner: string): Promise<void> {
  await db.run(sql`
    update calendar.imports set leased_until = null where id = ${id} and leased_by = ${owner}`)
}

/** Saves the progress and locks the import row until the transaction ends; false if the lease is lost. */
export async function advance(
  tx: Database,
  id: number,
  owner: string,
  step: { done: number; counts: Counts }
): Promise<boolean> {
  const { counts } = step
  const advanced = await tx.run(sql`
    update calendar.imports
    set
      done = done + ${step.done},
      new_count = new_count + ${counts.new},
      changed_count = changed_count + ${counts.changed},
      same_count = same_count + ${counts.same},
      skipped_count = skipped_count + ${counts.skipped},
      problem_count = problem_count + ${counts.problem},
      gone_count = gone_count + ${counts.gone},
      explained_count = explained_count + ${counts.explained},
      differs_count = differs_count + ${counts.differs},
      missing_count = missing_count + ${counts.missing},
      kept_count = kept_count + ${counts.kept},
      attempts = 0,
      leased_until = ${newLease}
    where id = ${id} and leased_by = ${owner} and status in ('running', 'undoing')`)
  return advanced === 1
}

/** Stores what opening the source revealed. */
export async function setSource(
  db: Database,
  id: number,
  { origin, total, columns: named, mapping }: Omit<Source, 'batches'>
): Promise<void> {
  await db.run(sql`
    update calendar.imports
    set
      origin = ${origin},
      total = ${total ?? null},
      columns = ${named ?? null},
      mapping = coalesce(${mapping === undefined ? null : JSON.stringify(mapping)}::jsonb, mapping)
    where id = ${id}`)
}

export async function setStatus(
  tx: Database,
  id: number,
  ended: { status: 'done' | 'failed' | 'cancelled' | 'undone'; error?: Text | undefined },
  now: Date
): Promise<void> {
  const error = ended.error === undefined ? null : JSON.stringify(ended.error)
  await tx.run(sql`
    update calendar.imports
    set status = ${ended.status}, error = ${error}, finished_at = ${now}, leased_by = null, leased_until = null,
      login_password = null
    where id = ${id}`)
}

/** Progress restarts: the total becomes the number of changes to undo. */
export async function setUndoing(tx: Database, id: number): Promise<void> {
  await tx.run(sql`
    update calendar.imports
    set
      status = 'undoing', done = 0, kept_count = 0, attempts = 0, leased_by = null, leased_until = null,
      total = (select count(*) from calendar.import_changes as change where change.import_id = ${id})
    where id = ${id}`)
}

/** Deletes files, reports and undo logs; the import row itself stays. */
export async function deleteOldData(db: Database, before: Date): Promise<void> {
  await db.run(sql`
    with old as (
      select id from calendar.imports where finished_at < ${before} and status <> 'undoing'
    ),
    files as (
      update calendar.imports set file = null where id in (select id from old) and file is not null
    ),
    changes as (
      delete from calendar.import_changes where import_id in (select id from old)
    )
    delete from calendar.import_rows where import_id in (select id from old)`)
}
