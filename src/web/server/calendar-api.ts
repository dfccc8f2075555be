import type { Language } from '#platform/language.ts'

/** Types of the calendar API's responses, as far as pages use them. */
export const calendarPath = '/calendar/events/v1'

export interface Term {
  id: number
  name: string
  slug: string
  description?: string
  count: number
  parent?: number
  language: Language
  translations: Language[]
}

export interface Image {
  url: string
  id: number
  width: number
  height: number
  alt?: string
  sizes: Record<string, { url: string; width: number; height: number }>
}

export interface Venue {
  id: number
  venue: string
  slug: string
  url: string
  status: string
  description?: string
  excerpt?: string
  address?: string
  city?: string
  zip?: string
  country?: string
  state?: string
  province?: string
  phone?: string
  website?: string
  image?: Image | false
  geo_lat?: number
  geo_lng?: number
  show_map?: boolean
  show_map_link?: boolean
  language: Language
  translations: Language[]
  event_count?: number
}

export interface Organizer {
  id: number
  organizer: string
  slug: string
  url: string
  status: string
  description?: string
  excerpt?: string
  phone?: string
  website?: string
  email?: string
  image?: Image | false
  language: Language
  translations: Language[]
  event_count?: number
}

export interface CalendarEvent {
  id: number
  author: string
  status: string
  date: string
  modified: string
  url: string
  title: string
  description: string
  excerpt: string
  slug: string
  image: Image | false
  /** Null if the event is password-protected. */
  all_day: boolean | null
  start_date: string
  end_date: string
  utc_start_date: string
  utc_end_date: string
  timezone: string
  timezone_abbr: string
  cost: string
  website: string
  show_map: boolean | null
  show_map_link: boolean | null
  hide_from_listings: boolean | null
  sticky: boolean | null
  featured: boolean | null
  ticketed: boolean | null
  event_status: 'scheduled' | 'canceled' | 'postponed' | null
  categories: Term[]
  tags: Term[]
  venue: Venue | Venue[]
  organizer: Organizer[]
  language: Language
  translations: Language[]
  json_ld?: object
}

export interface EventList {
  events: CalendarEvent[]
  total: number
  total_pages: number
  next_rest_url?: string
  previous_rest_url?: string
}

/** An event in a month's cell, or in a day's list. */
export interface DayEntry {
  id: number
  title: string
  slug: string
  url: string
  start_date: string
  end_date: string
  all_day: boolean
  timezone: string
  featured: boolean
  status: string
  event_status: 'scheduled' | 'canceled' | 'postponed' | null
  categories: { id: number; slug: string; name: string }[]
  venue: string | null
  language: Language
  /** Position within an event of several days. */
  day: number
  days: number
}

export interface DayList {
  from: string
  to: string
  timezone: string
  days: { date: string; total: number; events: DayEntry[] }[]
  /** The nearest days with events, before and after. */
  previous: string | null
  next: string | null
}

export function getVenues({ venue }: CalendarEvent): Venue[] {
  return Array.isArray(venue) ? venue : [venue]
}

/** One of eight colours, always the same for a category. */
export function getHueClass(id: number): string {
  return `hue-${id % 8}`
}
