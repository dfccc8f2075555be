import type { Database } from '../database/database.ts'
import { type Sql, sql } from '../database/sql.ts'

/** An e-mail that is due at once. `isOnce`: skipped if there was one of this kind about the same thing. */
export interface DueEmail {
  id: string
  kind: string
  about: string
  isOnce: boolean
  at: string
}

export function buildInsert(emails: DueEmail[]): Sql {
  return sql`
    insert into platform.outbox (id, kind, about, is_once, next_attempt_at, created_at)
    select id, kind, about, "isOnce", at, at
    from json_to_recordset(${JSON.stringify(emails)}) as email (
      id uuid, kind text, about text, "isOnce" boolean, at timestamptz
    )
    on conflict (kind, about) where is_once do nothing`
}

/** Inserts e-mails of one kind, each at most once. The first `perMinute` are due now, the next a minute later. */
export async function insertAll(
  tx: Database,
  { kind, perMinute }: { kind: string; perMinute: number },
  some: { id: string; about: string }[],
  now: Date
): Promise<void> {
  await tx.run(sql`
    insert into platform.outbox (id, kind, about, is_once, next_attempt_at, created_at)
    select id, ${kind}, about, true, ${now}::timestamptz + (place - 1) / ${perMinute}::bigint * interval '1 minute', ${now}
    from unnest(${some.map(({ id }) => id)}::uuid[], ${some.map(({ about }) => about)}::text[])
      with ordinality as email (id, about, place)
    on conflict (kind, about) where is_once do nothing`)
}

/** An e-mail on which this process holds a lease. */
export interface ClaimedEmail {
  id: string
  kind: string
  about: string
  attempts: number
}

/** Claims the e-mail that has been due longest until the lease ends: if this process dies, others can claim it then. */
export async function claim(
  db: Database,
  { now, until }: { now: Date; until: Date }
): Promise<ClaimedEmail | undefined> {
  return await db.maybeOne(sql`
    with due as (
      select id
      from platform.outbox
      where state = 'waiting' and next_attempt_at <= ${now} and (claimed_until is null or claimed_until <= ${now})
      order by next_attempt_at, id
      limit 1
      for update skip locked
    )
    update platform.outbox as email
    set claimed_until = ${until}
    from due
    where email.id = due.id
    returning email.id, email.kind, email.about, email.attempts`)
}

/** The outcome of an attempt: a final state, or the next attempt. `error` contains no address. */
export type EmailOutcome = { error: string | null } & (
  | { state: 'sent' | 'dropped' | 'given_up' }
  | { state: 'waiting'; nextAttemptAt: Date }
)

export async function finishAttempt(db: Database, id: string, outcome: EmailOutcome, now: Date): Promise<void> {
  await db.run(sql`
    update platform.outbox
    set
      state = ${outcome.state},
      attempts = attempts + 1,
      claimed_until = null,
      last_error = ${outcome.error},
      next_attempt_at = ${outcome.state === 'waiting' ? outcome.nextAttemptAt : now},
      ended_at = ${outcome.state === 'waiting' ? null : now}
    where id = ${id} and state = 'waiting'`)
}

/** Deletes a batch of e-mails that ended before `oldest`; returns how many. */
export async function removeBefore(db: Database, oldest: Date): Promise<number> {
  return await db.run(sql`
    delete from platform.outbox
    where id in (select id from platform.outbox where ended_at < ${oldest} order by ended_at limit 1000)`)
}

export async function countWaiting(db: Database): Promise<number> {
  const { waiting } = await db.one<{ waiting: number }>(sql`
    select count(*)::int as waiting from platform.outbox where state = 'waiting'`)
  return waiting
}

/** E-mails that are long overdue, and those given up lately, grouped by reason. */
export async function findFailures(
  db: Database
): Promise<{ late: number; givenUp: { kind: string; error: string; count: number }[] }> {
  const [{ late }, givenUp] = await Promise.all([
    db.one<{ late: number }>(sql`
      select count(*)::int as late
      from platform.outbox
      where state = 'waiting' and greatest(next_attempt_at, claimed_until) < now() - interval '10 minutes'`),
    db.all<{ kind: string; error: string; count: number }>(sql`
      select kind, coalesce(last_error, '') as error, count(*)::int as count
      from platform.outbox
      where state = 'given_up' and ended_at > now() - interval '7 days'
      group by 1, 2
      order by 3 desc, 1, 2
      limit 20`)
  ])
  return { late, givenUp }
}
