import { sql } from '#platform/sql.ts'
import type { Linked } from '../linked/schema.ts'
import { invalidParameter } from '../problems.ts'
import { venueTexts } from '../texts.ts'
import { ownColumns, ownSelected, ownValues, type VenueOwn, venueColumns } from './queries.ts'
import type { VenueChanges } from './schema.ts'

/** What makes a venue one of the things that events are linked with. */
export const linkedVenues: Linked<VenueOwn, VenueChanges> = {
  kind: 'venue',
  collection: 'venues',
  table: sql`calendar.venues`,
  row: sql`venue`,
  texts: venueTexts,
  links: sql`calendar.event_venues`,
  columns: venueColumns,
  own: {
    columns: ownColumns,
    values: ownValues,
    selected: ownSelected,
    after: ownAfter,
    searched: own => [
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
  nameIn: changes => changes.venue
}

function ownAfter(changes: VenueChanges, before: VenueOwn | undefined): VenueOwn {
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
    stateprovince: changes.stateprovince ?? derivedRegion(changes, before, place),
    phone: changes.phone ?? before?.phone ?? '',
    website: changes.website ?? before?.website ?? '',
    showMap: shown(changes.show_map, before?.showMap),
    showMapLink: shown(changes.show_map_link, before?.showMapLink),
    ...coordinatesAfter(changes, before)
  }
}

/** Maps are shown unless somebody says otherwise. */
function shown(asked: boolean | null | undefined, before = true): boolean {
  return asked === undefined ? before : (asked ?? true)
}

type Place = Pick<VenueOwn, 'country' | 'state' | 'province'>

/** As the contract has it: the state in the United States and where no country is said, else the province. */
function regionOf({ country, state, province }: Place): string {
  return ['', 'US', 'United States'].includes(country) && state !== '' ? state : province
}

/** Follows what it was made of; one that somebody wrote stays until there is another. */
function derivedRegion({ country, state, province }: VenueChanges, before: VenueOwn | undefined, after: Place): string {
  if (before === undefined) return regionOf(after)
  if (country === undefined && state === undefined && province === undefined) return before.stateprovince
  const written = before.stateprovince === regionOf(before) ? '' : before.stateprovince
  return regionOf(after) || written
}

function coordinatesAfter(
  { geo_lat, geo_lng }: VenueChanges,
  before: VenueOwn | undefined
): Pick<VenueOwn, 'geoLat' | 'geoLng'> {
  const geoLat = geo_lat === undefined ? (before?.geoLat ?? null) : geo_lat
  const geoLng = geo_lng === undefined ? (before?.geoLng ?? null) : geo_lng
  if ((geoLat === null) !== (geoLng === null)) {
    throw invalidParameter(geoLat === null ? 'geo_lat' : 'geo_lng', 'both-coordinates', {
      en: 'is needed too: geo_lat and geo_lng go together',
      de: 'fehlt: geo_lat und geo_lng gehören zusammen'
    })
  }
  return { geoLat, geoLng }
}
