import pg from 'pg'

const int8 = 20
const int8Array = 1016
const date = 1082
const timestamptz = 1184

/** Integers as numbers (all of ours are below 2^53), instants and days as ISO text: as responses need them. */
export function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === int8) return Number
  if (oid === int8Array) return toNumbers
  if (oid === timestamptz) return toIsoInstant
  if (oid === date) return String
  return pg.types.getTypeParser(oid, format)
}

/** From `{1,2}`. */
function toNumbers(text: string): number[] {
  return text === '{}' ? [] : text.slice(1, -1).split(',').map(Number)
}

/** From `2027-02-01 10:00:00.123456+00`; sliced, not parsed, as lists have many of them. */
function toIsoInstant(text: string): string {
  if (text.charCodeAt(4) !== dash || !text.endsWith('+00')) return new Date(text).toISOString()
  const fraction = text.slice(20, Math.min(23, text.length - 3))
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`
}

const dash = 45
