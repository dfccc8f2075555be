import { toSingleLineText } from '#platform/rich-text/html.ts'
import type { Incoming } from '../../imports/sources/source.ts'
import type { TrackedEvent } from '../items/queries.ts'
import type { SubscriptionProblem } from '../schema.ts'

/** Fewer events may disappear at once without a question. */
const lostMin = 5
/** Fewer events with a new id are no sign that the source has changed its ids. */
const renamedMin = 2

/** Events with the same title and start that have another id at the source now. */
export interface RenamedEvent {
  from: string
  to: string
}

/** What has become of the known events in the calendar as it is now. */
export interface FeedComparison {
  /** No longer there, past ones too. */
  lost: TrackedEvent[]
  renamed: RenamedEvent[]
  problem: Exclude<SubscriptionProblem, 'failing' | 'own-calendar'> | undefined
}

/** Compares the events that the source had with those that it has now. */
export function compareFeed(tracked: TrackedEvent[], events: Incoming[]): FeedComparison {
  const isPresent = newPresenceCheck(events)
  const lost = tracked.filter(({ sourceId }) => !isPresent(sourceId))
  const known = new Set(tracked.map(({ sourceId }) => sourceId))
  const renamed = matchByTitle(
    lost,
    events.filter(({ sourceId }) => !known.has(sourceId))
  )
  return { lost, renamed, problem: findProblem(tracked, events, { lost, renamed }) }
}

function findProblem(
  tracked: TrackedEvent[],
  events: Incoming[],
  { lost, renamed }: Pick<FeedComparison, 'lost' | 'renamed'>
): FeedComparison['problem'] {
  if (tracked.length > 0 && events.length === 0) return 'empty'
  const isRenamed = renamed.length >= renamedMin && renamed.length * 2 > lost.length
  if (isRenamed && lost.length * 2 > tracked.length) return 'ids-changed'
  const [before, gone] = [tracked, lost].map(list => list.filter(({ isUpcoming }) => isUpcoming).length) as [
    number,
    number
  ]
  return gone >= lostMin && gone * 2 > before ? 'many-gone' : undefined
}

/**
 * Whether the source still has the id. An event that it has but that cannot be read is not gone, nor are the occurrences
 * of a series that has too many of them.
 */
function newPresenceCheck(events: Incoming[]): (sourceId: string) => boolean {
  const ids = new Set(events.map(({ sourceId }) => sourceId))
  const occurrences = new Map<string, number>()
  for (const { sourceId } of events) {
    const series = getSeriesId(sourceId)
    occurrences.set(series, (occurrences.get(series) ?? 0) + 1)
  }
  const unread = events.filter(({ problems, skipped }) => problems.length > 0 || skipped !== undefined)
  const covered = new Set(
    unread.flatMap(({ sourceId }) => {
      if (!sourceId.endsWith('/…')) return [sourceId]
      // The rest of a series without an occurrence is a series that is over.
      const series = getSeriesId(sourceId)
      return (occurrences.get(series) ?? 0) > 1 ? [series] : []
    })
  )
  return sourceId => ids.has(sourceId) || covered.has(getSeriesId(sourceId))
}

/** The id without the date of the occurrence; empty for an event that is none. */
const getSeriesId = (sourceId: string) => sourceId.slice(0, Math.max(sourceId.lastIndexOf('/'), 0))

function matchByTitle(lost: TrackedEvent[], fresh: Incoming[]): RenamedEvent[] {
  const waiting = new Map<string, string[]>()
  for (const { title, start, sourceId } of lost) {
    const key = `${start} ${title}`
    waiting.set(key, [...(waiting.get(key) ?? []), sourceId])
  }
  return fresh.flatMap(({ sourceId, texts, fields }) => {
    const keys = Object.values(texts).map(({ title }) => `${fields.start_date} ${toSingleLineText(title)}`)
    const from = waiting.get(keys.find(key => (waiting.get(key)?.length ?? 0) > 0) ?? '')?.shift()
    return from === undefined ? [] : [{ from, to: sourceId }]
  })
}
