import { toMultilineText } from '#platform/rich-text/html.ts'
import type { VenueJson } from '../contract/shapes.ts'
import { addText, addTrailingFields, buildCommonFields, isUnlocked, type LinkedPostView } from '../linked-posts/wire.ts'
import type { VenueRow } from './queries.ts'

/** A venue in the contract's format. */
export function toVenueJson(row: VenueRow, view: LinkedPostView): VenueJson {
  const unlocked = isUnlocked(row, view)
  const wire = buildCommonFields(row, 'venue', view)
  for (const member of textMembers) addText(wire, member, row[member], unlocked)
  if (row.geoLat !== null && unlocked) {
    wire.geo_lat = row.geoLat
    wire.geo_lng = row.geoLng
  }
  if (view.single === true && unlocked) wire.json_ld = buildPlaceJsonLd(row)
  wire.show_map = unlocked ? row.showMap : null
  wire.show_map_link = unlocked ? row.showMapLink : null
  addTrailingFields(wire, row, view)
  return wire as VenueJson
}

const textMembers = [
  'address',
  'city',
  'country',
  'province',
  'state',
  'zip',
  'phone',
  'website',
  'stateprovince'
] as const

/** schema.org JSON-LD, for search engines. */
export function buildPlaceJsonLd(row: VenueRow): NonNullable<VenueJson['json_ld']> {
  const address: Record<string, string> & { '@type': string } = { '@type': 'PostalAddress' }
  addText(address, 'streetAddress', row.address, true)
  addText(address, 'addressLocality', row.city, true)
  addText(address, 'addressRegion', row.stateprovince || row.state || row.province, true)
  addText(address, 'postalCode', row.zip, true)
  addText(address, 'addressCountry', row.country, true)
  return {
    '@type': 'Place',
    name: row.name,
    description: toMultilineText(row.description),
    url: '',
    address,
    ...(row.geoLat === null || row.geoLng === null
      ? {}
      : { geo: { '@type': 'GeoCoordinates', latitude: row.geoLat, longitude: row.geoLng } }),
    telephone: row.phone,
    sameAs: row.website
  }
}
