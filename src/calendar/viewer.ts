import { type Caller, may } from '#platform/access.ts'
import { ownerId } from '#platform/keys/key.ts'
import { type Sql, sql } from '#platform/sql.ts'
import type { Status } from './rules.ts'

/** Who may write events, venues and organizers; what of others' and of published ones is decided per item. */
export const writers = ['contributor', 'author', 'editor'] as const
/** Who may publish, and may have images fetched. */
export const publishers = ['author', 'editor'] as const

/** Who may make, change and remove terms; an event with a new name in `categories` or `tags` makes one. */
export const termWriters = { category: publishers, tag: ['editor'] } as const

/** How much of what is not published somebody sees. */
export interface Viewer {
  sees: 'published' | 'own' | 'all'
  authorId: number
}

export function viewerOf(caller: Caller): Viewer {
  const authorId = authorIdOf(caller)
  if (may(caller, 'editor')) return { sees: 'all', authorId }
  return { sees: may(caller, 'contributor', 'author') ? 'own' : 'published', authorId }
}

/** What somebody writes is theirs: the number of their key or account, or of the site's owner. Nobody's is 0. */
export function authorIdOf(caller: Caller): number {
  return caller.keyId ?? caller.userId ?? (caller.role === undefined ? 0 : ownerId)
}

/** Something that has an author and a state. */
export interface Item {
  authorId: number
  /** As stored: `future` is publish with a date ahead. */
  status: string
  publishedAt: string | null
  /** What is shown as its date while it was never published. */
  createdAt?: string
}

/** Clocks of several machines differ a little: what was published there this moment is published here too. */
const skewMs = 2000
const soon = sql`now() + interval '2 seconds'`

/** The condition that something can be seen by everybody. */
export function isPublished(row: Sql): Sql {
  return sql`${row}.status = 'publish' and ${row}.published_at <= ${soon}`
}

/** A condition on rows of events, venues or organizers under this name; the trash is never seen. */
export function visibleTo({ sees, authorId }: Viewer, row: Sql): Sql {
  const published = isPublished(row)
  if (sees === 'published') return published
  if (sees === 'own') return sql`${row}.status <> 'trash' and (${row}.author_id = ${authorId} or (${published}))`
  return sql`${row}.status <> 'trash'`
}

export function maySee({ sees, authorId }: Viewer, item: Item, now: Date): boolean {
  return sees === 'all' || (sees === 'own' && item.authorId === authorId) || isPublic(item, now)
}

/** Is it something that they may not know of? What is in the trash is gone for everybody, and says so. */
export function isHidden({ viewer, now }: { viewer: Viewer; now: Date }, item: Item): boolean {
  return item.status !== 'trash' && !maySee(viewer, item, now)
}

let readAt: Date | undefined
let readUntil = ''

/** The last second that is published at a moment, as text: a list asks it of every row. */
function publishedUntil(now: Date): string {
  if (now !== readAt) {
    readAt = now
    readUntil = new Date(now.getTime() + skewMs).toISOString().slice(0, 23)
  }
  return readUntil
}

export function isPublic({ status, publishedAt }: Pick<Item, 'status' | 'publishedAt'>, now: Date): boolean {
  return status === 'publish' && publishedAt !== null && publishedAt.slice(0, 23) <= publishedUntil(now)
}

/** Own things; published ones only by who may publish; others' only by editors. */
export function mayEdit(caller: Caller, item: Item): boolean {
  if (may(caller, 'editor')) return true
  if (item.authorId !== authorIdOf(caller)) return false
  return may(caller, 'author') || (may(caller, 'contributor') && item.status !== 'publish')
}

/** The state as clients know it. */
export function shownStatus({ status, publishedAt }: Item, now: Date): Status {
  return status === 'publish' && !isPublic({ status, publishedAt }, now) ? 'future' : (status as Status)
}

/** What a writer gets who asks for a state: who may not publish hands in for review. */
export function grantedStatus(caller: Caller, asked: Status | undefined): Exclude<Status, 'future'> {
  const mayPublish = may(caller, ...publishers)
  if (asked === undefined) return mayPublish ? 'publish' : 'draft'
  if (asked === 'publish' || asked === 'future') return mayPublish ? 'publish' : 'pending'
  return asked
}
