import { type Static, Type } from 'typebox'
import { Nullable } from '#platform/http/nullable.ts'
import { languageSchema } from '../contract/shapes.ts'

// The shapes of wp/v2 and tec/v1, as WordPress 7.1 and The Events Calendar 6.17 send them, without what only a theme
// or the editor of WordPress needs.

const Text = Type.String()
const Ids = Type.Array(Type.Integer())
const Rendered = Type.Object({ rendered: Text, raw: Type.Optional(Text) })
const Protected = Type.Object({ rendered: Text, raw: Type.Optional(Text), protected: Type.Boolean() })

export const linksSchema = Type.Unsafe<Record<string, { href: string }[]>>({
  type: 'object',
  additionalProperties: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        href: Text,
        embeddable: Type.Boolean(),
        taxonomy: Text,
        name: Text,
        templated: Type.Boolean()
      }
    }
  }
})

const postProperties = {
  id: Type.Integer(),
  date: Text,
  date_gmt: Text,
  guid: Rendered,
  modified: Text,
  modified_gmt: Text,
  slug: Text,
  status: Text,
  type: Text,
  link: Text,
  title: Rendered,
  content: Protected,
  excerpt: Protected,
  author: Type.Integer(),
  featured_media: Type.Integer(),
  template: Text,
  language: languageSchema,
  _links: Type.Optional(linksSchema)
}

const statusMetaSchema = Type.Object({ _tribe_events_status: Text, _tribe_events_status_reason: Text })

const wpPostSchema = Type.Object({ ...postProperties, meta: Type.Array(Text, { maxItems: 0 }) })
const wpEventSchema = Type.Object({ ...postProperties, meta: statusMetaSchema, tags: Ids, tribe_events_cat: Ids })

const tecVenueSchema = Type.Object({
  ...postProperties,
  address: Text,
  country: Text,
  city: Text,
  state_province: Text,
  state: Text,
  province: Text,
  zip: Text,
  phone: Text,
  website: Text,
  lat: Type.Optional(Type.Number()),
  lng: Type.Optional(Type.Number())
})
const tecOrganizerSchema = Type.Object({ ...postProperties, phone: Text, website: Text, email: Text })

const momentSchema = Type.Object({ date: Text, timezone_type: Type.Integer(), timezone: Text })
const tecEventSchema = Type.Object({
  ...postProperties,
  tags: Ids,
  tribe_events_cat: Ids,
  start_date: Text,
  start_date_utc: Text,
  end_date: Text,
  end_date_utc: Text,
  dates: Type.Object({ start: momentSchema, start_utc: momentSchema, end: momentSchema, end_utc: momentSchema }),
  timezone: Text,
  duration: Text,
  multiday: Type.Boolean(),
  is_past: Type.Boolean(),
  is_now: Type.Boolean(),
  // Null where a password protects the event.
  all_day: Nullable(Type.Boolean()),
  featured: Nullable(Type.Boolean()),
  sticky: Nullable(Type.Boolean()),
  cost: Text,
  website: Text,
  organizer_names: Type.Array(Text),
  organizers: Type.Array(tecOrganizerSchema),
  venues: Type.Array(tecVenueSchema)
})

export type WpPost = Static<typeof wpPostSchema>
export type WpEvent = Static<typeof wpEventSchema>
export type TecVenue = Static<typeof tecVenueSchema>
export type TecOrganizer = Static<typeof tecOrganizerSchema>
export type TecEvent = Static<typeof tecEventSchema>

/** The schema of an item by namespace and collection of the contract. */
export const postSchemas = {
  'wp/v2': { events: wpEventSchema, venues: wpPostSchema, organizers: wpPostSchema },
  'tec/v1': { events: tecEventSchema, venues: tecVenueSchema, organizers: tecOrganizerSchema }
}

export const wpTermSchema = Type.Object({
  id: Type.Integer(),
  count: Type.Integer(),
  description: Text,
  link: Text,
  name: Text,
  slug: Text,
  taxonomy: Text,
  parent: Type.Optional(Type.Integer()),
  meta: Type.Array(Text, { maxItems: 0 }),
  language: languageSchema,
  _links: linksSchema
})
export type WpTerm = Static<typeof wpTermSchema>

const mediaSizeSchema = Type.Object({
  file: Text,
  width: Type.Integer(),
  height: Type.Integer(),
  filesize: Type.Integer(),
  mime_type: Text,
  source_url: Text
})
export const wpMediaSchema = Type.Object({
  id: Type.Integer(),
  slug: Text,
  status: Text,
  type: Text,
  link: Text,
  title: Rendered,
  caption: Rendered,
  alt_text: Text,
  media_type: Text,
  mime_type: Text,
  media_details: Type.Object({
    width: Type.Integer(),
    height: Type.Integer(),
    file: Text,
    filesize: Type.Integer(),
    sizes: Type.Unsafe<Record<string, Static<typeof mediaSizeSchema>>>({
      type: 'object',
      additionalProperties: mediaSizeSchema
    })
  }),
  source_url: Text,
  _links: linksSchema
})
export type WpMedia = Static<typeof wpMediaSchema>

export const wpTypeSchema = Type.Object({
  description: Text,
  hierarchical: Type.Boolean(),
  has_archive: Type.Unsafe<boolean | string>({ type: ['boolean', 'string'] }),
  name: Text,
  slug: Text,
  taxonomies: Type.Array(Text),
  rest_base: Text,
  rest_namespace: Text,
  _links: linksSchema
})

export const wpUserSchema = Type.Object({
  id: Type.Integer(),
  name: Text,
  url: Text,
  description: Text,
  link: Text,
  slug: Text,
  roles: Type.Optional(Type.Array(Text)),
  capabilities: Type.Optional(
    Type.Unsafe<Record<string, boolean>>({ type: 'object', additionalProperties: Type.Boolean() })
  ),
  meta: Type.Array(Text, { maxItems: 0 }),
  _links: linksSchema
})
