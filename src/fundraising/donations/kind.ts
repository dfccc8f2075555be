import { isDeepStrictEqual } from 'node:util'
import { type Caller, hasRole } from '#platform/caller.ts'
import type { DonationKind, InKind } from '../donation-kind.ts'
import {
  newInKindMissingProblem,
  newInKindNotExpectedProblem,
  newKindNeedsReceivedProblem,
  newKindNeedsTreasurerProblem
} from '../problems/donations.ts'
import type { DonationRow } from './donation-row.ts'
import type { DonationStatus } from './schema.ts'

interface RequestedKind {
  kind?: DonationKind | undefined
  inKind?: InKind | null | undefined
}

/** The kind of a new donation. Only treasurers can record anything but money. */
export function newKind(
  by: Caller,
  status: DonationStatus,
  requested: RequestedKind
): Pick<DonationRow, 'kind' | 'inKind'> {
  const kind = requested.kind ?? 'money'
  if (kind !== 'money' && !hasRole(by, 'treasurer')) throw newKindNeedsTreasurerProblem()
  return validateKind(kind, requested.inKind ?? null, status)
}

/** The kind after a change. Equal values keep the same object, so that they do not count as changed. */
export function mergeKind(
  before: Pick<DonationRow, 'kind' | 'inKind'>,
  status: DonationStatus,
  requested: RequestedKind
): Pick<DonationRow, 'kind' | 'inKind'> {
  if (requested.kind === undefined && requested.inKind === undefined)
    return { kind: before.kind, inKind: before.inKind }
  const kind = requested.kind ?? before.kind
  const left = kind === 'in_kind' ? before.inKind : null
  const after = validateKind(kind, requested.inKind === undefined ? left : requested.inKind, status)
  return isDeepStrictEqual(after.inKind, before.inKind) ? { kind, inKind: before.inKind } : after
}

function validateKind(kind: DonationKind, inKind: InKind | null, status: DonationStatus) {
  if (kind === 'in_kind' && inKind === null) throw newInKindMissingProblem()
  if (kind !== 'in_kind' && inKind !== null) throw newInKindNotExpectedProblem()
  // Donations in kind and waivers do not arrive by transfer: they are recorded once they are there.
  if ((kind === 'in_kind' || kind === 'waived_expenses') && status === 'IN_PROCESS')
    throw newKindNeedsReceivedProblem(kind)
  return { kind, inKind: inKind && normalizeInKind(inKind) }
}

/** All fields in a fixed order, so that equal values are equal as JSON too. */
function normalizeInKind({ description, condition, origin, basis, documents }: InKind): InKind {
  return { description, condition: condition || null, origin, basis: basis || null, documents: documents ?? false }
}
