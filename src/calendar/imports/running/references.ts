import type { Text } from '#platform/language.ts'
import type { Incoming, Kind } from '../source.ts'
import { reasons } from './reasons.ts'

/** Something that another names. */
export interface Reference {
  kind: Kind
  sourceId: string
}

const referring: Record<string, { kind: Kind; isList: boolean }> = {
  venue: { kind: 'venue', isList: true },
  organizer: { kind: 'organizer', isList: true },
  categories: { kind: 'category', isList: true },
  tags: { kind: 'tag', isList: true },
  parent: { kind: 'category', isList: false },
  post_parent: { kind: 'event', isList: false }
}

export function referencesIn({ fields }: Pick<Incoming, 'fields'>): Reference[] {
  return Object.entries(referring).flatMap(([field, { kind }]) =>
    [fields[field] ?? []].flat().map(sourceId => ({ kind, sourceId: String(sourceId) }))
  )
}

/** The same with ids of ours where it names others. What is only going to be made, as in a try run, has none yet. */
export function withIds(
  { fields }: Pick<Incoming, 'fields'>,
  idOf: (key: Reference) => number | undefined,
  isComing: (key: Reference) => boolean
): { given: Record<string, unknown>; missing: Text[] } {
  const given = { ...fields }
  const missing: Text[] = []
  for (const [field, { isList }] of Object.entries(referring)) {
    if (fields[field] === undefined) continue
    const named = referencesIn({ fields: { [field]: fields[field] } })
    const ids = named.flatMap(one => idOf(one) ?? [])
    given[field] = isList ? ids : (ids[0] ?? null)
    const lost = named.filter(one => idOf(one) === undefined && !isComing(one))
    missing.push(...lost.map(({ kind, sourceId }) => reasons.missing(kind, sourceId)))
  }
  return { given, missing }
}
