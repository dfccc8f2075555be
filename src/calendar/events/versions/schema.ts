import { type Static, Type } from 'typebox'
import { buildLanguageProperties } from '#platform/http/language-properties.ts'
import { NamedObject } from '#platform/http/named-object.ts'
import { Nullable } from '#platform/http/nullable.ts'
import { type Language, languages } from '#platform/language.ts'
import type { Cost } from '../../content/cost.ts'
import { eventSchema, eventStatusSchema } from '../../contract/shapes.ts'

/** Fields of a text, of which an event has one per language. */
export const textFields = ['title', 'description', 'excerpt', 'slug'] as const
export type VersionTextField = (typeof textFields)[number]

/** A snapshot as stored: the fields of the API, with the ids of linked items. */
export interface Snapshot extends Record<PlainField, unknown> {
  status: 'publish' | 'draft' | 'pending' | 'private' | 'trash'
  date_utc: string | null
  author: number
  start_date: string
  end_date: string
  all_day: boolean
  timezone: string
  event_status: 'scheduled' | 'canceled' | 'postponed'
  cost: Cost | null
  website: string
  image: number | null
  post_parent: number | null
  has_password: boolean
  venue: number[]
  organizer: number[]
  categories: number[]
  tags: number[]
  texts: Partial<Record<Language, Record<VersionTextField, string>>>
}

/** Fields besides texts, in the order of the editor. */
export const plainFields = [
  'start_date',
  'end_date',
  'all_day',
  'timezone',
  'venue',
  'organizer',
  'categories',
  'tags',
  'cost',
  'website',
  'event_status',
  'image',
  'status',
  'date_utc',
  'author',
  'post_parent',
  'show_map',
  'show_map_link',
  'hide_from_listings',
  'sticky',
  'featured',
  'ticketed',
  'is_virtual',
  'has_password'
] as const
export type PlainField = (typeof plainFields)[number]

const Text = Type.String()
const Ids = Type.Array(Type.Integer())
const Instant = Type.String({ format: 'date-time' })

const textsSchema = NamedObject('EventVersionText', { title: Text, description: Text, excerpt: Text, slug: Text })

const snapshotSchema = NamedObject('EventSnapshot', {
  status: Text,
  date_utc: Nullable(Text, { description: 'When it was published; null if never.' }),
  author: Type.Integer(),
  start_date: Text,
  end_date: Text,
  all_day: Type.Boolean(),
  timezone: Text,
  event_status: eventStatusSchema,
  cost: Text,
  website: Text,
  image: Nullable(Type.Integer()),
  post_parent: Nullable(Type.Integer()),
  show_map: Type.Boolean(),
  show_map_link: Type.Boolean(),
  hide_from_listings: Type.Boolean(),
  sticky: Type.Boolean(),
  featured: Type.Boolean(),
  ticketed: Type.Boolean(),
  is_virtual: Type.Optional(Type.Boolean({ description: 'Not in versions from before there were online events.' })),
  has_password: Type.Boolean({ description: 'Passwords themselves are not part of versions.' }),
  venue: Ids,
  organizer: Ids,
  categories: Ids,
  tags: Ids,
  texts: Type.Object(buildLanguageProperties(Type.Optional(textsSchema)))
})

const versionProperties = {
  version: Type.Integer(),
  saved_at: Instant,
  saved_by: Nullable(Text, { description: 'The user or API key; null if it is not known.' }),
  is_current: Type.Boolean()
}

const versionSummarySchema = NamedObject('EventVersionSummary', {
  ...versionProperties,
  changed: Nullable(Type.Array(Text), {
    description: 'Fields that differ from the version before; null if that one is not stored.'
  })
})
export type VersionSummaryJson = Static<typeof versionSummarySchema>

export const versionListSchema = NamedObject('EventVersionList', {
  versions: Type.Array(versionSummarySchema),
  total: Type.Integer(),
  total_pages: Type.Integer()
})

const fieldValue = Type.Unsafe<unknown>({
  type: ['string', 'integer', 'boolean', 'array', 'null'],
  items: { type: 'integer' },
  description: 'As in the snapshot; null if there is none.'
})

const differenceSchema = NamedObject('EventDifference', {
  field: Text,
  language: Type.Unsafe<Language | null>({
    type: ['string', 'null'],
    enum: [...languages, null],
    description: 'Language of a text.'
  }),
  before: fieldValue,
  now: fieldValue
})
export type DifferenceJson = Static<typeof differenceSchema>

export const versionSchema = NamedObject('EventVersion', {
  ...versionProperties,
  current_version: Type.Integer({ description: 'For If-Match.' }),
  snapshot: snapshotSchema,
  differences: Type.Array(differenceSchema, { description: 'Fields that differ from the current version.' })
})
export type VersionJson = Static<typeof versionSchema>

const leftOutSchema = NamedObject('EventVersionLeftOut', {
  field: Text,
  id: Nullable(Type.Integer(), { description: 'Item that no longer exists or that the caller may not use.' })
})
export type LeftOut = Static<typeof leftOutSchema>

export const restoredSchema = NamedObject('RestoredEvent', {
  event: eventSchema,
  left_out: Type.Array(leftOutSchema, { description: 'Fields and links of the version that were not restored.' })
})
