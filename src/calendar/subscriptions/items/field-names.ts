import type { Language } from '#platform/language.ts'
import { findText, getMessages } from '#platform/messages/messages.ts'
import { findTextField } from './field-values.ts'

/** The field in words; a text with its language. */
export function getFieldName(name: string, language: Language): string {
  const { names, withLanguage } = getMessages('subscription-fields', language)
  const text = findTextField(name)
  const known = findText(names, text?.field ?? name) ?? name
  return text === undefined ? known : withLanguage({ name: known, language: text.language })
}

export function listFieldNames(fields: string[], language: Language): string {
  return fields.map(field => getFieldName(field, language)).join(', ')
}
