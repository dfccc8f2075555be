import { type TSchema, Type } from 'typebox'
import { type Language, languages } from '../language.ts'

/** The languages of the API's contract. Clients may rely on their texts; those of languages that a site adds are optional. */
const contractLanguages: readonly Language[] = ['en', 'de']

/** The properties of an object with a text in each language. */
export function buildLanguageProperties<Schema extends TSchema>(schema: Schema): Record<Language, Schema> {
  const entries = languages.map(language => [
    language,
    contractLanguages.includes(language) ? schema : Type.Optional(schema)
  ])
  return Object.fromEntries(entries) as Record<Language, Schema>
}
