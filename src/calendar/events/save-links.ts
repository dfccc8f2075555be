import type { Database } from '#platform/database/database.ts'
import type { Language } from '#platform/language.ts'
import type { WriteContext } from '../contract/routing/route.ts'
import { applyEventState } from '../linked-posts/inline-state.ts'
import { resolveLinks } from '../linked-posts/resolve-links.ts'
import { organizerPostType } from '../organizers/organizer.ts'
import type { Publication } from '../permissions/publication.ts'
import { findOrCreateTermIds } from '../terms/find-or-create.ts'
import { addToCounts } from '../terms/term.ts'
import { venuePostType } from '../venues/venue.ts'
import * as eventLinks from './link-queries.ts'
import type { LockedEvent } from './queries.ts'
import type { EventChanges } from './schema.ts'

/** Sending back the visible links changes nothing: links the caller cannot see stay, such as those in the trash. */
export async function saveLinks(
  tx: Database,
  context: WriteContext,
  values: EventChanges,
  {
    id,
    language,
    before,
    publication
  }: { id: number; language: Language; before: LockedEvent | undefined; publication: Publication }
): Promise<void> {
  const { venue, organizer } = values
  const event = { id, ...publication }
  if (venue !== undefined) {
    const ids = await resolveLinks(tx, context, venuePostType, { links: venue, language, parameter: 'venue', event })
    if (before === undefined) await eventLinks.addLinks(tx, venuePostType, id, ids)
    else if (!isEqual(ids, await eventLinks.listLinks(tx, venuePostType, id, context.viewer))) {
      await eventLinks.setLinks(tx, venuePostType, id, ids)
    }
  }
  if (organizer !== undefined) {
    const ids = await resolveLinks(tx, context, organizerPostType, {
      links: organizer,
      language,
      parameter: 'organizer',
      event
    })
    if (before === undefined) await eventLinks.addLinks(tx, organizerPostType, id, ids)
    else if (!isEqual(ids, await eventLinks.listLinks(tx, organizerPostType, id, context.viewer))) {
      await eventLinks.setLinks(tx, organizerPostType, id, ids)
    }
  }
  // One more statement per event slows an import noticeably, so skip it if no state can change.
  const isMoved = before !== undefined && hasStateChanged(before, publication)
  if (isMoved || (venue ?? []).length > 0) await applyEventState(tx, context, venuePostType, event)
  if (isMoved || (organizer ?? []).length > 0) await applyEventState(tx, context, organizerPostType, event)

  const old = before === undefined ? [] : await eventLinks.listTermIds(tx, id)
  const kept = (taxonomy: 'category' | 'tag') => old.filter(term => term.taxonomy === taxonomy).map(term => term.id)
  const next = [
    ...(values.categories === undefined
      ? kept('category')
      : await findOrCreateTermIds(tx, context, values.categories, {
          taxonomy: 'category',
          language,
          parameter: 'categories'
        })),
    ...(values.tags === undefined
      ? kept('tag')
      : await findOrCreateTermIds(tx, context, values.tags, { taxonomy: 'tag', language, parameter: 'tags' }))
  ]
  if (before === undefined) await eventLinks.addTerms(tx, id, next)
  else if (values.categories !== undefined || values.tags !== undefined) await eventLinks.setTerms(tx, id, next)
  await updateTermCounts(
    tx,
    { status: before?.status ?? 'draft', termIds: old.map(term => term.id) },
    { status: publication.status, termIds: next }
  )
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
