import { type Sql, sql } from '#platform/database/sql.ts'
import { buildPostColumns } from '../content/post-columns.ts'
import type { LinkedPostRow } from '../linked-posts/schema.ts'

/** The fields that only venues have. */
export interface VenueDetails {
  address: string
  city: string
  country: string
  province: string
  state: string
  zip: string
  phone: string
  stateprovince: string
  website: string
  showMap: boolean
  showMapLink: boolean
  geoLat: number | null
  geoLng: number | null
}

export interface VenueRow extends LinkedPostRow, VenueDetails {}

/** For a row aliased as venue, with its joined text. */
export function buildVenueColumns(zone: string): Sql {
  return sql`
    ${buildPostColumns(sql`venue`, zone)}, text.name,
    venue.languages as translations,
    ${ownSelected}`
}

export const ownColumns = sql`
  address, city, country, province, state, zip, phone, stateprovince, website, show_map, show_map_link, geo_lat, geo_lng`

export const ownSelected = sql`
  venue.address, venue.city, venue.country, venue.province, venue.state, venue.zip, venue.phone, venue.stateprovince,
  venue.website,
  venue.show_map as "showMap",
  venue.show_map_link as "showMapLink",
  venue.geo_lat as "geoLat",
  venue.geo_lng as "geoLng"`

export function buildOwnValues(own: VenueDetails): Sql {
  return sql`
    ${own.address}, ${own.city}, ${own.country}, ${own.province}, ${own.state}, ${own.zip}, ${own.phone},
    ${own.stateprovince}, ${own.website}, ${own.showMap}, ${own.showMapLink}, ${own.geoLat}, ${own.geoLng}`
}
