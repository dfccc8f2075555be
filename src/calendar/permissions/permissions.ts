import { ownerId } from '#platform/auth/keys/key.ts'
import { type Caller, hasRole } from '#platform/caller.ts'
import { type Sql, sql } from '#platform/database/sql.ts'
import type { PostStatus } from '../contract/params.ts'

/** Roles that can write events, venues and organizers; access to others' and to published ones is checked per item. */
export const writerRoles = ['contributor', 'author', 'editor'] as const
/** Roles that can publish and have images downloaded by URL. */
export const publisherRoles = ['author', 'editor'] as const

/** Roles that can write terms; an event with an unknown name in `categories` or `tags` creates a term. */
export const termWriterRoles = { category: publisherRoles, tag: ['editor'] } as const

/** Which unpublished items a caller sees. */
export interface Viewer {
  visibility: 'published' | 'own' | 'all'
  authorId: number
}

export function toViewer(caller: Caller): Viewer {
  const authorId = getAuthorId(caller)
  if (hasRole(caller, 'editor')) return { visibility: 'all', authorId }
  return { visibility: hasRole(caller, 'contributor', 'author') ? 'own' : 'published', authorId }
}

/** The author id of a caller's items: that of their key or account, or the site owner's. Anonymous callers have 0. */
export function getAuthorId(caller: Caller): number {
  return caller.keyId ?? caller.userId ?? (caller.role === undefined ? 0 : ownerId)
}

/** An item with an author and a status. */
export interface OwnedPost {
  authorId: number
  /** As stored: `future` is stored as publish with a future date. */
  status: string
  publishedAt: string | null
  /** Shown as its date until it is first published. */
  createdAt?: string
}

/** Clocks of several servers differ slightly: an item just published on one is published on all. */
const skewMs = 2000
const publishedCutoff = sql`now() + interval '2 seconds'`

/** Condition for rows that everyone can see. */
export function buildPublishedCondition(row: Sql): Sql {
  return sql`${row}.status = 'publish' and ${row}.published_at <= ${publishedCutoff}`
}

/** Condition for visible events, venues or organizers with this row alias; never includes the trash. */
export function buildVisibleCondition({ visibility, authorId }: Viewer, row: Sql): Sql {
  const published = buildPublishedCondition(row)
  if (visibility === 'published') return published
  if (visibility === 'own') return sql`${row}.status <> 'trash' and (${row}.author_id = ${authorId} or (${published}))`
  return sql`${row}.status <> 'trash'`
}

export function canSee({ visibility, authorId }: Viewer, item: OwnedPost, now: Date): boolean {
  return visibility === 'all' || (visibility === 'own' && item.authorId === authorId) || isPublic(item, now)
}

/** Whether the viewer must not learn that the item exists. Trashed items are reported as gone to everyone. */
export function isHidden({ viewer, now }: { viewer: Viewer; now: Date }, item: OwnedPost): boolean {
  return item.status !== 'trash' && !canSee(viewer, item, now)
}

let cachedNow: Date | undefined
let cachedCutoff = ''

/** The latest publication time that counts as published, as text; cached, because lists check it for every row. */
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

/** Own items, published ones only if the caller can publish; others' items only for editors. */
export function canEdit(caller: Caller, item: OwnedPost): boolean {
  if (hasRole(caller, 'editor')) return true
  if (item.authorId !== getAuthorId(caller)) return false
  return hasRole(caller, 'author') || (hasRole(caller, 'contributor') && item.status !== 'publish')
}

/** The status as clients see it. */
export function getPublicStatus({ status, publishedAt }: OwnedPost, now: Date): PostStatus {
  return status === 'publish' && !isPublic({ status, publishedAt }, now) ? 'future' : (status as PostStatus)
}

/** The status a caller gets for the requested one: without the right to publish, it becomes pending review. */
export function getAllowedStatus(caller: Caller, requested: PostStatus | undefined): Exclude<PostStatus, 'future'> {
  const mayPublish = hasRole(caller, ...publisherRoles)
  if (requested === undefined) return mayPublish ? 'publish' : 'draft'
  if (requested === 'publish' || requested === 'future') return mayPublish ? 'publish' : 'pending'
  return requested
}
