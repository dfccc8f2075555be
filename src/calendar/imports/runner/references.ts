import type { Reason } from '../sources/reason.ts'
import type { Incoming, ItemKind } from '../sources/source.ts'
import { reasons } from './reasons.ts'

/** A reference to another item of the source. */
export interface Reference {
  kind: ItemKind
  sourceId: string
}

const referenceFields: Record<string, { kind: ItemKind; isList: boolean }> = {
  venue: { kind: 'venue', isList: true },
  organizer: { kind: 'organizer', isList: true },
  categories: { kind: 'category', isList: true },
  tags: { kind: 'tag', isList: true },
  parent: { kind: 'category', isList: false },
  post_parent: { kind: 'event', isList: false }
}

/** The references of an item, and of the events in which a series differs. */
export function listReferences({ fields, series }: Pick<Incoming, 'fields' | 'series'>): Reference[] {
  return [fields, ...(series?.changes ?? []).map(change => change.fields)].flatMap(listFieldReferences)
}

function listFieldReferences(fields: Incoming['fields']): Reference[] {
  return Object.entries(referenceFields).flatMap(([field, { kind }]) =>
    [fields[field] ?? []].flat().map(sourceId => ({ kind, sourceId: String(sourceId) }))
  )
}

/** The fields with our ids in place of references. Items that do not exist yet, as in a dry run, have no id. */
export function resolveReferences(
  { fields }: Pick<Incoming, 'fields'>,
  idOf: (key: Reference) => number | undefined,
  isComing: (key: Reference) => boolean
): { given: Record<string, unknown>; missing: Reason[] } {
  const given = { ...fields }
  const missing: Reason[] = []
  for (const [field, { isList }] of Object.entries(referenceFields)) {
    if (fields[field] === undefined) continue
    const named = listFieldReferences({ [field]: fields[field] })
    const ids = named.flatMap(one => idOf(one) ?? [])
    given[field] = isList ? ids : (ids[0] ?? null)
    const lost = named.filter(one => idOf(one) === undefined && !isComing(one))
    missing.push(...lost.map(({ kind, sourceId }) => reasons.missing(kind, sourceId)))
  }
  return { given, missing }
}
