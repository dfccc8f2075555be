import { type Static, Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'
import { Nullable } from '#platform/http/nullable.ts'

export const IbanRequest = NamedObject('IbanRequest', {
  iban: Type.String({
    ibanForm: true,
    maxLength: 60,
    description: 'Blanks and small letters are fine.',
    examples: ['DE89370400440532013000']
  })
})

export const IbanInfo = NamedObject('IbanInfo', {
  iban: Type.String({ description: 'Without blanks, in capitals.' }),
  formatted: Type.String({ description: 'In groups of four, as people read it.' }),
  valid: Type.Boolean({ description: 'Whether check digits and length fit the country.' }),
  country: Type.String({ description: 'The two letters that it begins with.' }),
  countryName: Nullable(Type.String(), {
    description: 'In the language of the request; null if there is no such country.'
  }),
  bankName: Nullable(Type.String(), { description: 'Known for German accounts that are valid.' }),
  bic: Nullable(Type.String()),
  sepa: Type.Boolean({ description: 'Whether money can be sent there by SEPA transfer.' }),
  data: Type.Object(
    {
      source: Type.String(),
      validFrom: Type.String({ format: 'date' }),
      validUntil: Type.String({ format: 'date', description: 'Banks may have changed since then.' })
    },
    { description: 'Where the names of banks come from, and how old they are.' }
  )
})
export type IbanInfo = Static<typeof IbanInfo>
