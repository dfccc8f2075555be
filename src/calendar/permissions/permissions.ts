import { ownerId } from '#platform/auth/keys/key.ts'
import { type Caller, hasRole } from '#platform/caller.ts'
import { type Sql, sql } from '#platform/database/sql.ts'
import type { PostStatus } from '../contract/params.ts'

/** Who may write events, venues and organizers; what of others' and of published ones is decided per item. */
export const writerRoles = ['contributor', 'author', 'editor'] as const
/** Who may publish, and may have images fetched. */
export const publisherRoles = ['author', 'editor'] as const

/** Who may make, change and remove terms; an event with a new name in `categories` or `tags` makes one. */
export const termWriterRoles = { category: publisherRoles, tag: ['editor'] } as const

/** How much of what is not published somebody sees. */
export interface Viewer {
  visibility: 'published' | 'own' | 'all'
  authorId: number
}

export function toViewer(caller: Caller): Viewer {
  const authorId = getAuthorId(caller)
  if (hasRole(caller, 'editor')) return { visibility: 'all', authorId }
  return { visibility: hasRole(caller, 'contributor', 'author') ? 'own' : 'published', authorId }
}

/** What somebody writes is theirs: the number of their key or account, or of the site's owner. Nobody's is 0. */
export function getAuthorId(caller: Caller): number {
  return caller.keyId ?? caller.userId ?? (caller.role === undefined ? 0 : ownerId)
}

/** Something that has an author and a state. */
export interface OwnedPost {
  authorId: number
  /** As stored: `future` is publish with a date ahead. */
  status: string
  publishedAt: string | null
  /** What is shown as its date while it was never published. */
  createdAt?: string
}

/** Clocks of several machines differ a little: what was published there this moment is published here too. */
const skewMs = 2000
const publishedCutoff = sql`now() + interval '2 seconds'`

/** The condition that something can be seen by everybody. */
export function buildPublishedCondition(row: Sql): Sql {
  return sql`${row}.status = 'publish' and ${row}.published_at <= ${publishedCutoff}`
}

/** A condition on rows of events, venues or organizers under this name; the trash is never seen. */
export function buildVisibleCondition({ visibility, authorId }: Viewer, row: Sql): Sql {
  const published = buildPublishedCondition(row)
  if (visibility === 'published') return published
  if (visibility === 'own') return sql`${row}.status <> 'trash' and (${row}.author_id = ${authorId} or (${published}))`
  return sql`${row}.status <> 'trash'`
}

export function canSee({ visibility, authorId }: Viewer, item: OwnedPost, now: Date): boolean {
  return visibility === 'all' || (visibility === 'own' && item.authorId === authorId) || isPublic(item, now)
}

/** Is it something that they may not know of? What is in the trash is gone for everybody, and says so. */
export function isHidden({ viewer, now }: { viewer: Viewer; now: Date }, item: OwnedPost): boolean {
  return item.status !== 'trash' && !canSee(viewer, item, now)
}

let cachedNow: Date | undefined
let cachedCutoff = ''

/** The last second that is published at a moment, as text: a list asks it of every row. */
function getPublishedCutoff(now: Date): string {
  if (now !== cachedNow) {
    cachedNow = now
    cachedCutoff = new Date(now.getTime() + skewMs).toISOString().slice(0, 23)
  }
  return cachedCutoff
}

export function isPublic({ status, publishedAt }: Pick<OwnedPost, 'status' | 'publishedAt'>, now: Date): boolean {
  return status === 'publish' && publishedAt !== null && publishedAt.slice(0, 23) <= getPublishedCutoff(now)
}

/** Own things; published ones only by who may publish; others' only by editors. */
export function canEdit(caller: Caller, item: OwnedPost): boolean {
  if (hasRole(caller, 'editor')) return true
  if (item.authorId !== getAuthorId(caller)) return false
  return hasRole(caller, 'author') || (hasRole(caller, 'contributor') && item.status !== 'publish')
}

/** The state as clients know it. */
export function getPublicStatus({ status, publishedAt }: OwnedPost, now: Date): PostStatus {
  return status === 'publish' && !isPublic({ status, publishedAt }, now) ? 'future' : (status as PostStatus)
}

/** What a writer gets who asks for a state: who may not publish hands in for review. */
export function getAllowedStatus(caller: Caller, asked: PostStatus | undefined): Exclude<PostStatus, 'future'> {
  const mayPublish = hasRole(caller, ...publisherRoles)
  if (asked === undefined) return mayPublish ? 'publish' : 'draft'
  if (asked === 'publish' || asked === 'future') return mayPublish ? 'publish' : 'pending'
  return asked
}
