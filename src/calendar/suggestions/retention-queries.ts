import type { Database } from '#platform/database/database.ts'
import { sql, toLiteral } from '#platform/database/sql.ts'

export async function deleteUnconfirmed(db: Database, before: Date): Promise<void> {
  await db.run(sql`delete from calendar.suggestions where state = 'unconfirmed' and created_at <= ${before}`)
}

/** Erases who sent accepted suggestions that were decided before this time. */
export async function eraseSendersDecidedBefore(db: Database, before: Date): Promise<number> {
  return await db.run(sql`
    update calendar.suggestions
    set sender_name = '', sender_email = null, message = '', answer = '', token_hash = null
    where state = 'accepted' and decided_at <= ${before} and sender_email is not null`)
}

/** Erases who sent these suggestions, whatever their state is. */
export async function eraseSender(tx: Database, email: string): Promise<number> {
  await tx.run(sql`delete from calendar.suggestions where state = 'unconfirmed' and sender_email = ${email}`)
  return await tx.run(sql`
    update calendar.suggestions
    set sender_name = '', sender_email = null, message = '', answer = '', token_hash = null
    where sender_email = ${email}`)
}

/** Declined suggestions that were decided before this time, with their events if these are still in the trash. */
export async function listDeclinedBefore(
  db: Database,
  before: Date,
  most: number
): Promise<{ id: number; trashedEventId: number | null }[]> {
  return await db.all(sql`
    select suggestion.id, event.id as "trashedEventId"
    from calendar.suggestions as suggestion
    left join calendar.events as event on event.id = suggestion.event_id and event.status = 'trash'
    where suggestion.state = 'declined' and suggestion.decided_at <= ${before}
    order by suggestion.id
    limit ${toLiteral(most)}`)
}

export async function remove(tx: Database, id: number): Promise<void> {
  await tx.run(sql`delete from calendar.suggestions where id = ${id}`)
}

/** Marks open suggestions that no email was about, unless one was sent within the last hour. Returns how many. */
export async function markNotified(tx: Database, now: Date, hourAgo: Date): Promise<number> {
  return await tx.run(sql`
    update calendar.suggestions
    set notified_at = ${now}
    where state = 'open' and notified_at is null
      and not exists (select from calendar.suggestions as other where other.notified_at > ${hourAgo})`)
}

/** The open suggestions of one email to the editors. */
export async function listNotified(
  db: Database,
  at: Date
): Promise<{ title: string; start: string; allDay: boolean }[]> {
  return await db.all(sql`
    select text.title, event.start_local::text as start, event.all_day as "allDay"
    from calendar.suggestions as suggestion
    join calendar.events as event on event.id = suggestion.event_id
    join calendar.event_texts as text on text.event_id = event.id and text.language = event.languages[1]
    where suggestion.state = 'open' and suggestion.notified_at = ${at}
    order by suggestion.queued_at, suggestion.id
    limit 50`)
}
