import type { Database } from '#platform/database/database.ts'
import { emptySql, type Sql, sql, toLiteral } from '#platform/database/sql.ts'
import type { Language } from '#platform/language.ts'
import type { Page } from '../contract/routing/paging.ts'
import type { SuggestedEvent } from './schema.ts'

export type SuggestionState = 'unconfirmed' | 'open' | 'accepted' | 'declined'

export interface SuggestionRow {
  id: number
  state: SuggestionState
  eventId: number | null
  language: Language
  senderName: string
  senderEmail: string | null
  emailConfirmed: boolean
  message: string
  createdAt: string
  queuedAt: string | null
  decidedAt: string | null
  decidedBy: string
  reason: string
  answer: string
}

const columns = sql`
  id, state, language, message, reason, answer,
  event_id as "eventId",
  sender_name as "senderName",
  sender_email as "senderEmail",
  email_confirmed as "emailConfirmed",
  created_at as "createdAt",
  queued_at as "queuedAt",
  decided_at as "decidedAt",
  decided_by as "decidedBy"`

/** Suggestions that editors see: not those whose sender has not confirmed the address. */
export async function find(db: Database, id: number): Promise<SuggestionRow | undefined> {
  return await db.maybeOne(sql`
    select ${columns} from calendar.suggestions where id = ${id} and state <> 'unconfirmed'`)
}

export async function lock(tx: Database, id: number): Promise<SuggestionRow | undefined> {
  return await tx.maybeOne(sql`
    select ${columns} from calendar.suggestions where id = ${id} and state <> 'unconfirmed' for update`)
}

export interface SuggestionFilter {
  state: SuggestionState | undefined
  email: string | undefined
}

function buildCondition({ state, email }: SuggestionFilter): Sql {
  return sql`
    state <> 'unconfirmed'
    ${state === undefined ? emptySql : sql`and state = ${state}`}
    ${email === undefined ? emptySql : sql`and sender_email = ${email}`}`
}

/** The oldest first, because they wait longest; decided ones the newest first. */
export async function listPage(db: Database, filter: SuggestionFilter, page: Page): Promise<SuggestionRow[]> {
  const order = filter.state === 'open' ? sql`queued_at, id` : sql`queued_at desc, id desc`
  return await db.all(sql`
    select ${columns}
    from calendar.suggestions
    where ${buildCondition(filter)}
    order by ${order}
    limit ${toLiteral(page.size)} offset ${page.offset}`)
}

/** The newest of the queue. */
export async function listNewest(db: Database, most: number): Promise<SuggestionRow[]> {
  return await db.all(sql`
    select ${columns}
    from calendar.suggestions
    where state = 'open'
    order by queued_at desc, id desc
    limit ${toLiteral(most)}`)
}

export async function count(db: Database, filter: SuggestionFilter): Promise<number> {
  const { total } = await db.one<{ total: number }>(sql`
    select count(*) as total from calendar.suggestions where ${buildCondition(filter)}`)
  return total
}

/** Held until the end of the transaction: counts of waiting suggestions stay true while one is inserted. */
export async function lockQueue(tx: Database): Promise<void> {
  await tx.one(sql`select pg_advisory_xact_lock(hashtextextended('suggestions', 0))`)
}

export async function countWaiting(
  tx: Database,
  email: string
): Promise<{ open: number; unconfirmed: number; ofSender: number }> {
  return await tx.one(sql`
    select
      count(*) filter (where state = 'open')::int as open,
      count(*) filter (where state = 'unconfirmed')::int as unconfirmed,
      count(*) filter (where sender_email = ${email})::int as "ofSender"
    from calendar.suggestions
    where state in ('open', 'unconfirmed')`)
}

export interface NewSuggestion {
  state: 'unconfirmed' | 'open'
  eventId: number | null
  fields: SuggestedEvent | null
  language: Language
  senderName: string
  senderEmail: string
  message: string
  proof: string | null
}

/** Returns undefined if the proof was already used. */
export async function insert(tx: Database, suggestion: NewSuggestion, now: Date): Promise<number | undefined> {
  const { state, eventId, fields, language, senderName, senderEmail, message, proof } = suggestion
  const row = await tx.maybeOne<{ id: number }>(sql`
    insert into calendar.suggestions (
      state, event_id, fields, language, sender_name, sender_email, message, proof, created_at, queued_at
    ) values (
      ${state}, ${eventId}, ${fields === null ? null : JSON.stringify(fields)}::jsonb, ${language}, ${senderName},
      ${senderEmail}, ${message}, ${proof}, ${now}, ${state === 'open' ? now : null}
    )
    on conflict (proof) do nothing
    returning id`)
  return row?.id
}

/** Stores the hash of a new token; only for a suggestion that still needs one. Returns what its email needs. */
export async function setToken(
  db: Database,
  id: number,
  hash: Buffer
): Promise<{ email: string; language: Language } | undefined> {
  return await db.maybeOne(sql`
    update calendar.suggestions
    set token_hash = ${hash}
    where id = ${id} and state = 'unconfirmed'
    returning sender_email as email, language`)
}

/** The suggestion of a link, confirmed or not. */
export async function lockByToken(
  tx: Database,
  hash: Buffer,
  since: Date
): Promise<{ id: number; state: SuggestionState; fields: SuggestedEvent | null; language: Language } | undefined> {
  return await tx.maybeOne(sql`
    select id, state, fields, language
    from calendar.suggestions
    where token_hash = ${hash} and created_at > ${since}
    for update`)
}

export async function setConfirmed(tx: Database, id: number, eventId: number, now: Date): Promise<void> {
  await tx.run(sql`
    update calendar.suggestions
    set state = 'open', event_id = ${eventId}, fields = null, email_confirmed = true, queued_at = ${now}
    where id = ${id}`)
}

export async function setAnswer(
  tx: Database,
  id: number,
  { reason, answer }: { reason: string; answer: string }
): Promise<void> {
  await tx.run(sql`update calendar.suggestions set reason = ${reason}, answer = ${answer} where id = ${id}`)
}
