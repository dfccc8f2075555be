import { createHash } from 'node:crypto'
import type { Language } from '#platform/language.ts'
import { canParseUrl } from '#platform/url/parse-url.ts'
import type { Incoming } from '../source.ts'

/** An item that an event references. Its name identifies it. */
export function newIncomingItem(
  kind: 'venue' | 'organizer' | 'category' | 'tag',
  title: string,
  language: Language,
  { fields = {}, key = title }: { fields?: Record<string, unknown>; key?: string } = {}
): Incoming {
  return { kind, sourceId: buildItemId(key), texts: { [language]: { title } }, fields, problems: [] }
}

const idLengthMax = 200

/** The same id for texts that differ only in case and whitespace. */
export function buildItemId(text: string): string {
  const key = text.slice(0, 10_000).toLowerCase().replaceAll(/\s+/g, ' ').trim()
  return key.length <= idLengthMax ? key : createHash('sha256').update(key).digest('base64url')
}

/** The normalized URL of a web page; undefined for anything else. */
export function parseWebUrl(text: string): string | undefined {
  return /^https?:\/\//i.test(text) && text.length <= 2000 && canParseUrl(text) ? new URL(text).href : undefined
}
