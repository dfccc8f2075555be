import type { Database } from '#platform/database.ts'
import { TryAgain } from '#platform/database-server.ts'
import { uuidv7 } from '#platform/ids.ts'
import type { DonationRow } from '../donations/queries.ts'
import * as donations from '../donations/queries.ts'
import { getShare, recordDonation } from '../donations/status-change.ts'
import { setEntryOfHistory } from '../donations/status-queries.ts'
import { newDonorToken, toTokenColumns } from '../donor-token.ts'
import { confirm } from '../letters/posting.ts'
import { changePayments } from '../payments/payment.ts'
import * as payments from '../payments/queries.ts'
import { newReference } from '../reference.ts'
import type { Deciding } from './entry.ts'
import type { EntryRow } from './entry-queries.ts'

/** Who gave, as it is known from the bank or from an earlier donation. */
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
  | 'sealedIban'
  | 'accountPrint'
  | 'ibanBefore'
  | 'ibanValid'
  | 'accountName'
  | 'bankName'
>

/**
 * Inserts a donation that nobody promised before its money came: TRANSFERRED from the beginning, with the entry as its payment. Without
 * the entry there would be no donation, so it is CANCELLED when the entry is taken back. The caller holds the lock of the entry and
 * books the entry itself.
 */
export async function insertEntryDonation(
  tx: Database,
  { by, settings, now, today }: Deciding,
  entry: Pick<EntryRow, 'statementId' | 'id' | 'bookedOn' | 'valueOn'>,
  donor: EntryDonor,
  { campaignId, amountCents }: { campaignId: number; amountCents: number }
): Promise<DonationRow> {
  const receivedOn = entry.bookedOn ?? entry.valueOn ?? today
  const from = { statementId: entry.statementId, id: entry.id }
  const donation: DonationRow = {
    ...donor,
    campaignId,
    id: uuidv7(now.getTime()),
    version: 1,
    amountCents,
    receivedCents: amountCents,
    receivedOn,
    message: null,
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
  const isNew = await donations.insert(
    tx,
    { ...donation, ...toTokenColumns(settings, newDonorToken()) },
    getShare(donation),
    by.name
  )
  if (!isNew) throw new TryAgain('The reference was taken.')
  await Promise.all([
    setEntryOfHistory(tx, donation, from),
    payments.insert(tx, inserted),
    recordDonation(tx, by, now, 'donation.created', donation, { statementId: from.statementId, entryId: from.id }),
    confirm(tx, settings, donation, now)
  ])
  return donation
}
