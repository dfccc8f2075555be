// Response schemas for the API documentation. Members that are omitted when empty are not required.

type Json = Record<string, unknown>

const string = { type: 'string' }
const integer = { type: 'integer' }
const boolean = { type: 'boolean' }
const buildArray = (items: Json) => ({ type: 'array', items })

function buildObject(properties: Record<string, Json>, optional: string[] = []): Json {
  return { type: 'object', properties, required: Object.keys(properties).filter(name => !optional.includes(name)) }
}

/** Names the schema in the API documentation. */
function withSchemaId(title: string, schema: Json): Json {
  return { title, ...schema }
}

const anyObject = { type: 'object', additionalProperties: true }
/** A map is serialized as an array while it is empty. */
const emptyList = { type: 'array', items: {}, maxItems: 0 }
/** Lists return null for members that a password protects. */
const nullable = (schema: Json) => ({ ...schema, type: [schema.type, 'null'] })

const language = { type: 'string', enum: ['en', 'de'], description: 'The language answered.' }
const translations = { ...buildArray({ type: 'string', enum: ['en', 'de'] }), description: 'The languages there are.' }

export const imageSizeSchema = withSchemaId(
  'ImageSize',
  buildObject({
    width: integer,
    height: integer,
    'mime-type': string,
    filesize: integer,
    url: string
  })
)

export const imageSchema = withSchemaId(
  'Image',
  buildObject({
    url: string,
    id: integer,
    extension: string,
    width: integer,
    height: integer,
    filesize: integer,
    alt: string,
    sizes: { type: 'object', additionalProperties: imageSizeSchema }
  })
)

export const costDetailsSchema = withSchemaId(
  'CostDetails',
  buildObject({
    currency_symbol: string,
    currency_code: string,
    currency_position: { type: 'string', enum: ['prefix', 'postfix', ''] },
    values: buildArray(string)
  })
)

export const dateDetailsSchema = withSchemaId(
  'DateDetails',
  buildObject({
    year: string,
    month: string,
    day: string,
    hour: string,
    minutes: string,
    seconds: string
  })
)

const urls = buildObject({ self: string, collection: string, up: string }, ['up'])

const termProperties = {
  id: integer,
  count: integer,
  description: string,
  name: string,
  slug: string,
  taxonomy: { type: 'string', enum: ['tribe_events_cat', 'post_tag'] },
  meta: emptyList,
  url: string,
  urls,
  language,
  translations,
  _links: anyObject
}
export const categorySchema = withSchemaId('Category', buildObject({ ...termProperties, parent: integer }, ['_links']))
export const tagSchema = withSchemaId('Tag', buildObject(termProperties, ['_links']))

const embeddedTermSchema = withSchemaId(
  'EmbeddedTerm',
  buildObject({
    name: string,
    slug: string,
    term_group: integer,
    term_taxonomy_id: integer,
    taxonomy: string,
    description: string,
    parent: integer,
    count: integer,
    filter: string,
    id: integer,
    urls
  })
)

const postProperties = {
  id: integer,
  author: string,
  status: string,
  date: string,
  date_utc: string,
  modified: string,
  modified_utc: string,
  url: string,
  global_id: string,
  global_id_lineage: buildArray(string),
  language,
  translations
}

const eventCount = { ...integer, description: 'How many events have it; with `with_counts`.' }
const linkedOptional = ['event_count', 'description', 'excerpt', 'slug', 'image', 'website', 'phone', 'json_ld']

export const venueSchema = withSchemaId(
  'Venue',
  buildObject(
    {
      ...postProperties,
      venue: string,
      description: string,
      excerpt: string,
      slug: string,
      image: imageSchema,
      address: string,
      city: string,
      country: string,
      province: string,
      state: string,
      zip: string,
      phone: string,
      website: string,
      stateprovince: string,
      geo_lat: { type: 'number' },
      geo_lng: { type: 'number' },
      json_ld: anyObject,
      show_map: nullable(boolean),
      show_map_link: nullable(boolean),
      event_count: eventCount
    },
    [...linkedOptional, 'address', 'city', 'country', 'province', 'state', 'zip', 'stateprovince', 'geo_lat', 'geo_lng']
  )
)

export const organizerSchema = withSchemaId(
  'Organizer',
  buildObject(
    {
      ...postProperties,
      organizer: string,
      description: string,
      excerpt: string,
      slug: string,
      image: imageSchema,
      phone: string,
      website: string,
      email: string,
      json_ld: anyObject,
      event_count: eventCount
    },
    [...linkedOptional, 'email']
  )
)

export const eventSchema = withSchemaId(
  'Event',
  buildObject(
    {
      ...postProperties,
      rest_url: string,
      title: string,
      description: string,
      excerpt: string,
      slug: string,
      image: { anyOf: [imageSchema, { type: 'boolean', const: false }] },
      all_day: nullable(boolean),
      start_date: string,
      start_date_details: dateDetailsSchema,
      end_date: string,
      end_date_details: dateDetailsSchema,
      utc_start_date: string,
      utc_start_date_details: dateDetailsSchema,
      utc_end_date: string,
      utc_end_date_details: dateDetailsSchema,
      timezone: string,
      timezone_abbr: string,
      cost: string,
      cost_details: costDetailsSchema,
      website: string,
      show_map: nullable(boolean),
      show_map_link: nullable(boolean),
      hide_from_listings: nullable(boolean),
      sticky: nullable(boolean),
      featured: nullable(boolean),
      ticketed: nullable(boolean),
      event_status: { type: 'string', enum: ['scheduled', 'canceled', 'postponed'] },
      post_parent: integer,
      categories: buildArray(embeddedTermSchema),
      tags: buildArray(embeddedTermSchema),
      venue: { anyOf: [venueSchema, buildArray(venueSchema)] },
      organizer: buildArray(organizerSchema),
      custom_fields: emptyList,
      json_ld: anyObject
    },
    ['json_ld']
  )
)

/** An event on one of its days. */
const dayEntrySchema = withSchemaId(
  'DayEntry',
  buildObject({
    id: integer,
    title: string,
    slug: string,
    url: string,
    start_date: string,
    end_date: string,
    all_day: nullable(boolean),
    timezone: string,
    featured: nullable(boolean),
    status: string,
    event_status: { type: 'string', enum: ['scheduled', 'canceled', 'postponed'] },
    categories: buildArray(buildObject({ id: integer, slug: string, name: string })),
    venue: { type: ['string', 'null'], description: 'The name of the first one.' },
    language,
    day: { ...integer, description: 'Which of its days it is, from 1.' },
    days: { ...integer, description: 'How many days it lasts.' }
  })
)

const date = { type: 'string', format: 'date' }
const dateOrNull = { type: ['string', 'null'], format: 'date' }

/** The events of each day in a range. */
export const daysSchema = withSchemaId(
  'Days',
  buildObject({
    from: date,
    to: date,
    timezone: { ...string, description: 'Whose days these are: the zone of the site.' },
    days: buildArray(withSchemaId('Day', buildObject({ date, total: integer, events: buildArray(dayEntrySchema) }))),
    previous: { ...dateOrNull, description: 'The last day of the last event that was over before.' },
    next: { ...dateOrNull, description: 'The first day of the first event that begins after.' }
  })
)

const stringOrNull = { type: ['string', 'null'] }
const integerOrNull = { type: ['integer', 'null'] }
const dateTimeOrNull = { type: ['string', 'null'], format: 'date-time' }

/** An import of content from another source. */
export const importSchema = withSchemaId(
  'Import',
  buildObject({
    id: integer,
    source: { type: 'string', enum: ['tec', 'ical', 'csv'] },
    url: stringOrNull,
    file_name: stringOrNull,
    dry_run: boolean,
    policy: { type: 'string', enum: ['overwrite', 'keep', 'skip'] },
    language: { type: 'string', enum: ['en', 'de'], description: 'Of texts that do not say theirs.' },
    timezone: { ...string, description: 'Of times that do not say theirs.' },
    mapping: { type: ['object', 'null'], additionalProperties: string, description: 'CSV: the field of each column.' },
    columns: { type: ['array', 'null'], items: string, description: 'CSV: the columns of the file.' },
    status: {
      type: 'string',
      enum: ['waiting', 'running', 'done', 'failed', 'cancelled', 'undoing', 'undone']
    },
    progress: buildObject({
      done: integer,
      total: { ...integerOrNull, description: 'Where it is known; it may be wrong.' }
    }),
    counts: buildObject({
      new: integer,
      changed: integer,
      same: integer,
      skipped: integer,
      problem: integer,
      kept: { ...integer, description: 'What stayed when the import was undone, because it was edited or used since.' }
    }),
    error: { ...stringOrNull, description: 'Why it failed, in the language of the request.' },
    created_at: { type: 'string', format: 'date-time' },
    started_at: dateTimeOrNull,
    finished_at: dateTimeOrNull,
    can_undo: boolean,
    author: { ...string, description: 'The number of the key or account.' },
    author_name: string,
    based_on: { ...integerOrNull, description: 'The try run that it makes real.' }
  })
)

/** The outcome of one imported item. */
export const importRowSchema = withSchemaId(
  'ImportRow',
  buildObject({
    position: integer,
    kind: { type: 'string', enum: ['event', 'venue', 'organizer', 'category', 'tag', 'image'] },
    source_id: string,
    title: string,
    outcome: { type: 'string', enum: ['new', 'changed', 'same', 'skipped', 'problem'] },
    reasons: { ...buildArray(string), description: 'In the language of the request.' },
    item_id: integerOrNull
  })
)

/** A page of an import report. */
export const importRowsSchema = withSchemaId(
  'ImportReport',
  buildObject({ rows: buildArray(importRowSchema), total: integer, total_pages: integer })
)

/** A page of a list. */
export function buildListSchema(collection: string, item: Json): Json {
  return withSchemaId(
    `${item.title}List`,
    buildObject(
      {
        [collection]: buildArray(item),
        rest_url: string,
        next_rest_url: string,
        previous_rest_url: string,
        total: integer,
        total_pages: integer
      },
      ['next_rest_url', 'previous_rest_url']
    )
  )
}
