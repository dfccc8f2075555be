import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import { toLocalDay } from '../../dates.ts'
import type { DonationKind } from '../../donation-kind.ts'
import { listMissingForReceipts } from '../../organisation/organisation.ts'
import * as organisation from '../../organisation/queries.ts'
import { newNoSimplifiedProofProblem } from '../../problems/receipts.ts'
import { findSampleDonations } from '../../sample-donations.ts'
import { buildLeafletPdf } from '../pdf/leaflet.ts'
import * as receipts from '../queries.ts'
import { legalCurrency, simplifiedProofMaxCents } from '../schema.ts'
import { buildIssuer } from './issuer.ts'

interface OwnDonation {
  campaignId: number
  id: string
  receivedCents: number
  receivedOn: string | null
  currency: string
  status: string
  kind: DonationKind
  reference: string
}

/** Whether a bank statement and our leaflet are sufficient proof: a small, received donation without a receipt. */
export async function canHaveSimplifiedProof(
  db: Database,
  settings: Pick<Settings, 'timezone'>,
  donation: OwnDonation,
  now = new Date()
): Promise<boolean> {
  const { status, receivedCents, currency, kind } = donation
  // The leaflet goes with a bank statement, so it is for money only, and it states that this is no membership fee.
  if (kind !== 'money') return false
  if (status !== 'TRANSFERRED' || receivedCents > simplifiedProofMaxCents || currency !== legalCurrency) return false
  const [own, live, samples] = await Promise.all([
    organisation.find(db),
    receipts.findLiveReceipt(db, donation),
    findSampleDonations(db, [donation])
  ])
  return (
    live === undefined &&
    samples.size === 0 &&
    listMissingForReceipts(own, toLocalDay(now, settings.timezone)).every(field => field === 'signatory')
  )
}

/** The leaflet; it is unsigned and not binding. */
export async function buildSimplifiedProof(
  db: Database,
  settings: Pick<Settings, 'timezone'>,
  donation: OwnDonation,
  now = new Date()
): Promise<Buffer> {
  if (!(await canHaveSimplifiedProof(db, settings, donation, now))) throw newNoSimplifiedProofProblem()
  const own = await organisation.find(db)
  const { receivedCents, receivedOn, reference } = donation
  if (receivedOn === null) throw newNoSimplifiedProofProblem()
  const issuer = buildIssuer({ ...own, signatory: own.signatory || own.legalName }, toLocalDay(now, settings.timezone))
  return await buildLeafletPdf(issuer, { amountCents: receivedCents, reference, receivedOn })
}
