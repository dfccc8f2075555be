import { sql } from '#platform/database/sql.ts'
import { buildText } from '#platform/messages/messages.ts'
import { venueTexts } from '../content/texts.ts'
import { newInvalidParamProblem } from '../contract/problems.ts'
import type { LinkedPostType } from '../linked-posts/schema.ts'
import { buildOwnValues, buildVenueColumns, ownColumns, ownSelected, type VenueDetails } from './queries.ts'
import type { VenueChanges } from './schema.ts'

/** Venues as a linked post type. */
export const venuePostType: LinkedPostType<VenueDetails, VenueChanges> = {
  kind: 'venue',
  collection: 'venues',
  table: sql`calendar.venues`,
  row: sql`venue`,
  texts: venueTexts,
  links: sql`calendar.event_venues`,
  columns: buildVenueColumns,
  own: {
    columns: ownColumns,
    values: buildOwnValues,
    selected: ownSelected,
    resolve: resolveOwnFields,
    listSearchTexts: own => [
      own.address,
      own.city,
      own.country,
      own.province,
      own.state,
      own.stateprovince,
      own.zip,
      own.phone,
      own.website
    ]
  },
  getName: changes => changes.venue
}

function resolveOwnFields(changes: VenueChanges, before: VenueDetails | undefined): VenueDetails {
  const place = {
    address: changes.address ?? before?.address ?? '',
    city: changes.city ?? before?.city ?? '',
    country: changes.country ?? before?.country ?? '',
    province: changes.province ?? before?.province ?? '',
    state: changes.state ?? before?.state ?? '',
    zip: changes.zip ?? before?.zip ?? ''
  }
  return {
    ...place,
    stateprovince: changes.stateprovince ?? deriveRegion(changes, before, place),
    phone: changes.phone ?? before?.phone ?? '',
    website: changes.website ?? before?.website ?? '',
    showMap: resolveShown(changes.show_map, before?.showMap),
    showMapLink: resolveShown(changes.show_map_link, before?.showMapLink),
    ...resolveCoordinates(changes, before)
  }
}

/** Maps are shown by default. */
function resolveShown(requested: boolean | null | undefined, before = true): boolean {
  return requested === undefined ? before : (requested ?? true)
}

type Place = Pick<VenueDetails, 'country' | 'state' | 'province'>

/** As in the contract: the state in the United States or without a country, else the province. */
function getRegion({ country, state, province }: Place): string {
  return ['', 'US', 'United States'].includes(country) && state !== '' ? state : province
}

/** Recomputed when its sources change; a value that was written explicitly stays until there is a derived one. */
function deriveRegion(
  { country, state, province }: VenueChanges,
  before: VenueDetails | undefined,
  after: Place
): string {
  if (before === undefined) return getRegion(after)
  if (country === undefined && state === undefined && province === undefined) return before.stateprovince
  const written = before.stateprovince === getRegion(before) ? '' : before.stateprovince
  return getRegion(after) || written
}

function resolveCoordinates(
  { geo_lat, geo_lng }: VenueChanges,
  before: VenueDetails | undefined
): Pick<VenueDetails, 'geoLat' | 'geoLng'> {
  const geoLat = geo_lat === undefined ? (before?.geoLat ?? null) : geo_lat
  const geoLng = geo_lng === undefined ? (before?.geoLng ?? null) : geo_lng
  if ((geoLat === null) !== (geoLng === null)) {
    throw newInvalidParamProblem(
      geoLat === null ? 'geo_lat' : 'geo_lng',
      'both-coordinates',
      buildText('calendar-problems', 'bothCoordinates')
    )
  }
  return { geoLat, geoLng }
}
