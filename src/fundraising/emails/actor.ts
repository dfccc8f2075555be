import type { Language } from '#platform/language.ts'
import { findText, getMessages } from '#platform/messages/messages.ts'

/** Who made a change, in a sentence: `user 5 (Anna)` of the activity log becomes Anna. German: after “durch”. */
export function describeActor(language: Language, actor: string): string {
  const user = /^user \d+ \((.*)\)$/s.exec(actor)?.[1]
  if (user !== undefined) return user
  const { key, others } = getMessages('actors', language)
  const name = /^key \d+ \((.*)\)$/s.exec(actor)?.[1]
  return name === undefined ? (findText(others, actor) ?? actor) : key({ name })
}
