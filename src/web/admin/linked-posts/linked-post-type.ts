import type { Image, Organizer, Venue } from '../../server/calendar-api.ts'
import type { CalendarAdminStrings } from '../../strings/calendar-admin.ts'

/** Venues and organizers share their pages; this type has what differs. */
export interface LinkedPostType {
  collection: 'venues' | 'organizers'
  /** The API's name of the name field. */
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
  /** A number, or empty. */
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

/** A venue or organizer, as the API returns it. */
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
