import type { Database } from '#platform/database/database.ts'
import { newUuidV7 } from '#platform/ids.ts'
import { queueDonationEmail } from '../../../donations/donation-emails.ts'
import { type DonationRow, toDonorTextColumns } from '../../../donations/donation-row.ts'
import * as donations from '../../../donations/insert-queries.ts'
import { changePayments } from '../../../donations/payments/payment.ts'
import * as payments from '../../../donations/payments/queries.ts'
import { getTotalsContribution, recordDonation } from '../../../donations/status-change.ts'
import { setHistoryEntry } from '../../../donations/status-queries.ts'
import { newDonorToken, toTokenColumns } from '../../../encryption/donor-token.ts'
import { newReference } from '../../../money/reference.ts'
import type { EntryRow } from '../entry-queries.ts'
import type { DecisionContext } from './entry.ts'

/** The donor, known from the bank or from an earlier donation. */
export type EntryDonor = Pick<
  DonationRow,
  | 'donorName'
  | 'receiptRequested'
  | 'showName'
  | 'email'
  | 'language'
  | 'street'
  | 'postalCode'
  | 'city'
  | 'country'
  | 'encryptedIban'
  | 'ibanFingerprint'
  | 'plaintextIban'
  | 'ibanValid'
  | 'accountName'
  | 'bankName'
>

/**
 * Inserts a donation that was not promised before its money arrived: TRANSFERRED from the start, with the entry as its
 * payment. It exists only because of the entry, so undoing the entry makes it CANCELLED. The caller holds the lock of
 * the entry and books the entry itself.
 */
export async function insertEntryDonation(
  tx: Database,
  { by, settings, now, today }: DecisionContext,
  entry: Pick<EntryRow, 'statementId' | 'id' | 'bookedOn' | 'valueOn'>,
  { donor, campaignId, amountCents }: { donor: EntryDonor; campaignId: number; amountCents: number }
): Promise<DonationRow> {
  const receivedOn = entry.bookedOn ?? entry.valueOn ?? today
  const from = { statementId: entry.statementId, id: entry.id }
  const donation: DonationRow = {
    ...donor,
    campaignId,
    id: newUuidV7(now.getTime()),
    version: 1,
    amountCents,
    receivedCents: amountCents,
    receivedOn,
    ...toDonorTextColumns(),
    status: 'TRANSFERRED',
    reference: newReference(campaignId),
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
    consentText: null,
    consentVersion: null,
    consentAt: null,
    erasedAt: null,
    review: null,
    messageReview: 'shown',
    paymentMethod: 'transfer',
    kind: 'money',
    inKind: null
  }
  const { inserted } = changePayments({
    donation,
    payments: [],
    record: [{ amountCents, receivedOn, source: 'bank_entry', entry: from }],
    takeBack: [],
    context: { actor: by.name, now, donationVersion: donation.version, statusBefore: 'CANCELLED' }
  })
  const share = getTotalsContribution(donation)
  const row = { ...donation, ...toTokenColumns(settings, newDonorToken()) }
  await donations.insert(tx, { donation: row, share, actor: by.name })
  await Promise.all([
    setHistoryEntry(tx, donation, from),
    payments.insert(tx, inserted),
    recordDonation(tx, { by, now }, donation, {
      action: 'donation.created',
      details: { statementId: from.statementId, entryId: from.id }
    }),
    queueDonationEmail(tx, settings, donation, now)
  ])
  return donation
}
