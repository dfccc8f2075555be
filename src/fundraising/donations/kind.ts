import { isDeepStrictEqual } from 'node:util'
import { type Caller, hasRole } from '#platform/caller.ts'
import type { DonationKind, InKind } from '../donation-kind.ts'
import {
  newInKindMissingProblem,
  newInKindNotExpectedProblem,
  newKindNeedsReceivedProblem,
  newKindNeedsTreasurerProblem
} from '../problems/common.ts'
import type { DonationRow } from './queries.ts'
import type { DonationStatus } from './schema.ts'

interface RequestedKind {
  kind?: DonationKind | undefined
  inKind?: InKind | null | undefined
}

/** What was given, as it was said with a new donation. Only treasurers take in more than promises of money. */
export function newKind(
  by: Caller,
  status: DonationStatus,
  asked: RequestedKind
): Pick<DonationRow, 'kind' | 'inKind'> {
  const kind = asked.kind ?? 'money'
  if (kind !== 'money' && !hasRole(by, 'treasurer')) throw newKindNeedsTreasurerProblem()
  return validateKind(kind, asked.inKind ?? null, status)
}

/** The same after a change. What stays equal is the same object, so that nothing is taken for changed. */
export function mergeKind(
  before: Pick<DonationRow, 'kind' | 'inKind'>,
  status: DonationStatus,
  asked: RequestedKind
): Pick<DonationRow, 'kind' | 'inKind'> {
  if (asked.kind === undefined && asked.inKind === undefined) return { kind: before.kind, inKind: before.inKind }
  const kind = asked.kind ?? before.kind
  const left = kind === 'in_kind' ? before.inKind : null
  const after = validateKind(kind, asked.inKind === undefined ? left : asked.inKind, status)
  return isDeepStrictEqual(after.inKind, before.inKind) ? { kind, inKind: before.inKind } : after
}

function validateKind(kind: DonationKind, inKind: InKind | null, status: DonationStatus) {
  if (kind === 'in_kind' && inKind === null) throw newInKindMissingProblem()
  if (kind !== 'in_kind' && inKind !== null) throw newInKindNotExpectedProblem()
  // A thing and a waiver do not come by transfer: they are recorded when they are there.
  if ((kind === 'in_kind' || kind === 'waived_expenses') && status === 'IN_PROCESS')
    throw newKindNeedsReceivedProblem(kind)
  return { kind, inKind: inKind && normalizeInKind(inKind) }
}

/** Every field, in one order: what is equal is equal as JSON too. */
function normalizeInKind({ description, condition, origin, basis, documents }: InKind): InKind {
  return { description, condition: condition || null, origin, basis: basis || null, documents: documents ?? false }
}
