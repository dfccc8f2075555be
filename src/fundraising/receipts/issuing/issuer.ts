import { listUnprintable } from '#platform/images/fonts.ts'
import { listMissingForReceipts } from '../../organisation/organisation.ts'
import { formatPurposes } from '../../organisation/purposes.ts'
import type { OrganisationRow } from '../../organisation/queries.ts'
import { newOrganisationIncompleteProblem } from '../../problems/receipts.ts'
import type { Issuer } from '../content.ts'

/** The organisation as receipts name it; rejects missing required fields. */
export function buildIssuer(own: OrganisationRow, today: string): Issuer {
  const missing = listMissingForReceipts(own, today)
  const { address, exemption } = own
  if (missing.length > 0 || address === null || exemption === null) throw newOrganisationIncompleteProblem(missing)
  const { legalName, taxOffice, taxNumber, signatory, signatoryRole, taxOfficeInformedOn } = own
  const { genitive: purposes, accusative: promotes } = formatPurposes(own.purposeCodes, own.purposes)
  const signature = own.signatureHash?.toString('hex') ?? null
  const plain = { legalName, taxOffice, taxNumber, purposes, signatory, signatoryRole }
  const unfit = Object.entries({ ...plain, address: Object.values(address).join(' ') })
    .filter(([, text]) => listUnprintable(text).length > 0)
    .map(([field]) => field)
  if (unfit.length > 0) throw newOrganisationIncompleteProblem(unfit)
  const feesDeductible = own.membershipFeesDeductible
  return { ...plain, promotes, feesDeductible, address, exemption, taxOfficeInformedOn, signature }
}

/** Without a handwritten signature it needs an image of one and a notice to the tax office (R 10b.1 Abs. 4 EStR). */
export function isSignedByMachine({
  signature,
  taxOfficeInformedOn
}: Pick<Issuer, 'signature' | 'taxOfficeInformedOn'>): boolean {
  return signature !== null && taxOfficeInformedOn !== null
}

/** The law requires a handwritten signature for donations in kind and waived expenses, even after such a notice. */
export function removeSignature(issuer: Issuer): Issuer {
  return { ...issuer, signature: null, taxOfficeInformedOn: null }
}
