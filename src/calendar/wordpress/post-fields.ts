import type { PostCollection } from './post-wire.ts'

type Fields = Record<string, unknown>

/** Names of the contract for fields of posts in WordPress. */
const commonNames: Record<string, string> = {
  slug: 'slug',
  status: 'status',
  author: 'author',
  date: 'date',
  date_gmt: 'date_utc',
  password: 'post_password',
  featured_media: 'image',
  website: 'website',
  language: 'language'
}

const ownNames: Record<PostCollection, Record<string, string>> = {
  events: {
    title: 'title',
    content: 'description',
    excerpt: 'excerpt',
    start_date: 'start_date',
    end_date: 'end_date',
    timezone: 'timezone',
    all_day: 'all_day',
    featured: 'featured',
    sticky: 'sticky',
    cost: 'cost',
    venues: 'venue',
    organizers: 'organizer',
    tags: 'tags',
    tribe_events_cat: 'categories'
  },
  venues: {
    title: 'venue',
    content: 'description',
    address: 'address',
    city: 'city',
    country: 'country',
    state: 'state',
    province: 'province',
    state_province: 'stateprovince',
    zip: 'zip',
    phone: 'phone',
    lat: 'geo_lat',
    lng: 'geo_lng'
  },
  organizers: { title: 'organizer', content: 'description', phone: 'phone', email: 'email' }
}

/** Fields of an event in the `meta` of WordPress, where clients of its editor write them. */
const metaNames: Record<string, string> = {
  _EventStartDate: 'start_date',
  _EventEndDate: 'end_date',
  _EventTimezone: 'timezone',
  _EventAllDay: 'all_day',
  _EventCost: 'cost',
  _EventURL: 'website',
  _EventVenueID: 'venue',
  _EventOrganizerID: 'organizer',
  _tribe_events_status: 'event_status'
}

/** The name in the contract of each field of a body. */
export function getContractNames(collection: PostCollection): Record<string, string> {
  return { ...commonNames, ...ownNames[collection] }
}

/** Converts the body of a request to the fields of the contract, which are validated there. */
export function toContractFields(collection: PostCollection, given: Fields): Fields {
  const fields: Fields = {}
  const meta = isObject(given.meta) && collection === 'events' ? given.meta : {}
  for (const [name, own] of Object.entries(metaNames)) if (meta[name] !== undefined) fields[own] = meta[name]
  if (fields.event_status === '') fields.event_status = 'scheduled'
  for (const [name, own] of Object.entries(getContractNames(collection))) {
    const value = given[name]
    if (value !== undefined) fields[own] = isObject(value) && 'raw' in value ? value.raw : value
  }
  // 0 is no image in WordPress.
  if (fields.image === 0 || fields.image === '0') fields.image = null
  return fields
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !Buffer.isBuffer(value)
}
