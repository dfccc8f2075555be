import type { DayEntryJson, DaysJson } from '#calendar/contract/day-shapes.ts'
import type { SeriesJson, SeriesPreviewJson } from '#calendar/contract/series-shapes.ts'
import type {
  EmbeddedTermJson,
  EventJson,
  ImageJson,
  ListJson,
  OrganizerJson,
  TermJson,
  VenueJson
} from '#calendar/contract/shapes.ts'

export const calendarPath = '/calendar/events/v1'

// The shapes of the calendar's responses, as far as pages use them: a preview has no more than that.

/** These members always, the others where there are any. */
type WithSome<Shape, Always extends keyof Shape> = Pick<Shape, Always> & Partial<Shape>

export type Image = ImageJson
export type Term = WithSome<TermJson, 'id' | 'name' | 'slug' | 'count' | 'language' | 'translations'>
/** A category or tag within an event, which does not say its language. */
export type EmbeddedTerm = WithSome<EmbeddedTermJson, 'id' | 'name' | 'slug' | 'count'>
type PostMember = 'id' | 'slug' | 'url' | 'status' | 'language' | 'translations'
export type Venue = WithSome<VenueJson, 'venue' | PostMember>
export type Organizer = WithSome<OrganizerJson, 'organizer' | PostMember>

type UnusedMember =
  | `${'utc_' | ''}${'start' | 'end'}_date_details`
  | 'date_utc'
  | 'modified_utc'
  | 'global_id'
  | 'global_id_lineage'
  | 'rest_url'
  | 'post_parent'
  | 'custom_fields'

export type CalendarEvent = Omit<
  EventJson,
  UnusedMember | 'categories' | 'tags' | 'venue' | 'organizer' | 'cost_details'
> & {
  cost_details?: EventJson['cost_details']
  categories: EmbeddedTerm[]
  tags: EmbeddedTerm[]
  venue: Venue | Venue[]
  organizer: Organizer[]
}

export type EventList = Omit<ListJson, 'rest_url'> & { events: CalendarEvent[] }
/** An event in a month's cell, or in a day's list. */
export type DayEntry = DayEntryJson
export type DayList = DaysJson
/** The rule of events that repeat. */
export type Series = SeriesJson
/** The dates of a rule that is not saved. */
export type SeriesPreview = SeriesPreviewJson

/** Limits of the API for the texts of a suggestion. */
export const suggestionLengths = {
  title: 200,
  description: 10_000,
  line: 200,
  email: 254,
  message: 2000,
  answer: 2000,
  reason: 500
} as const

export function getVenues({ venue }: CalendarEvent): Venue[] {
  return Array.isArray(venue) ? venue : [venue]
}

/** One of eight colours, always the same for a category. */
export function getHueClass(id: number): string {
  return `hue-${id % 8}`
}
