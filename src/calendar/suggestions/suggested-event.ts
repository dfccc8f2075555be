import type { Database } from '#platform/database/database.ts'
import type { Language } from '#platform/language.ts'
import { buildText } from '#platform/messages/messages.ts'
import { stripControls, toSingleLineText } from '#platform/rich-text/html.ts'
import { tokenize } from '#platform/rich-text/html-tokens.ts'
import { sanitizeHtml } from '#platform/rich-text/rich-text.ts'
import { requireMarkupBudget } from '../content/markup-budget.ts'
import { newInvalidParamProblem } from '../contract/problems.ts'
import type { WriteContext } from '../contract/routing/route.ts'
import { resolveSchedule } from '../events/schedule.ts'
import type { EventChanges } from '../events/schema.ts'
import * as linked from '../linked-posts/queries.ts'
import { canSee } from '../permissions/permissions.ts'
import * as terms from '../terms/queries.ts'
import { venuePostType } from '../venues/venue.ts'
import type { SuggestedEvent, SuggestionValues } from './schema.ts'

/** More links than an event needs, and too few for advertising. */
export const linksMax = 5

/** Checks and sanitizes what a visitor sent. */
export async function toSuggestedEvent(context: WriteContext, values: SuggestionValues): Promise<SuggestedEvent> {
  requireMarkupBudget(values.description === undefined ? {} : { description: values.description })
  const title = toSingleLineText(values.title ?? '')
  if (title === '') {
    throw newInvalidParamProblem('title', 'empty', buildText('suggestion-problems', 'empty'))
  }
  const description = removeImages(await sanitizeHtml(context, values.description ?? ''))
  refuseManyLinks('description', countLinks(description))
  refuseManyLinks('message', countAddresses(values.message ?? ''))
  refuseManyLinks('title', countAddresses(title), 0)
  const { start_date, end_date = start_date, all_day, timezone } = values
  const schedule = resolveSchedule(
    context,
    {
      ...(start_date === undefined ? {} : { start_date }),
      ...(end_date === undefined ? {} : { end_date }),
      ...(all_day === undefined ? {} : { all_day }),
      ...(timezone === undefined ? {} : { timezone })
    },
    undefined
  )
  if (schedule === undefined) throw new Error('A new event has a time.')
  if (schedule.ends_at < context.now) {
    const parameter = values.end_date === undefined ? 'start_date' : 'end_date'
    throw newInvalidParamProblem(parameter, 'past', buildText('suggestion-problems', 'past'))
  }
  const byName = values.venue == null
  if (byName && values.venue_address && !values.venue_name) {
    throw newInvalidParamProblem('venue_name', 'required', buildText('suggestion-problems', 'required'))
  }
  return {
    title,
    description,
    start_date: schedule.start_local,
    end_date: schedule.end_local,
    all_day: schedule.all_day,
    timezone: schedule.timezone,
    venue: values.venue ?? null,
    venue_name: byName ? (values.venue_name ?? '') : '',
    venue_address: byName ? (values.venue_address ?? '') : '',
    organizer: values.organizer ?? '',
    website: values.website ?? '',
    cost: values.cost ?? null,
    category: values.category ?? null
  }
}

/** Plain text with its line breaks. */
export const toPlainLines = (text: string) => stripControls(text).replaceAll('\r\n', '\n').trim()

/** Images of strangers could be anything, and would tell their server who reads a suggestion. */
function removeImages(html: string): string {
  return [...tokenize(html)].map(({ name, text }) => (name === 'img' ? '' : text)).join('')
}

/** Links, and addresses in the text outside of links. */
function countLinks(html: string): number {
  let links = 0
  let isInside = false
  for (const { name, closes, text } of tokenize(html)) {
    if (name === 'a') {
      isInside = !closes
      if (!closes) links += 1
    } else if (name === '' && !isInside) links += countAddresses(text)
  }
  return links
}

const countAddresses = (text: string) => text.match(/https?:\/\/|www\./gi)?.length ?? 0

function refuseManyLinks(parameter: string, count: number, most = linksMax): void {
  if (count <= most) return
  throw newInvalidParamProblem(
    parameter,
    'links',
    most === 0
      ? buildText('suggestion-problems', 'mustNotContainURLs')
      : buildText('suggestion-problems', 'links', { most })
  )
}

/** The event without a venue or category that no visitor can see, and the names of these fields. */
export async function dropUnknown(
  tx: Database,
  { viewer, now }: WriteContext,
  event: SuggestedEvent
): Promise<{ event: SuggestedEvent; unknown: ('venue' | 'category')[] }> {
  const venues = event.venue === null ? [] : await linked.lockLinkable(tx, venuePostType, [event.venue])
  const categories = event.category === null ? [] : await terms.lockForLinks(tx, 'category', [event.category])
  const venue = venues.some(one => canSee(viewer, one, now)) ? event.venue : null
  const category = categories.length > 0 ? event.category : null
  const unknown = [
    ...(venue === event.venue ? [] : ['venue' as const]),
    ...(category === event.category ? [] : ['category' as const])
  ]
  return { event: { ...event, venue, category }, unknown }
}

export function toEventChanges(event: SuggestedEvent): EventChanges {
  const { title, description, start_date, end_date, all_day, timezone, website, cost } = event
  return {
    ...{ title, description, start_date, end_date, all_day, timezone, cost },
    ...(website === '' ? {} : { website }),
    status: 'pending',
    categories: event.category === null ? [] : [event.category],
    venue: listVenues(event),
    organizer: event.organizer === '' ? [] : [{ fields: { organizer: event.organizer } }],
    show_map: true,
    show_map_link: true
  }
}

function listVenues({ venue, venue_name, venue_address }: SuggestedEvent): NonNullable<EventChanges['venue']> {
  if (venue !== null) return [{ id: venue }]
  if (venue_name === '') return []
  return [{ fields: { venue: venue_name, ...(venue_address === '' ? {} : { address: venue_address }) } }]
}

/** The language that the texts of the suggestion are in. */
export function getSuggestionLanguage({ requestedLanguage, language }: WriteContext): Language {
  return requestedLanguage ?? language
}
