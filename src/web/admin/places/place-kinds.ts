import type { Image, Organizer, Venue } from '../../calendar-api.ts'
import type { PlaceWords } from '../../text/places.ts'

/** Venues and organizers: what events are linked with. One pair of pages, told here what is different. */
export interface PlaceKind {
  collection: 'venues' | 'organizers'
  /** What the API calls the name. */
  name: 'venue' | 'organizer'
  site: 'venue' | 'organizer'
  groups: { title: keyof PlaceWords; parts: PlacePart[] }[]
}

export interface PlacePart {
  name: string
  label: keyof PlaceWords
  hint?: 'websiteHint' | 'coordinatesHint'
  type?: 'url' | 'email' | 'tel'
  inputMode?: 'decimal'
  /** A number, or nothing. */
  isNumber?: boolean
}

const website: PlacePart = { name: 'website', label: 'website', type: 'url', hint: 'websiteHint' }
const phone: PlacePart = { name: 'phone', label: 'phone', type: 'tel' }

export const venueKind: PlaceKind = {
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

export const organizerKind: PlaceKind = {
  collection: 'organizers',
  name: 'organizer',
  site: 'organizer',
  groups: [{ title: 'contact', parts: [{ name: 'email', label: 'email', type: 'email' }, phone, website] }]
}

/** What the API tells of either. */
export type Place = (Venue | Organizer) & {
  modified: string
  image?: Image | false
} & Partial<Record<string, unknown>>

export function nameIn(kind: PlaceKind, place: Place): string {
  return String(place[kind.name] ?? '')
}

export function partsOf(kind: PlaceKind): PlacePart[] {
  return kind.groups.flatMap(({ parts }) => parts)
}
