import { type Static, Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'
import type { Rule } from '#platform/http/validation.ts'
import { buildText } from '#platform/messages/messages.ts'

/** A postal address as printed on a receipt. */
export const Address = NamedObject('Address', {
  street: Type.String(),
  postalCode: Type.String(),
  city: Type.String(),
  country: Type.String({ description: 'ISO 3166 country code, two letters.' })
})
export type Address = Static<typeof Address>

const countryByDefault = 'DE'

export const NewAddress = NamedObject('NewAddress', {
  street: Type.String({ line: true, minLength: 1, maxLength: 140, description: 'Street and house number.' }),
  postalCode: Type.String({ line: true, minLength: 1, maxLength: 60 }),
  city: Type.String({ line: true, minLength: 1, maxLength: 140 }),
  country: Type.Optional(
    Type.String({
      country: true,
      maxLength: 20,
      description: 'ISO 3166 country code, two letters; default DE.',
      examples: ['DE']
    })
  )
})
export type NewAddress = Static<typeof NewAddress>

export function newAddress(input: NewAddress): Address {
  return {
    street: input.street,
    postalCode: input.postalCode,
    city: input.city,
    country: input.country ?? countryByDefault
  }
}

export const countryRule: Rule = {
  keyword: 'country',
  type: 'string',
  check: (given: string) => {
    const text = given.trim()
    if (/^[A-Za-z]{2}$/.test(text)) return { value: text.toUpperCase() }
    return {
      code: 'country',
      message: buildText('fundraising-rules', 'country')
    }
  }
}
