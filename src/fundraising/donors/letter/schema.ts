import { type Static, Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'
import { legalLanguages } from '#platform/language.ts'
import { buildAmountSchema } from '../../money/money.ts'

const Year = Type.Integer({ minimum: 1900, maximum: 2200, description: 'Year in which the money was received.' })

/** An annual letter of thanks. */
export const Letter = NamedObject('Letter', {
  id: Type.String({ format: 'uuid' }),
  year: Type.Integer(),
  language: Type.Enum([...legalLanguages]),
  amount: buildAmountSchema('Sum of the listed payments.'),
  currency: Type.String(),
  payments: Type.Integer({ description: 'Number of listed payments.' }),
  writtenAt: Type.String({ format: 'date-time' }),
  actor: Type.String()
})
export type Letter = Static<typeof Letter>

const LetterLanguage = Type.Enum([...legalLanguages], {
  description: 'Language of the letter; default: that of the donor, or of the site.'
})

export const NewLetter = NamedObject('NewLetter', { year: Year, language: Type.Optional(LetterLanguage) })
export type NewLetter = Static<typeof NewLetter>

export const LetterYear = Type.Object({ year: Year })

export const LetterSummary = NamedObject('LetterSummary', {
  year: Type.Integer(),
  written: Type.Integer({ description: 'Number of letters written for the year.' }),
  due: Type.Integer({ description: 'Number of donors with an address who have no letter for the year yet.' }),
  withoutAddress: Type.Integer({ description: 'Number of donors who gave in the year and have no postal address.' })
})
export type LetterSummary = Static<typeof LetterSummary>

export const LetterText = NamedObject('LetterText', {
  language: Type.Enum([...legalLanguages]),
  opening: Type.String({ description: 'Text before the list of gifts.' }),
  closing: Type.String({ description: 'Text after the list of gifts.' }),
  isDefault: Type.Boolean({ description: 'Whether the text was never changed.' }),
  version: Type.Integer()
})
export type LetterText = Static<typeof LetterText>

const placeholders = '`{year}` and `{amount}` are replaced.'

export const LetterTextChange = NamedObject('LetterTextChange', {
  opening: Type.String({
    text: true,
    minLength: 1,
    maxLength: 2000,
    description: `Text before the list of gifts. ${placeholders}`
  }),
  closing: Type.String({
    text: true,
    minLength: 1,
    maxLength: 1000,
    description: `Text after the list of gifts. ${placeholders}`
  })
})
export type LetterTextChange = Static<typeof LetterTextChange>

export const LetterTextParams = Type.Object({ language: Type.String({ description: 'en or de.' }) })
