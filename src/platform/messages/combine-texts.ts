import { type Language, pickByLanguage, type Text } from '../language.ts'
import { buildText, getMessages } from './messages.ts'

/** A rule about a field as a sentence: `name` and `is required` are `name is required.` */
export function buildFieldText(field: string | Text, rule: Text): Text {
  return buildText('sentences', 'field', language => ({
    field: typeof field === 'string' ? field : pickByLanguage(field, language),
    rule: pickByLanguage(rule, language)
  }))
}

/** `a or b or c`: values of fields, not words, so there are no commas. */
export function joinByOr(items: readonly string[], language: Language): string {
  const { or } = getMessages('sentences', language)
  return items.length === 0 ? '' : items.reduce((first, second) => or({ first, second }))
}
