import { type Static, type TSchema, Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'
import { Nullable } from '#platform/http/nullable.ts'
import { type Language, languages } from '#platform/language.ts'
import { eventJsonLdSchema, personJsonLdSchema, placeJsonLdSchema } from './json-ld-shapes.ts'

// The shapes of the contract, declared once: for the API documentation, the serializers, the pages and the tests.
// Members that are omitted when empty are optional.

const Text = Type.String()
/** A map is serialized as an array while it is empty. */
const EmptyList = Type.Unsafe<never[]>({ type: 'array', items: {}, maxItems: 0 })

export function buildChoiceSchema<Value extends string>(values: readonly Value[], description?: string) {
  return Type.Unsafe<Value>({ type: 'string', enum: values, ...(description === undefined ? {} : { description }) })
}

export const eventStatusSchema = buildChoiceSchema(['scheduled', 'canceled', 'postponed'])
export const languageSchema = buildChoiceSchema<Language>([...languages], 'Language of the texts in this response.')
const translationsSchema = Type.Array(buildChoiceSchema<Language>([...languages]), {
  description: 'Languages with texts.'
})

const imageSizeSchema = NamedObject('ImageSize', {
  width: Type.Integer(),
  height: Type.Integer(),
  'mime-type': Text,
  filesize: Type.Integer(),
  url: Text
})

export const imageSchema = NamedObject('Image', {
  url: Text,
  id: Type.Integer(),
  extension: Text,
  width: Type.Integer(),
  height: Type.Integer(),
  filesize: Type.Integer(),
  alt: Text,
  sizes: Type.Unsafe<Record<string, Static<typeof imageSizeSchema>>>({
    type: 'object',
    additionalProperties: imageSizeSchema
  })
})
export type ImageJson = Static<typeof imageSchema>

export const costDetailsSchema = NamedObject('CostDetails', {
  currency_symbol: Text,
  currency_code: Text,
  currency_position: buildChoiceSchema(['prefix', 'postfix', '']),
  values: Type.Array(Text)
})

const dateDetailsSchema = NamedObject('DateDetails', {
  year: Text,
  month: Text,
  day: Text,
  hour: Text,
  minutes: Text,
  seconds: Text
})

const urlsSchema = Type.Object({ self: Text, collection: Text, up: Type.Optional(Text) })

const linkSchema = Type.Object({ href: Text })

/** As in WordPress. */
const termLinksSchema = NamedObject('TermLinks', {
  self: Type.Array(linkSchema),
  collection: Type.Array(linkSchema),
  up: Type.Optional(Type.Array(Type.Object({ embeddable: Type.Boolean(), href: Text }))),
  'wp:post_type': Type.Array(linkSchema),
  curies: Type.Array(Type.Object({ name: Text, href: Text, templated: Type.Boolean() }))
})

const termProperties = {
  id: Type.Integer(),
  count: Type.Integer(),
  description: Text,
  name: Text,
  slug: Text,
  taxonomy: buildChoiceSchema(['tribe_events_cat', 'post_tag']),
  meta: EmptyList,
  url: Text,
  urls: urlsSchema,
  language: languageSchema,
  translations: translationsSchema,
  _links: Type.Optional(termLinksSchema)
}
export const categorySchema = NamedObject('Category', { ...termProperties, parent: Type.Integer() })
export const tagSchema = NamedObject('Tag', termProperties)
/** A category or a tag, which has no parent. */
export type TermJson = Static<typeof tagSchema> & { parent?: number }

const embeddedTermSchema = NamedObject('EmbeddedTerm', {
  name: Text,
  slug: Text,
  term_group: Type.Integer(),
  term_taxonomy_id: Type.Integer(),
  taxonomy: Text,
  description: Text,
  parent: Type.Integer(),
  count: Type.Integer(),
  filter: Text,
  id: Type.Integer(),
  urls: urlsSchema
})
export type EmbeddedTermJson = Static<typeof embeddedTermSchema>

const postProperties = {
  id: Type.Integer(),
  author: Text,
  status: Text,
  date: Text,
  date_utc: Text,
  modified: Text,
  modified_utc: Text,
  url: Text,
  global_id: Text,
  global_id_lineage: Type.Array(Text),
  language: languageSchema,
  translations: translationsSchema
}

const eventCount = Type.Optional(Type.Integer({ description: 'Number of events; with `with_counts`.' }))

export const venueSchema = NamedObject('Venue', {
  ...postProperties,
  venue: Text,
  description: Type.Optional(Text),
  excerpt: Type.Optional(Text),
  slug: Text,
  image: Type.Optional(imageSchema),
  address: Type.Optional(Text),
  city: Type.Optional(Text),
  country: Type.Optional(Text),
  province: Type.Optional(Text),
  state: Type.Optional(Text),
  zip: Type.Optional(Text),
  phone: Type.Optional(Text),
  website: Type.Optional(Text),
  stateprovince: Type.Optional(Text),
  geo_lat: Type.Optional(Type.Number()),
  geo_lng: Type.Optional(Type.Number()),
  json_ld: Type.Optional(placeJsonLdSchema),
  show_map: Nullable(Type.Boolean()),
  show_map_link: Nullable(Type.Boolean()),
  event_count: eventCount
})
export type VenueJson = Static<typeof venueSchema>

export const organizerSchema = NamedObject('Organizer', {
  ...postProperties,
  organizer: Text,
  description: Type.Optional(Text),
  excerpt: Type.Optional(Text),
  slug: Text,
  image: Type.Optional(imageSchema),
  phone: Type.Optional(Text),
  website: Type.Optional(Text),
  email: Type.Optional(Text),
  json_ld: Type.Optional(personJsonLdSchema),
  event_count: eventCount
})
export type OrganizerJson = Static<typeof organizerSchema>

const eventSeriesSchema = NamedObject('EventSeries', {
  id: Type.Integer(),
  rule: Type.String({ description: 'RRULE of RFC 5545; UNTIL is a local date.' }),
  text: Type.String({ description: 'The rule in words, in the language of the response, without single dates.' }),
  date: Type.String({ description: 'The local start by the rule, even if the event was moved.' }),
  isException: Type.Boolean({ description: 'Whether the event was changed by hand and differs from its series.' }),
  changes: Type.Array(Text, { description: 'The fields in which the event differs from its series.' })
})

export const eventSchema = NamedObject('Event', {
  ...postProperties,
  rest_url: Text,
  title: Text,
  description: Text,
  excerpt: Text,
  slug: Text,
  image: Type.Union([imageSchema, Type.Literal(false)]),
  // Null where a password protects the event.
  all_day: Nullable(Type.Boolean()),
  start_date: Text,
  start_date_details: dateDetailsSchema,
  end_date: Text,
  end_date_details: dateDetailsSchema,
  utc_start_date: Text,
  utc_start_date_details: dateDetailsSchema,
  utc_end_date: Text,
  utc_end_date_details: dateDetailsSchema,
  timezone: Text,
  timezone_abbr: Text,
  cost: Text,
  cost_details: costDetailsSchema,
  website: Text,
  show_map: Nullable(Type.Boolean()),
  show_map_link: Nullable(Type.Boolean()),
  hide_from_listings: Nullable(Type.Boolean()),
  sticky: Nullable(Type.Boolean()),
  featured: Nullable(Type.Boolean()),
  ticketed: Nullable(Type.Boolean()),
  is_virtual: Nullable(Type.Boolean(), { description: 'It takes place online.' }),
  event_status: eventStatusSchema,
  post_parent: Type.Integer(),
  series: Nullable(eventSeriesSchema),
  categories: Type.Array(embeddedTermSchema),
  tags: Type.Array(embeddedTermSchema),
  // One venue is an object, none or several are an array.
  venue: Type.Union([venueSchema, Type.Array(venueSchema)]),
  organizer: Type.Array(organizerSchema),
  custom_fields: EmptyList,
  json_ld: Type.Optional(eventJsonLdSchema)
})
export type EventJson = Static<typeof eventSchema>

const listProperties = {
  rest_url: Text,
  next_rest_url: Type.Optional(Text),
  previous_rest_url: Type.Optional(Text),
  total: Type.Integer(),
  total_pages: Type.Integer()
}

/** A page of a list, whose items are in the member with the name of the collection. */
export function buildListSchema<Item extends TSchema>(collection: string, item: Item & { title?: string }) {
  return NamedObject(`${item.title}List`, { [collection]: Type.Array(item), ...listProperties })
}

/** The members of a page of a list besides its items. */
export type ListJson = Static<ReturnType<typeof Type.Object<typeof listProperties>>>
