import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatCountry } from '../format/country.ts'
import { getDirAttribute } from '../format/direction.ts'
import type { Venue } from '../server/calendar-api.ts'

/** Links to maps. No embedded map, so that no third party learns of a visitor before they follow a link. */
export function MapLinks({ language, venue }: { language: Language; venue: Venue }) {
  const strings = getMessages('event', language)
  const place = buildMapUrls(language, venue)
  if (place === undefined) return null
  return (
    <ul class="map-links plain-list">
      <li>
        <a href={place.openStreetMap} rel="external noopener">
          {strings.openInMap}
        </a>
      </li>
      <li class="map-app">
        <a href={place.geo}>{strings.openInApp}</a>
      </li>
    </ul>
  )
}

function buildMapUrls(language: Language, venue: Venue): { openStreetMap: string; geo: string } | undefined {
  if (venue.show_map_link === false) return undefined
  const { geo_lat: latitude, geo_lng: longitude } = venue
  if (latitude !== undefined && longitude !== undefined) {
    const name = encodeURIComponent(venue.venue.replace(/[()]/g, ' '))
    return {
      openStreetMap: `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`,
      geo: `geo:${latitude},${longitude}?q=${latitude},${longitude}(${name})`
    }
  }
  const lines = formatAddressLines(language, venue)
  if (lines.length === 0) return undefined
  const query = encodeURIComponent(lines.join(', '))
  return { openStreetMap: `https://www.openstreetmap.org/search?query=${query}`, geo: `geo:0,0?q=${query}` }
}

/** Street, then town, then region and country. */
export function formatAddressLines(
  language: Language,
  { address, zip, city, state, province, country = '' }: Venue
): string[] {
  const town = [zip, city].filter(Boolean).join(' ')
  const region = [state || province, formatCountry(language, country)].filter(Boolean).join(', ')
  return [address ?? '', town, region].filter(line => line !== '')
}

/** The address on separate lines, as machine-readable markup. */
export function Address({ language, venue }: { language: Language; venue: Venue }) {
  const { address, zip, city, country } = venue
  const region = venue.state || venue.province
  if (formatAddressLines(language, venue).length === 0) return null
  return (
    <p class="address">
      {address ? (
        <span class="p-street-address" dir={getDirAttribute(address)}>
          {address}
        </span>
      ) : null}
      {zip || city ? (
        <span>
          {zip ? <span class="p-postal-code">{zip} </span> : null}
          {city ? <span class="p-locality">{city}</span> : null}
        </span>
      ) : null}
      {region ? <span class="p-region">{region}</span> : null}
      {country ? <span class="p-country-name">{formatCountry(language, country)}</span> : null}
    </p>
  )
}
