import { makeRequired, type ParamValues } from '../contract/param-definition.ts'
import { newLooseBoolParam, newNumberParam, newUrlParam } from '../contract/params.ts'
import { linkedPostFields, newNameParam, newTextLineParam, withNullDefault } from '../linked-posts/schema.ts'

/** Writable fields of a venue. Null or an empty string clears a field. */
export const venueFields = {
  venue: makeRequired(newNameParam('The name of the venue.')),
  ...linkedPostFields,
  show_map: withNullDefault(newLooseBoolParam('Whether its events show a map.')),
  show_map_link: withNullDefault(newLooseBoolParam('Whether its events show a link to a map.')),
  address: newTextLineParam('Street and number.'),
  city: newTextLineParam('The city.'),
  country: newTextLineParam('The country.'),
  province: newTextLineParam('The province, outside the United States.'),
  state: newTextLineParam('The state, in the United States.'),
  zip: newTextLineParam('The postal code.'),
  phone: newTextLineParam('The telephone number.'),
  stateprovince: newTextLineParam('State or province; derived from the country if omitted.'),
  website: withNullDefault(newUrlParam('URL of its own website.')),
  geo_lat: newNumberParam('Latitude; with geo_lng.', -90, 90),
  geo_lng: newNumberParam('Longitude; with geo_lat.', -180, 180)
}

export type VenueChanges = ParamValues<typeof venueFields> & { imageId?: number | null }
