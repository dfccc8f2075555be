import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database.ts'
import { dayOf } from '../days.ts'
import type { DonationKind } from '../donation-kind.ts'
import { missingForReceipts } from '../organisation/organisation.ts'
import * as organisation from '../organisation/queries.ts'
import { noSimplifiedProof } from '../receipt-problems.ts'
import { findSampleDonations } from '../sample-marks.ts'
import { issuerOf } from './issuer.ts'
import { leafletPdf } from './pdf/leaflet.ts'
import * as receipts from './queries.ts'
import { legalCurrency, simplifiedProofMaxCents } from './schema.ts'

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

/** Whether a bank statement and our leaflet prove the donation: it is small, has come, and nothing else certifies it. */
export async function canHaveSimplifiedProof(
  db: Database,
  settings: Pick<Settings, 'timezone'>,
  donation: OwnDonation,
  now = new Date()
): Promise<boolean> {
  const { status, receivedCents, currency, kind } = donation
  // The bank statement that the leaflet goes with is of money, and the leaflet says that it is no fee.
  if (kind !== 'money') return false
  if (status !== 'TRANSFERRED' || receivedCents > simplifiedProofMaxCents || currency !== legalCurrency) return false
  const [own, live, samples] = await Promise.all([
    organisation.find(db),
    receipts.findLiveOf(db, donation),
    findSampleDonations(db, [donation])
  ])
  return (
    live === undefined &&
    samples.size === 0 &&
    missingForReceipts(own, dayOf(now, settings.timezone)).every(field => field === 'signatory')
  )
}

/** The leaflet; nobody signs it, and it binds nobody. */
export async function simplifiedProof(
  db: Database,
  settings: Pick<Settings, 'timezone'>,
  donation: OwnDonation,
  now = new Date()
): Promise<Buffer> {
  if (!(await canHaveSimplifiedProof(db, settings, donation, now))) throw noSimplifiedProof()
  const own = await organisation.find(db)
  const { receivedCents, receivedOn, reference } = donation
  if (receivedOn === null) throw noSimplifiedProof()
  const issuer = issuerOf({ ...own, signatory: own.signatory || own.legalName }, dayOf(now, settings.timezone))
  return await leafletPdf(issuer, { amountCents: receivedCents, reference, receivedOn })
}
