import type { Database } from '#platform/database/database.ts'
import type { Language } from '#platform/language.ts'
import type { Link } from '../contract/link-params.ts'
import type { TermKey } from '../contract/params.ts'
import type { WriteContext } from '../contract/routing/route.ts'
import { applyEventState } from '../linked-posts/inline-state.ts'
import { resolveLinks } from '../linked-posts/resolve-links.ts'
import type { LinkedPostChanges, LinkedPostType } from '../linked-posts/schema.ts'
import { organizerPostType } from '../organizers/organizer.ts'
import type { Publication } from '../permissions/publication.ts'
import { findOrCreateTermIds } from '../terms/find-or-create.ts'
import type { Taxonomy } from '../terms/queries.ts'
import { addToCounts } from '../terms/term.ts'
import { venuePostType } from '../venues/venue.ts'
import * as eventLinks from './link-queries.ts'
import type { LockedEvent } from './queries.ts'
import type { EventChanges } from './schema.ts'

/** The event whose links are written. */
interface LinkingEvent {
  id: number
  language: Language
  before: LockedEvent | undefined
  publication: Publication
}

/**
 * Sending back the visible links changes nothing: links the caller cannot see stay, such as those in the trash. The
 * statements of all kinds are sent together, so that the event waits for the database as often as its slowest kind.
 */
export async function saveLinks(
  tx: Database,
  context: WriteContext,
  values: EventChanges,
  event: LinkingEvent
): Promise<void> {
  await Promise.all([
    saveLinkedPosts(tx, context, venuePostType, { links: values.venue, event }),
    saveLinkedPosts(tx, context, organizerPostType, { links: values.organizer, event }),
    saveTerms(tx, context, values, event)
  ])
}

async function saveLinkedPosts<Own extends object, Changes extends LinkedPostChanges>(
  tx: Database,
  context: WriteContext,
  linked: LinkedPostType<Own, Changes>,
  { links, event: { id, language, before, publication } }: { links: Link<Changes>[] | undefined; event: LinkingEvent }
): Promise<void> {
  const event = { id, ...publication }
  const isNew = before === undefined
  const [ids, linkedIds] =
    links === undefined
      ? [[], []]
      : await Promise.all([
          resolveLinks(tx, context, linked, { links, language, parameter: linked.kind, event }),
          isNew ? [] : eventLinks.listLinks(tx, linked, id, context.viewer)
        ])
  const writeLinks = isNew ? eventLinks.addLinks : eventLinks.setLinks
  // One more statement per event slows an import noticeably, so skip it if no state can change.
  const canChangeState = ids.length > 0 || (!isNew && hasStateChanged(before, publication))
  await Promise.all([
    isEqual(ids, linkedIds) ? undefined : writeLinks(tx, linked, id, ids),
    canChangeState ? applyEventState(tx, context, linked, event) : undefined
  ])
}

async function saveTerms(
  tx: Database,
  context: WriteContext,
  values: EventChanges,
  { id, language, before, publication }: LinkingEvent
): Promise<void> {
  const isGiven = values.categories !== undefined || values.tags !== undefined
  const find = async (taxonomy: Taxonomy, keys: TermKey[] | undefined, parameter: string) =>
    keys === undefined ? undefined : await findOrCreateTermIds(tx, context, keys, { taxonomy, language, parameter })
  const [old, categories, tags] = await Promise.all([
    before === undefined ? [] : eventLinks.listTermIds(tx, id),
    find('category', values.categories, 'categories'),
    find('tag', values.tags, 'tags')
  ])
  const listKept = (taxonomy: Taxonomy) => old.filter(term => term.taxonomy === taxonomy).map(term => term.id)
  const next = [...(categories ?? listKept('category')), ...(tags ?? listKept('tag'))]
  const writeTerms = before === undefined ? eventLinks.addTerms : eventLinks.setTerms
  await Promise.all([
    isGiven ? writeTerms(tx, id, next) : undefined,
    updateTermCounts(
      tx,
      { status: before?.status ?? 'draft', termIds: old.map(term => term.id) },
      { status: publication.status, termIds: next }
    )
  ])
}

function hasStateChanged(before: LockedEvent, { status, publishedAt }: Publication): boolean {
  const since = before.publishedAt === null ? null : Date.parse(before.publishedAt)
  return before.status !== status || since !== (publishedAt?.getTime() ?? null)
}

export async function listTermIds(tx: Database, id: number): Promise<number[]> {
  return (await eventLinks.listTermIds(tx, id)).map(term => term.id)
}

interface EventTerms {
  status: string
  termIds: number[]
}

/** Terms count published events; counts that stay the same are not written. */
export async function updateTermCounts(tx: Database, before: EventTerms, after: EventTerms): Promise<void> {
  const counted = before.status === 'publish' ? before.termIds : []
  const counting = after.status === 'publish' ? after.termIds : []
  await addToCounts(
    tx,
    counted.filter(id => !counting.includes(id)),
    -1
  )
  await addToCounts(
    tx,
    counting.filter(id => !counted.includes(id)),
    1
  )
}

const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
