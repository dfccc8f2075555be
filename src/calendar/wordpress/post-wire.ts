import type { EventJson, OrganizerJson, VenueJson } from '../contract/shapes.ts'
import type { TecEvent, TecOrganizer, TecVenue, WpEvent, WpPost } from './shapes.ts'

/** What the shape of an item depends on besides the item. */
export interface PostView {
  /** URL of the collection. */
  collectionUrl: string
  /** URL of `/wp-json`. */
  root: string
  /** Includes the texts as they were written, for editors. */
  isEditing: boolean
  now: Date
}

const postTypes = { events: 'tribe_events', venues: 'tribe_venue', organizers: 'tribe_organizer' } as const
export type PostCollection = keyof typeof postTypes

/** The items of the contract that are posts in WordPress. */
export type PostJson = EventJson | VenueJson | OrganizerJson

/** WordPress sends titles as HTML. */
export function escapeTitle(text: string): string {
  return text.replaceAll('&', '&#038;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

const toIso = (local: string) => local.replace(' ', 'T')

function toPost(item: PostJson, name: string, collection: PostCollection, view: PostView) {
  const isProtected = 'all_day' in item && item.all_day === null
  const text = (html: string) => ({
    rendered: html,
    ...(view.isEditing ? { raw: html } : {}),
    protected: isProtected
  })
  const type = postTypes[collection]
  const image = item.image === undefined || item.image === false ? 0 : item.image.id
  return {
    id: item.id,
    date: toIso(item.date),
    date_gmt: toIso(item.date_utc),
    guid: { rendered: item.url },
    modified: toIso(item.modified),
    modified_gmt: toIso(item.modified_utc),
    slug: item.slug,
    status: item.status,
    type,
    link: item.url,
    title: { rendered: escapeTitle(name), ...(view.isEditing ? { raw: name } : {}) },
    content: text(item.description ?? ''),
    excerpt: text(item.excerpt ?? ''),
    author: Number(item.author),
    featured_media: image,
    template: '',
    language: item.language,
    _links: {
      self: [{ href: `${view.collectionUrl}/${item.id}` }],
      collection: [{ href: view.collectionUrl }],
      about: [{ href: `${view.root}/wp/v2/types/${type}` }],
      ...(image === 0 ? {} : { 'wp:featuredmedia': [{ href: `${view.root}/wp/v2/media/${image}` }] })
    }
  }
}

const listIds = (items: { id: number }[]) => items.map(({ id }) => id)

/** `''` in WordPress means that the event takes place as planned. */
const toStatusMeta = (status: string) => (status === 'scheduled' ? '' : status)

function toWpEvent(event: EventJson, view: PostView): WpEvent {
  return {
    ...toPost(event, event.title, 'events', view),
    meta: { _tribe_events_status: toStatusMeta(event.event_status), _tribe_events_status_reason: '' },
    tags: listIds(event.tags),
    tribe_events_cat: listIds(event.categories)
  }
}

function toTecVenue(venue: VenueJson, view: PostView): TecVenue {
  return {
    ...toPost(venue, venue.venue, 'venues', view),
    address: venue.address ?? '',
    country: venue.country ?? '',
    city: venue.city ?? '',
    state_province: venue.stateprovince ?? '',
    state: venue.state ?? '',
    province: venue.province ?? '',
    zip: venue.zip ?? '',
    phone: venue.phone ?? '',
    website: venue.website ?? '',
    ...(venue.geo_lat === undefined ? {} : { lat: venue.geo_lat }),
    ...(venue.geo_lng === undefined ? {} : { lng: venue.geo_lng })
  }
}

function toTecOrganizer(organizer: OrganizerJson, view: PostView): TecOrganizer {
  return {
    ...toPost(organizer, organizer.organizer, 'organizers', view),
    phone: organizer.phone ?? '',
    website: organizer.website ?? '',
    email: organizer.email ?? ''
  }
}

/** A date as PHP serializes it. */
const toMoment = (local: string, timezone: string) => ({ date: `${local}.000000`, timezone_type: 3, timezone })

function toTecEvent(event: EventJson, view: PostView): TecEvent {
  const { start_date, end_date, utc_start_date, utc_end_date, timezone } = event
  const from = Date.parse(`${toIso(utc_start_date)}Z`)
  const until = Date.parse(`${toIso(utc_end_date)}Z`)
  const now = view.now.getTime()
  const siblings = (collection: string) => ({
    ...view,
    collectionUrl: view.collectionUrl.replace(/events$/, collection)
  })
  return {
    ...toPost(event, event.title, 'events', view),
    tags: listIds(event.tags),
    tribe_events_cat: listIds(event.categories),
    start_date,
    start_date_utc: utc_start_date,
    end_date,
    end_date_utc: utc_end_date,
    dates: {
      start: toMoment(start_date, timezone),
      start_utc: toMoment(utc_start_date, 'UTC'),
      end: toMoment(end_date, timezone),
      end_utc: toMoment(utc_end_date, 'UTC')
    },
    timezone,
    duration: String(Math.round((until - from) / 1000)),
    multiday: start_date.slice(0, 10) !== end_date.slice(0, 10),
    is_past: until < now,
    is_now: from <= now && now <= until,
    all_day: event.all_day,
    featured: event.featured,
    sticky: event.sticky,
    cost: event.cost,
    website: event.website,
    organizer_names: event.organizer.map(({ organizer }) => organizer),
    organizers: event.organizer.map(one => toTecOrganizer(one, siblings('organizers'))),
    venues: [event.venue].flat().map(one => toTecVenue(one, siblings('venues')))
  }
}

/** WordPress knows no more of a venue or an organizer than of any post. */
const toWpPost = (
  item: VenueJson | OrganizerJson,
  name: string,
  collection: PostCollection,
  view: PostView
): WpPost => ({
  ...toPost(item, name, collection, view),
  meta: []
})

/** How an item of the contract looks in each namespace. */
export const postWriters = {
  'wp/v2': {
    events: (item: PostJson, view: PostView) => toWpEvent(item as EventJson, view),
    venues: (item: PostJson, view: PostView) => toWpPost(item as VenueJson, (item as VenueJson).venue, 'venues', view),
    organizers: (item: PostJson, view: PostView) =>
      toWpPost(item as OrganizerJson, (item as OrganizerJson).organizer, 'organizers', view)
  },
  'tec/v1': {
    events: (item: PostJson, view: PostView) => toTecEvent(item as EventJson, view),
    venues: (item: PostJson, view: PostView) => toTecVenue(item as VenueJson, view),
    organizers: (item: PostJson, view: PostView) => toTecOrganizer(item as OrganizerJson, view)
  }
}
