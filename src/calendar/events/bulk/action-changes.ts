import { Temporal } from 'temporal-polyfill'
import { hasRole } from '#platform/caller.ts'
import type { Database } from '#platform/database/database.ts'
import { buildText } from '#platform/messages/messages.ts'
import { Problem } from '#platform/problem.ts'
import { newForbiddenProblem, newInvalidParamProblem, newPostUnavailableProblem } from '../../contract/problems.ts'
import type { WriteContext } from '../../contract/routing/route.ts'
import { lockLinkable } from '../../linked-posts/queries.ts'
import { canSee, publisherRoles } from '../../permissions/permissions.ts'
import { lockForLinks } from '../../terms/queries.ts'
import type { LocalDateTime } from '../../time/time.ts'
import { venuePostType } from '../../venues/venue.ts'
import { listLinks, listTermIds } from '../link-queries.ts'
import type { LockedEvent } from '../queries.ts'
import type { EventChanges } from '../schema.ts'
import { findStatusBeforeTrash } from '../versions/queries.ts'
import type { BulkAction, BulkValues } from './schema.ts'

const newNothingToChangeProblem = () =>
  new Problem(409, 'event-unchanged', buildText('event-problems', 'nothingToChange'))

/** Checks the parameters that the action needs, before any event is changed. */
export async function requireActionParams(tx: Database, context: WriteContext, values: BulkValues): Promise<void> {
  const { action, term, venue, days = 0, minutes = 0 } = values
  const taxonomy = getTaxonomy(action)
  if (taxonomy !== undefined) {
    if (term === undefined) throw newMissingParamProblem('term')
    if ((await lockForLinks(tx, taxonomy, [term])).length === 0) {
      throw newInvalidParamProblem('term', 'unknown', buildText('event-problems', 'unknownTerm', { taxonomy }))
    }
  }
  if (action === 'set_venue') {
    if (venue === undefined) throw newMissingParamProblem('venue')
    const found = venue === null ? [] : await lockLinkable(tx, venuePostType, [venue])
    if (venue !== null && !found.some(item => canSee(context.viewer, item, context.now))) {
      throw newInvalidParamProblem('venue', 'unknown', buildText('event-problems', 'mustBeTheId'))
    }
  }
  if (action === 'shift' && days === 0 && minutes === 0) throw newMissingParamProblem('days')
}

const newMissingParamProblem = (name: string) =>
  newInvalidParamProblem(name, 'required', buildText('event-problems', 'missingParam'))

function getTaxonomy(action: BulkAction | undefined): 'category' | 'tag' | undefined {
  if (action === 'add_category' || action === 'remove_category') return 'category'
  return action === 'add_tag' || action === 'remove_tag' ? 'tag' : undefined
}

/** The changes that the action makes to this event; throws a Problem if there are none. */
export async function buildActionChanges(
  tx: Database,
  context: WriteContext,
  event: LockedEvent,
  values: BulkValues
): Promise<EventChanges> {
  const { action } = values
  if (action === 'restore') {
    if (event.status !== 'trash') throw newNothingToChangeProblem()
    return { status: (await findStatusBeforeTrash(tx, event.id)) ?? 'draft' }
  }
  if (event.status === 'trash') throw newPostUnavailableProblem('event')
  if (action === 'publish' || action === 'draft') {
    if (event.status === action) throw newNothingToChangeProblem()
    // A single update would submit the event for review instead; this action promises to publish it.
    if (action === 'publish' && !hasRole(context.caller, ...publisherRoles)) throw newForbiddenProblem()
    return { status: action }
  }
  if (action === 'set_venue') {
    const wanted = values.venue == null ? [] : [values.venue]
    if (isEqual(wanted, await listLinks(tx, venuePostType, event.id, context.viewer))) throw newNothingToChangeProblem()
    return { venue: wanted.map(id => ({ id })) }
  }
  if (action === 'shift') return shiftSchedule(event, values)
  return await changeTerms(tx, event, values)
}

const isEqual = (one: number[], other: number[]) => JSON.stringify(one) === JSON.stringify(other)

async function changeTerms(tx: Database, event: LockedEvent, { action, term = 0 }: BulkValues): Promise<EventChanges> {
  const taxonomy = getTaxonomy(action) ?? 'category'
  const linked = (await listTermIds(tx, event.id)).filter(one => one.taxonomy === taxonomy).map(({ id }) => id)
  const isAdded = action === 'add_category' || action === 'add_tag'
  if (linked.includes(term) === isAdded) throw newNothingToChangeProblem()
  const wanted = isAdded ? [...linked, term] : linked.filter(id => id !== term)
  return taxonomy === 'category' ? { categories: wanted } : { tags: wanted }
}

/** Moves the local times, so that an event at 19:00 stays at 19:00 when clocks change. All-day events move by days. */
function shiftSchedule(event: LockedEvent, { days = 0, minutes = 0 }: BulkValues): EventChanges {
  if (event.allDay && days === 0) throw newNothingToChangeProblem()
  const move = (local: LocalDateTime) => {
    const moved = Temporal.PlainDateTime.from(local)
      .add({ days })
      // Separately, because days and minutes may have different signs.
      .add({ minutes: event.allDay ? 0 : minutes })
    return `${moved.toPlainDate()} ${moved.toPlainTime().toString({ smallestUnit: 'second' })}`
  }
  return { start_date: move(event.start), end_date: move(event.end) }
}
