/** Longest value that the log keeps; the versions of an item have the whole. */
const valueLengthMax = 100

type Value = string | number | boolean | null
/** Values before and after, by field. */
export type Changes = Record<string, [before: Value, after: Value]>

/**
 * The fields that a write changed, and the values of those that may be shown: public ones, never an account number, an
 * email address or a key.
 */
export function listChanges(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  shown: readonly string[]
): { changed: string[]; changes: Changes } {
  const changed = Object.keys(after).filter(field => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
  const changes: Changes = {}
  for (const field of changed) {
    if (shown.includes(field)) changes[field] = [toValue(before[field]), toValue(after[field])]
  }
  return { changed, changes }
}

function toValue(value: unknown): Value {
  if (value === null || value === undefined) return null
  if (typeof value === 'number' || typeof value === 'boolean') return value
  const text = Array.isArray(value) ? value.filter(one => one !== null).join(' / ') : String(value)
  // By characters, because half of an emoji cannot be stored.
  const characters = [...text]
  return characters.length <= valueLengthMax ? text : `${characters.slice(0, valueLengthMax - 1).join('')}…`
}
