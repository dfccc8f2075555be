import type { Language } from '#platform/language.ts'
import type { LocalDateTime } from '../time/time.ts'
import { parseStoredRule } from './recurrence.ts'
import { describeRecurrence } from './sentence.ts'
import { parseWallTime } from './wall-time.ts'

/** Lists have many events of the same few series. */
const cacheSizeMax = 1000
const cache = new Map<string, string>()

/** The rule of a series in words, without single dates. */
export function describeStoredRule(rule: string, start: LocalDateTime, language: Language): string {
  const key = `${language} ${start} ${rule}`
  const known = cache.get(key)
  if (known !== undefined) return known
  const subject = { rule: parseStoredRule(rule), start: parseWallTime(start), except: [], also: [] }
  const text = describeRecurrence(subject, language)
  if (cache.size >= cacheSizeMax) cache.clear()
  cache.set(key, text)
  return text
}
