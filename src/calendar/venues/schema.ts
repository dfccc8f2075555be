import { emptyByDefault, line, linkedFields, name } from '../linked/schema.ts'
import { required, type Values } from '../parameters.ts'
import { address, number, truthyWords } from '../rules.ts'

/** What can be said of a venue. Nothing or an empty text clears a field. */
export const venueFields = {
  venue: required(name('The name of the venue.')),
  ...linkedFields,
  show_map: emptyByDefault(truthyWords('Events here show a map.')),
  show_map_link: emptyByDefault(truthyWords('Events here show a link to a map.')),
  address: line('Street and number.'),
  city: line('The city.'),
  country: line('The country.'),
  province: line('The province, outside the United States.'),
  state: line('The state, in the United States.'),
  zip: line('The postal code.'),
  phone: line('The telephone number.'),
  stateprovince: line('State or province; the one that fits the country if it is not said.'),
  website: emptyByDefault(address('The address of its own page elsewhere.')),
  geo_lat: number('Latitude; with geo_lng.', -90, 90),
  geo_lng: number('Longitude; with geo_lat.', -180, 180)
}

export type VenueChanges = Values<typeof venueFields> & { imageId?: number | null }
