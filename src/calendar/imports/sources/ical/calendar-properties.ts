import { parseDuration } from './event-times.ts'
import { type Component, unescapeText } from './parser.ts'
import { findValue } from './timezones.ts'

const nameLengthMax = 200
/** A longer interval is probably a typing error. */
const refreshMinutesMax = 30 * 24 * 60

/** What a calendar says about itself (RFC 7986, and the properties that programs wrote before it). */
export function readCalendarProperties(calendar: Component | undefined): { name?: string; refreshMinutes?: number } {
  const value = (...names: string[]) =>
    names.map(name => unescapeText(findValue(calendar, name) ?? '').trim()).find(text => text !== '')
  const name = value('NAME', 'X-WR-CALNAME')?.replaceAll(/\s+/g, ' ').slice(0, nameLengthMax).toWellFormed()
  const refreshMs = parseDuration(value('REFRESH-INTERVAL', 'X-PUBLISHED-TTL') ?? '') ?? 0
  const refreshMinutes = Math.min(Math.ceil(refreshMs / 60_000), refreshMinutesMax)
  return { ...(name === undefined ? {} : { name }), ...(refreshMinutes === 0 ? {} : { refreshMinutes }) }
}
