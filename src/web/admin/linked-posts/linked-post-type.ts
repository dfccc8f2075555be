import type { Image, Organizer, Venue } from '../../server/calendar-api.ts'
import type { CalendarAdminStrings } from '../../strings/calendar-admin.ts'

/** Venues and organizers: what events are linked with. One pair of pages, told here what is different. */
export interface LinkedPostType {
  collection: 'venues' | 'organizers'
  /** What the API calls the name. */
  name: 'venue' | 'organizer'
  site: 'venue' | 'organizer'
  groups: { title: keyof CalendarAdminStrings; parts: LinkedPostField[] }[]
}

export interface LinkedPostField {
  name: string
  label: keyof CalendarAdminStrings
  hint?: 'websiteHint' | 'coordinatesHint'
  type?: 'url' | 'email' | 'tel'
  inputMode?: 'decimal'
  /** A number, or nothing. */
  isNumber?: boolean
}

const website: LinkedPostField = { name: 'website', label: 'website', type: 'url', hint: 'websiteHint' }
const phone: LinkedPostField = { name: 'phone', label: 'phone', type: 'tel' }

export const venueType: LinkedPostType = {
  collection: 'venues',
  name: 'venue',
  site: 'venue',
  groups: [
    {
      title: 'place',
      parts: [
        { name: 'address', label: 'address' },
        { name: 'zip', label: 'zip' },
        { name: 'city', label: 'city' },
        { name: 'stateprovince', label: 'region' },
        { name: 'country', label: 'country' }
      ]
    },
    {
      title: 'map',
      parts: [
        { name: 'geo_lat', label: 'latitude', hint: 'coordinatesHint', inputMode: 'decimal', isNumber: true },
        { name: 'geo_lng', label: 'longitude', hint: 'coordinatesHint', inputMode: 'decimal', isNumber: true }
      ]
    },
    { title: 'contact', parts: [phone, website] }
  ]
}

export const organizerType: LinkedPostType = {
  collection: 'organizers',
  name: 'organizer',
  site: 'organizer',
  groups: [{ title: 'contact', parts: [{ name: 'email', label: 'email', type: 'email' }, phone, website] }]
}

/** What the API tells of either. */
export type LinkedPost = (Venue | Organizer) & {
  modified: string
  image?: Image | false
} & Partial<Record<string, unknown>>

export function getName(kind: LinkedPostType, place: LinkedPost): string {
  return String(place[kind.name] ?? '')
}

export function listFields(kind: LinkedPostType): LinkedPostField[] {
  return kind.groups.flatMap(({ parts }) => parts)
}
