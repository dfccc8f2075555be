import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type * as Sharp from 'sharp'
import { record } from '#platform/activity/activity.ts'
import { type Actor, type Caller, hasRole } from '#platform/caller.ts'
import type { Database } from '#platform/database/database.ts'
import { type IfMatch, requireVersion } from '#platform/http/etag.ts'
import { requireLazily } from '#platform/lazy-require.ts'
import { buildText } from '#platform/messages/messages.ts'
import { newFieldProblem, Problem } from '#platform/problem.ts'
import { newAddress } from '../money/address.ts'
import { toAmount } from '../money/money.ts'
import { formatPurposes, purposeCodes } from './purposes.ts'
import type { OrganisationRow } from './queries.ts'
import * as organisation from './queries.ts'
import {
  type Organisation,
  type OrganisationChange,
  type ReceiptField,
  receiptFields,
  treasurerFields
} from './schema.ts'

/** A tax exemption notice allows receipts for this many years after its date (§ 63 Abs. 5 AO). */
const yearsOfExemption = { notice: 5, provisional: 3 } as const

/** Refuses a change of a field that is for admins. */
export function requireTreasurerFields(caller: Caller, change: OrganisationChange): void {
  if (hasRole(caller)) return
  const other = Object.keys(change).find(field => !treasurerFields.some(one => one === field))
  if (other !== undefined) throw newFieldForAdminsProblem(other)
}

const newFieldForAdminsProblem = (field: string) =>
  new Problem(403, 'field-for-admins', buildText('fundraising-problems', 'fieldForAdmins', { field }))

export async function changeOrganisation(
  db: Database,
  { by, expected, now = new Date() }: Actor & { expected: IfMatch },
  change: OrganisationChange
): Promise<OrganisationRow> {
  const picture = change.signature == null ? undefined : await cleanPicture(change.signature)
  return await db.transaction(async tx => {
    const before = await organisation.lock(tx)
    requireVersion(expected, before.version)
    const after = mergeChange(before, change)
    if (picture !== undefined) after.signatureHash = createHash('sha256').update(picture).digest()
    const fields = (Object.keys(after) as (keyof OrganisationRow)[]).filter(
      field => !isDeepStrictEqual(before[field], after[field])
    )
    if (fields.length === 0) return before
    if (picture !== undefined && after.signatureHash !== null) {
      await organisation.insertSignature(tx, after.signatureHash, picture)
    }
    // Only the names of fields, because some values are about the person who signs.
    const details = { fields: fields.map(field => wireNames[field] ?? field).sort() }
    await record(tx, { by, now }, 'organisation.updated', { subject: 'organisation', id: 1, details })
    return await organisation.update(tx, after, now)
  })
}

const wireNames: Partial<Record<keyof OrganisationRow, string>> = {
  signatureHash: 'signature',
  reviewAboveCents: 'reviewAbove'
}

const sharp = requireLazily<typeof Sharp.default>('sharp')

/** A few centimetres in print. */
const pictureSize = { width: 800, height: 240 }

/** Re-encodes the image in black and white at print size, so that nothing else of the upload reaches a receipt. */
async function cleanPicture(base64: string): Promise<Buffer> {
  try {
    return await sharp()(Buffer.from(base64, 'base64'), { limitInputPixels: 20_000_000 })
      .flatten({ background: '#ffffff' })
      .greyscale()
      .resize({ ...pictureSize, fit: 'inside', withoutEnlargement: true })
      .png({ compressionLevel: 9 })
      .toBuffer()
  } catch (error) {
    throw newUnreadableSignatureProblem(error)
  }
}

const newUnreadableSignatureProblem = (cause: unknown) =>
  Object.assign(
    newFieldProblem(400, '/signature', 'signature', buildText('fundraising-problems', 'unreadableSignature')),
    { cause }
  )

/** The fields that are missing for issuing a receipt on a given day. */
export function listMissingForReceipts(row: OrganisationRow, today: string): ReceiptField[] {
  return receiptFields.filter(field => {
    if (field === 'exemption') return !isExempt(row, today)
    if (field === 'purposes' && row.purposeCodes.length > 0) return false
    return row[field] === '' || row[field] === null
  })
}

function isExempt({ exemption }: OrganisationRow, today: string): boolean {
  if (exemption === null) return false
  if (exemption.kind === 'notice' && exemption.period === null) return false
  const lastYear = Number(exemption.date.slice(0, 4)) + yearsOfExemption[exemption.kind]
  return exemption.date <= today && today <= `${lastYear}${exemption.date.slice(4)}`
}

export function toOrganisationJson(row: OrganisationRow, today: string): Organisation {
  const { reviewAboveCents, signatureHash, ...open } = row
  return {
    ...open,
    hasSignature: signatureHash !== null,
    purposeForms: formatPurposes(row.purposeCodes, row.purposes),
    reviewAbove: reviewAboveCents === null ? null : toAmount(reviewAboveCents),
    missingForReceipts: listMissingForReceipts(row, today)
  }
}

function mergeChange(before: OrganisationRow, change: OrganisationChange): OrganisationRow {
  const { address, exemption, reviewAbove, signature, purposeCodes: chosen, ...plain } = change
  return {
    ...before,
    ...pickEditable(plain, before),
    address: address === undefined ? before.address : address && newAddress(address),
    exemption:
      exemption === undefined ? before.exemption : exemption && { ...exemption, period: exemption.period || null },
    // Sorted in the order of the law without duplicates, so that the same choice is no change.
    purposeCodes: chosen === undefined ? before.purposeCodes : purposeCodes.filter(code => chosen.includes(code)),
    reviewAboveCents: reviewAbove === undefined ? before.reviewAboveCents : reviewAbove,
    signatureHash: signature === null ? null : before.signatureHash
  }
}

/** Keeps editable fields; ignores read-only fields that clients send back. */
function pickEditable(change: Partial<OrganisationRow>, before: OrganisationRow): Partial<OrganisationRow> {
  const readOnly = ['version', 'updatedAt', 'signatureHash', 'reviewAboveCents']
  return Object.fromEntries(
    Object.entries(change).filter(([name, value]) => name in before && !readOnly.includes(name) && value !== undefined)
  )
}
