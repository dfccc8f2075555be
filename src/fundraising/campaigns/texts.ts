import { Type } from 'typebox'
import { buildLanguageProperties } from '#platform/http/language-properties.ts'
import { type Language, languages } from '#platform/language.ts'
import { buildText } from '#platform/messages/messages.ts'
import { newFieldProblem } from '#platform/problem.ts'

/** A short text in one language or several. */
export type Texts = Partial<Record<Language, string>>

export const buildTextsSchema = (description: string) =>
  Type.Object(buildLanguageProperties(Type.Optional(Type.String())), { description })

export const buildTextsInputSchema = (description: string, maxLength: number) => {
  const text = Type.Optional(Type.String({ line: true, maxLength }))
  return Type.Object(buildLanguageProperties(text), { description, examples: [{ en: 'Roof', de: 'Dach' }] })
}

/** Keeps only languages that have a text. */
export function toTexts(input: Texts = {}): Texts {
  return Object.fromEntries(languages.flatMap(language => (input[language] ? [[language, input[language]]] : [])))
}

/** The same for a text that is required. */
export function toRequiredTexts(input: Texts, pointer: string): Texts {
  const texts = toTexts(input)
  if (Object.keys(texts).length > 0) return texts
  const field = pointer.slice(1).replaceAll('/', '.')
  throw newFieldProblem(400, pointer, 'text-missing', buildText('fundraising-problems', 'textMissing', { field }))
}
