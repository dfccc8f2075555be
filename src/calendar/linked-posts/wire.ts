import { toPostDates } from '../content/post-columns.ts'
import { buildGlobalId, buildPageUrl, type Site } from '../contract/routing/site.ts'
import { toImageJson } from '../media/wire.ts'
import { getPublicStatus, isPublic, type Viewer } from '../permissions/permissions.ts'
import type { LinkedPostRow } from './schema.ts'

/** The viewer, and what to include. */
export interface LinkedPostView {
  site: Site
  viewer: Viewer
  now: Date
  password?: string | undefined
  /** A single item, or one embedded in a single event: includes JSON-LD. */
  single?: boolean
}

/** False if it has a password that the reader has not given and needs. */
export function isUnlocked(row: LinkedPostRow, { viewer, password }: LinkedPostView): boolean {
  if (row.password === null || row.password === password) return true
  return viewer.visibility === 'all' || (viewer.visibility === 'own' && row.authorId === viewer.authorId)
}

/**
 * The leading members of a response, for both kinds. The member with the name is called as the kind. Sets members one
 * by one: lists have many of these objects, and merging objects would cost more than everything else.
 */
export function buildCommonFields(
  row: LinkedPostRow,
  kind: 'venue' | 'organizer',
  view: LinkedPostView
): Record<string, unknown> {
  const { site, now } = view
  const unlocked = isUnlocked(row, view)
  const dates = toPostDates(row)
  const wire: Record<string, unknown> = {
    id: row.id,
    author: String(row.authorId),
    status: getPublicStatus(row, now),
    date: dates.date,
    date_utc: dates.date_utc,
    modified: dates.modified,
    modified_utc: dates.modified_utc,
    url: buildPageUrl(site, { kind, id: row.id, slug: row.slug, isPublished: isPublic(row, now) }),
    [kind]: row.name
  }
  addText(wire, 'description', row.description, unlocked)
  wire.slug = row.status === 'trash' ? `${row.slug}__trashed` : row.slug
  if (row.image !== null && unlocked) wire.image = toImageJson(row.image, site)
  return wire
}

export function addTrailingFields(wire: Record<string, unknown>, row: LinkedPostRow, { site }: LinkedPostView): void {
  const id = buildGlobalId(site, row.id)
  wire.global_id = id
  wire.global_id_lineage = [id]
  wire.language = row.language
  wire.translations = row.translations
  if (row.eventCount !== undefined) wire.event_count = row.eventCount
}

/** Omitted if empty; with a missing password always present but empty, so that it does not reveal whether it is set. */
export function addText(wire: Record<string, unknown>, member: string, text: string, unlocked: boolean): void {
  if (!unlocked) wire[member] = ''
  else if (text !== '') wire[member] = text
}
