import { type Sql, sql } from '#platform/database/sql.ts'
import { buildText } from '#platform/messages/messages.ts'
import { newInvalidParamProblem } from '../contract/problems.ts'
import { buildVisibleCondition, type Viewer } from '../permissions/permissions.ts'
import type { EventFilterValues } from './schema.ts'

export interface GeoCircle {
  latitude: number
  longitude: number
  kilometres: number
}

const kilometresDefault = 40
const earthKilometres = 6371

export function parseGeoCircle({
  geoloc_lat: latitude,
  geoloc_lng: longitude,
  geoloc_radius
}: EventFilterValues): GeoCircle | undefined {
  if (latitude === undefined && longitude === undefined) return undefined
  if (latitude === undefined || longitude === undefined) {
    throw newInvalidParamProblem(
      latitude === undefined ? 'geoloc_lat' : 'geoloc_lng',
      'both-coordinates',
      buildText('event-problems', 'bothCoordinates')
    )
  }
  return { latitude, longitude, kilometres: geoloc_radius ?? kilometresDefault }
}
/** Events near a place, with the distance of the nearest venue. Starts from venues: they are far fewer than events. */
export function buildNearJoin(viewer: Viewer, { latitude, longitude, kilometres }: GeoCircle): Sql {
  const degrees = (kilometres / earthKilometres) * (180 / Math.PI)
  return sql`
    join (
      select link.event_id, min(venue.distance) as distance
      from (
        select venue.id, 2 * ${earthKilometres}::float8 * asin(least(1, sqrt(
          sin(radians(venue.geo_lat - ${latitude}) / 2) ^ 2
          + cos(radians(${latitude}::float8)) * cos(radians(venue.geo_lat)) * sin(radians(venue.geo_lng - ${longitude}) / 2) ^ 2
        ))) as distance
        from calendar.venues as venue
        where venue.geo_lat between ${latitude - degrees}::float8 and ${latitude + degrees}::float8
          and ${buildVisibleCondition(viewer, sql`venue`)}
      ) as venue
      join calendar.event_venues as link on link.venue_id = venue.id
      where venue.distance <= ${kilometres}::float8
      group by link.event_id
    ) as near on near.event_id = event.id`
}
