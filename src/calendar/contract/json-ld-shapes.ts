import { Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'

// schema.org JSON-LD of single items, for search engines.

const Text = Type.String()

export const placeJsonLdSchema = NamedObject('PlaceJsonLd', {
  '@type': Text,
  name: Text,
  description: Text,
  url: Text,
  address: Type.Object({
    '@type': Text,
    streetAddress: Type.Optional(Text),
    addressLocality: Type.Optional(Text),
    addressRegion: Type.Optional(Text),
    postalCode: Type.Optional(Text),
    addressCountry: Type.Optional(Text)
  }),
  geo: Type.Optional(Type.Object({ '@type': Text, latitude: Type.Number(), longitude: Type.Number() })),
  telephone: Text,
  sameAs: Text
})

export const personJsonLdSchema = NamedObject('PersonJsonLd', {
  '@type': Text,
  name: Text,
  description: Text,
  url: Text,
  telephone: Text,
  email: Text,
  sameAs: Text
})

export const eventJsonLdSchema = NamedObject('EventJsonLd', {
  '@context': Text,
  '@type': Text,
  name: Text,
  description: Text,
  image: Type.Optional(Text),
  url: Text,
  eventAttendanceMode: Text,
  eventStatus: Text,
  startDate: Text,
  endDate: Text,
  location: Type.Optional(placeJsonLdSchema),
  organizer: Type.Optional(personJsonLdSchema),
  offers: Type.Optional(
    Type.Object({
      '@type': Text,
      price: Text,
      priceCurrency: Text,
      url: Text,
      category: Text,
      availability: Text,
      validFrom: Text
    })
  ),
  performer: Text
})
