// What answers look like, for the documents. Members that are left out when empty are not required.

type Json = Record<string, unknown>

const string = { type: 'string' }
const integer = { type: 'integer' }
const boolean = { type: 'boolean' }
const list = (items: Json) => ({ type: 'array', items })

function object(properties: Record<string, Json>, optional: string[] = []): Json {
  return { type: 'object', properties, required: Object.keys(properties).filter(name => !optional.includes(name)) }
}

/** Stands under this name in the documents. */
function named($id: string, schema: Json): Json {
  return { $id, ...schema }
}

const anything = { type: 'object', additionalProperties: true }
/** A map that is written as a list while it is empty. */
const emptyList = { type: 'array', items: {}, maxItems: 0 }
/** What a password hides in a list is null. */
const hidden = (schema: Json) => ({ ...schema, type: [schema.type, 'null'] })

const language = { type: 'string', enum: ['en', 'de'], description: 'The language answered.' }
const translations = { ...list({ type: 'string', enum: ['en', 'de'] }), description: 'The languages there are.' }

export const imageSize = named(
  'ImageSize',
  object({
    width: integer,
    height: integer,
    'mime-type': string,
    filesize: integer,
    url: string
  })
)

export const image = named(
  'Image',
  object({
    url: string,
    id: integer,
    extension: string,
    width: integer,
    height: integer,
    filesize: integer,
    alt: string,
    sizes: { type: 'object', additionalProperties: imageSize }
  })
)

export const costDetails = named(
  'CostDetails',
  object({
    currency_symbol: string,
    currency_code: string,
    currency_position: { type: 'string', enum: ['prefix', 'postfix', ''] },
    values: list(string)
  })
)

export const dateDetails = named(
  'DateDetails',
  object({
    year: string,
    month: string,
    day: string,
    hour: string,
    minutes: string,
    seconds: string
  })
)

const urls = object({ self: string, collection: string, up: string }, ['up'])

const term = {
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
  _links: anything
}
export const category = named('Category', object({ ...term, parent: integer }, ['_links']))
export const tag = named('Tag', object(term, ['_links']))

const embeddedTerm = named(
  'EmbeddedTerm',
  object({
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

const post = {
  id: integer,
  author: string,
  status: string,
  date: string,
  date_utc: string,
  modified: string,
  modified_utc: string,
  url: string,
  global_id: string,
  global_id_lineage: list(string),
  language,
  translations
}

const eventCount = { ...integer, description: 'How many events have it; with `with_counts`.' }
const linkedOptional = ['event_count', 'description', 'excerpt', 'slug', 'image', 'website', 'phone', 'json_ld']

export const venue = named(
  'Venue',
  object(
    {
      ...post,
      venue: string,
      description: string,
      excerpt: string,
      slug: string,
      image,
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
      json_ld: anything,
      show_map: hidden(boolean),
      show_map_link: hidden(boolean),
      event_count: eventCount
    },
    [...linkedOptional, 'address', 'city', 'country', 'province', 'state', 'zip', 'stateprovince', 'geo_lat', 'geo_lng']
  )
)

export const organizer = named(
  'Organizer',
  object(
    {
      ...post,
      organizer: string,
      description: string,
      excerpt: string,
      slug: string,
      image,
      phone: string,
      website: string,
      email: string,
      json_ld: anything,
      event_count: eventCount
    },
    [...linkedOptional, 'email']
  )
)

export const event = named(
  'Event',
  object(
    {
      ...post,
      rest_url: string,
      title: string,
      description: string,
      excerpt: string,
      slug: string,
      image: { anyOf: [image, { type: 'boolean', const: false }] },
      all_day: hidden(boolean),
      start_date: string,
      start_date_details: dateDetails,
      end_date: string,
      end_date_details: dateDetails,
      utc_start_date: string,
      utc_start_date_details: dateDetails,
      utc_end_date: string,
      utc_end_date_details: dateDetails,
      timezone: string,
      timezone_abbr: string,
      cost: string,
      cost_details: costDetails,
      website: string,
      show_map: hidden(boolean),
      show_map_link: hidden(boolean),
      hide_from_listings: hidden(boolean),
      sticky: hidden(boolean),
      featured: hidden(boolean),
      ticketed: hidden(boolean),
      event_status: { type: 'string', enum: ['scheduled', 'canceled', 'postponed'] },
      post_parent: integer,
      categories: list(embeddedTerm),
      tags: list(embeddedTerm),
      venue: { anyOf: [venue, list(venue)] },
      organizer: list(organizer),
      custom_fields: emptyList,
      json_ld: anything
    },
    ['json_ld']
  )
)

/** An event on one of its days. */
const dayEntry = named(
  'DayEntry',
  object({
    id: integer,
    title: string,
    slug: string,
    url: string,
    start_date: string,
    end_date: string,
    all_day: hidden(boolean),
    timezone: string,
    featured: hidden(boolean),
    status: string,
    event_status: { type: 'string', enum: ['scheduled', 'canceled', 'postponed'] },
    categories: list(object({ id: integer, slug: string, name: string })),
    venue: { type: ['string', 'null'], description: 'The name of the first one.' },
    language,
    day: { ...integer, description: 'Which of its days it is, from 1.' },
    days: { ...integer, description: 'How many days it lasts.' }
  })
)

const date = { type: 'string', format: 'date' }
const dateOrNone = { type: ['string', 'null'], format: 'date' }

/** What takes place on each day of a range. */
export const days = named(
  'Days',
  object({
    from: date,
    to: date,
    timezone: { ...string, description: 'Whose days these are: the zone of the site.' },
    days: list(named('Day', object({ date, total: integer, events: list(dayEntry) }))),
    previous: { ...dateOrNone, description: 'The last day of the last event that was over before.' },
    next: { ...dateOrNone, description: 'The first day of the first event that begins after.' }
  })
)

const textOrNone = { type: ['string', 'null'] }
const integerOrNone = { type: ['integer', 'null'] }
const momentOrNone = { type: ['string', 'null'], format: 'date-time' }

/** Content that is taken in from elsewhere. */
export const imported = named(
  'Import',
  object({
    id: integer,
    source: { type: 'string', enum: ['tec', 'ical', 'csv'] },
    url: textOrNone,
    file_name: textOrNone,
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
    progress: object({
      done: integer,
      total: { ...integerOrNone, description: 'Where it is known; it may be wrong.' }
    }),
    counts: object({
      new: integer,
      changed: integer,
      same: integer,
      skipped: integer,
      problem: integer,
      kept: { ...integer, description: 'What stayed when the import was undone, because it was edited or used since.' }
    }),
    error: { ...textOrNone, description: 'Why it failed, in the language of the request.' },
    created_at: { type: 'string', format: 'date-time' },
    started_at: momentOrNone,
    finished_at: momentOrNone,
    can_undo: boolean,
    author: { ...string, description: 'The number of the key or account.' },
    author_name: string,
    based_on: { ...integerOrNone, description: 'The try run that it makes real.' }
  })
)

/** What became of one thing that came. */
export const importRow = named(
  'ImportRow',
  object({
    position: integer,
    kind: { type: 'string', enum: ['event', 'venue', 'organizer', 'category', 'tag', 'image'] },
    source_id: string,
    title: string,
    outcome: { type: 'string', enum: ['new', 'changed', 'same', 'skipped', 'problem'] },
    reasons: { ...list(string), description: 'In the language of the request.' },
    item_id: integerOrNone
  })
)

/** A page of a report. */
export const importRows = object({ rows: list(importRow), total: integer, total_pages: integer })

/** A page of a list. */
export function envelope(collection: string, item: Json): Json {
  return object(
    {
      [collection]: list(item),
      rest_url: string,
      next_rest_url: string,
      previous_rest_url: string,
      total: integer,
      total_pages: integer
    },
    ['next_rest_url', 'previous_rest_url']
  )
}
