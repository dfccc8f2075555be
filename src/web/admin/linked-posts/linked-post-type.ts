import type { Messages } from '#platform/messages/messages.ts'
import type { Image, Organizer, Venue } from '../../server/calendar-api.ts'
import type { FieldGroups, FormField, TextKey } from '../shared/forms/field-definition.ts'

type Text = TextKey<Messages<'calendar-admin'>>

/** Venues and organizers share their pages; this type has what differs. */
export interface LinkedPostType {
  collection: 'venues' | 'organizers'
  /** The API's name of the name field, and the name of the public page. */
  name: 'venue' | 'organizer'
  /** Fields of the text, the image and the status, and those of the cards. */
  fields: FieldGroups<Text>
  /** Titles of the cards: each shows the fields of this name. */
  cards: Text[]
}

const website: FormField<Text> = {
  name: 'website',
  kind: 'url',
  label: 'website',
  hint: 'websiteHint',
  maxLength: 2000
}
const phone: FormField<Text> = { name: 'phone', kind: 'tel', label: 'phone', maxLength: 500 }
const coordinate = { kind: 'decimal', hint: 'coordinatesHint', maxLength: 500, emptyValue: null } as const

const newCommonFields = (name: LinkedPostType['name']): FieldGroups<Text> => ({
  text: [
    { name, label: 'name', isTranslated: true, maxLength: 500, required: true },
    { name: 'description', kind: 'html', label: 'description', isTranslated: true, maxLength: 400_000, rows: 12 },
    { name: 'slug', kind: 'slug', label: 'slug', hint: 'slugHint', isTranslated: true, maxLength: 400 }
  ],
  image: [{ name: 'image', kind: 'image', label: 'image', emptyValue: null }],
  status: [{ name: 'status', kind: 'select', label: 'state', initial: 'publish' }]
})

export const venueType: LinkedPostType = {
  collection: 'venues',
  name: 'venue',
  cards: ['place', 'map', 'contact'],
  fields: {
    ...newCommonFields('venue'),
    place: [
      [
        { name: 'address', label: 'address', maxLength: 500 },
        { name: 'zip', label: 'zip', maxLength: 500 },
        { name: 'city', label: 'city', maxLength: 500 },
        { name: 'stateprovince', label: 'region', maxLength: 500 },
        { name: 'country', label: 'country', maxLength: 500 }
      ]
    ],
    map: [
      [
        { name: 'geo_lat', label: 'latitude', ...coordinate },
        { name: 'geo_lng', label: 'longitude', ...coordinate }
      ]
    ],
    contact: [[phone, website]]
  }
}

export const organizerType: LinkedPostType = {
  collection: 'organizers',
  name: 'organizer',
  cards: ['contact'],
  fields: {
    ...newCommonFields('organizer'),
    contact: [[{ name: 'email', kind: 'email', label: 'email', maxLength: 500 }, phone, website]]
  }
}

/** All fields of the editor of a venue or organizer, by the API's names. */
export type LinkedPostInput = Record<string, string>

/** A venue or organizer, as the API returns it. */
export type LinkedPost = (Venue | Organizer) & {
  modified: string
  image?: Image | false
} & Partial<Record<string, unknown>>

export function getName(kind: LinkedPostType, place: LinkedPost): string {
  return String(place[kind.name] ?? '')
}

/** The fields that only this kind of post has. */
export function listCardFields({ cards, fields }: LinkedPostType): FormField<Text>[] {
  return cards.flatMap(card => fields[card] ?? []).flat()
}
