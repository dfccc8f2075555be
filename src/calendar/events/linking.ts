import type { Database } from '#platform/database.ts'
import type { Language } from '#platform/language.ts'
import { followEvent } from '../linked/inline.ts'
import { resolveLinks } from '../linked/links.ts'
import { linkedOrganizers } from '../organizers/organizer.ts'
import type { Publication } from '../publication.ts'
import type { Work } from '../tec.ts'
import { addToCounts, termIdsFor } from '../terms/term.ts'
import { linkedVenues } from '../venues/venue.ts'
import * as eventLinks from './links.ts'
import type { LockedEvent } from './queries.ts'
import type { EventChanges } from './schema.ts'

/** Whoever sends back the links they see changes none: those that they cannot see stay, such as those in the trash. */
export async function saveLinks(
  tx: Database,
  visit: Work,
  id: number,
  language: Language,
  values: EventChanges,
  { before, publication }: { before: LockedEvent | undefined; publication: Publication }
): Promise<void> {
  const { venue, organizer } = values
  const event = { id, ...publication }
  if (venue !== undefined) {
    const ids = await resolveLinks(tx, visit, linkedVenues, venue, { language, parameter: 'venue', event })
    if (before === undefined) await eventLinks.addLinks(tx, linkedVenues, id, ids)
    else if (!isEqual(ids, await eventLinks.listLinks(tx, linkedVenues, id, visit.viewer))) {
      await eventLinks.setLinks(tx, linkedVenues, id, ids)
    }
  }
  if (organizer !== undefined) {
    const ids = await resolveLinks(tx, visit, linkedOrganizers, organizer, { language, parameter: 'organizer', event })
    if (before === undefined) await eventLinks.addLinks(tx, linkedOrganizers, id, ids)
    else if (!isEqual(ids, await eventLinks.listLinks(tx, linkedOrganizers, id, visit.viewer))) {
      await eventLinks.setLinks(tx, linkedOrganizers, id, ids)
    }
  }
  // Another statement for each event of an import is felt, so nothing is asked where nothing can follow.
  const isMoved = before !== undefined && hasMoved(before, publication)
  if (isMoved || (venue ?? []).length > 0) await followEvent(tx, visit, linkedVenues, event)
  if (isMoved || (organizer ?? []).length > 0) await followEvent(tx, visit, linkedOrganizers, event)

  const old = before === undefined ? [] : await eventLinks.listTermIds(tx, id)
  const kept = (taxonomy: 'category' | 'tag') => old.filter(term => term.taxonomy === taxonomy).map(term => term.id)
  const next = [
    ...(values.categories === undefined
      ? kept('category')
      : await termIdsFor(tx, visit, 'category', values.categories, language, 'categories')),
    ...(values.tags === undefined ? kept('tag') : await termIdsFor(tx, visit, 'tag', values.tags, language, 'tags'))
  ]
  if (before === undefined) await eventLinks.addTerms(tx, id, next)
  else if (values.categories !== undefined || values.tags !== undefined) await eventLinks.setTerms(tx, id, next)
  await countTerms(
    tx,
    before?.status ?? 'draft',
    publication.status,
    old.map(term => term.id),
    next
  )
}

function hasMoved(before: LockedEvent, { status, publishedAt }: Publication): boolean {
  const since = before.publishedAt === null ? null : Date.parse(before.publishedAt)
  return before.status !== status || since !== (publishedAt?.getTime() ?? null)
}

export async function listTermIds(tx: Database, id: number): Promise<number[]> {
  return (await eventLinks.listTermIds(tx, id)).map(term => term.id)
}

/** Terms count what is published; what stays counted is not touched. */
export async function countTerms(
  tx: Database,
  before: string,
  after: string,
  old: number[],
  next: number[]
): Promise<void> {
  const counted = before === 'publish' ? old : []
  const counting = after === 'publish' ? next : []
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
