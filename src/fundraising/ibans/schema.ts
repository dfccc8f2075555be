import { type Static, Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'
import { Nullable } from '#platform/http/nullable.ts'

export const IbanRequest = NamedObject('IbanRequest', {
  iban: Type.String({
    ibanForm: true,
    maxLength: 60,
    description: 'IBAN; spaces and lower case are accepted.',
    examples: ['DE89370400440532013000']
  })
})

export const IbanInfo = NamedObject('IbanInfo', {
  iban: Type.String({ description: 'IBAN without spaces, in upper case.' }),
  formatted: Type.String({ description: 'IBAN in groups of four.' }),
  valid: Type.Boolean({ description: 'Whether check digits and length are valid for the country.' }),
  country: Type.String({ description: 'Country code, the first two letters.' }),
  countryName: Nullable(Type.String(), {
    description: 'Country name in the language of the request; null if unknown.'
  }),
  bankName: Nullable(Type.String(), { description: 'Bank; known for valid German IBANs.' }),
  bic: Nullable(Type.String()),
  sepa: Type.Boolean({ description: 'Whether the account can be reached by SEPA transfer.' }),
  data: Type.Object(
    {
      source: Type.String(),
      validFrom: Type.String({ format: 'date' }),
      validUntil: Type.String({ format: 'date', description: 'End of validity of the bank data.' })
    },
    { description: 'Source and date of the bank data.' }
  )
})
export type IbanInfo = Static<typeof IbanInfo>
