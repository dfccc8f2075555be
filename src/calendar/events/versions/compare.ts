import { type Language, languages } from '#platform/language.ts'
import { type PlainField, plainFields, type Snapshot, textFields, type VersionTextField } from './schema.ts'

/** A field in which two versions differ. */
export type VersionDifference = PlainDifference | TextDifference

interface PlainDifference {
  field: PlainField
  language: null
  before: unknown
  now: unknown
}

interface TextDifference {
  field: VersionTextField
  language: Language
  before: string | null
  now: string | null
}

export function isTextDifference(difference: VersionDifference): difference is TextDifference {
  return difference.language !== null
}

/** Texts first, then the other fields, in the order of the editor. */
export function listDifferences(before: Snapshot, now: Snapshot): VersionDifference[] {
  const texts = languages.flatMap(language =>
    textFields.map(field => ({
      field,
      language,
      before: before.texts[language]?.[field] ?? null,
      now: now.texts[language]?.[field] ?? null
    }))
  )
  const others = plainFields.map(field => ({ field, language: null, before: before[field], now: now[field] }))
  return [...texts, ...others].filter(difference => !isEqual(difference.before, difference.now))
}

const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
