import { createHash } from 'node:crypto'
import type { Language } from '#platform/language.ts'
import type { Incoming } from '../source.ts'

/** Something that an event names. What it is called is what it is known by. */
export function newIncomingItem(
  kind: 'venue' | 'organizer' | 'category' | 'tag',
  title: string,
  language: Language,
  fields: Record<string, unknown> = {},
  key = title
): Incoming {
  return { kind, sourceId: buildItemId(key), texts: { [language]: { title } }, fields, problems: [] }
}

const idLengthMax = 200

/** The same for texts that differ only in case and blanks. */
export function buildItemId(text: string): string {
  const key = text.slice(0, 10_000).toLowerCase().replaceAll(/\s+/g, ' ').trim()
  return key.length <= idLengthMax ? key : createHash('sha256').update(key).digest('base64url')
}

/** The address of a page, with everything encoded that must be; undefined for anything else. */
export function parseWebUrl(text: string): string | undefined {
  return /^https?:\/\//i.test(text) && text.length <= 2000 && URL.canParse(text) ? new URL(text).href : undefined
}
