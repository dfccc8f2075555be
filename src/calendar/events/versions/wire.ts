import { formatCost } from '../../content/cost.ts'
import type { Site } from '../../contract/routing/site.ts'
import { listDifferences } from './compare.ts'
import type { ComparedVersion, Version } from './queries.ts'
import {
  type DifferenceJson,
  plainFields,
  type Snapshot,
  textFields,
  type VersionJson,
  type VersionSummaryJson
} from './schema.ts'

function toVersionJson({ version, savedAt, savedBy, isCurrent }: Version) {
  return { version, saved_at: savedAt, saved_by: savedBy, is_current: isCurrent }
}

/** A version in the list, with the changed fields in the order of the editor. */
export function toVersionSummaryJson(found: Version & { changed: string[] | null }): VersionSummaryJson {
  const order: readonly string[] = [...textFields, ...plainFields]
  const changed = found.changed?.toSorted((one, other) => order.indexOf(one) - order.indexOf(other)) ?? null
  return { ...toVersionJson(found), changed }
}

/** A version with its fields, and the fields that are different now. */
export function toFullVersionJson(found: ComparedVersion, { currency }: Pick<Site, 'currency'>): VersionJson {
  const toJson = (snapshot: Snapshot) => ({ ...snapshot, cost: formatCost(snapshot.cost, currency) })
  const differences = listDifferences(found.snapshot, found.current).map(difference =>
    difference.field === 'cost'
      ? { ...difference, before: toJson(found.snapshot).cost, now: toJson(found.current).cost }
      : difference
  )
  return {
    ...toVersionJson(found),
    current_version: found.currentVersion,
    snapshot: toJson(found.snapshot) as VersionJson['snapshot'],
    differences: differences as DifferenceJson[]
  }
}
