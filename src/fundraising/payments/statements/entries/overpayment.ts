import type { Database } from '#platform/database/database.ts'
import type { DonationRow } from '../../../donations/donation-row.ts'
import { getNetCents } from '../../../donations/payments/payment.ts'
import * as payments from '../../../donations/payments/queries.ts'
import { newDonorErasedProblem } from '../../../problems/donations.ts'
import {
  newEntryDonationNotFoundProblem,
  newExtraInOtherCurrencyProblem,
  newNoExtraProblem
} from '../../../problems/statements.ts'
import type { EntryRow } from '../entry-queries.ts'
import type { MatchedDonation } from '../queries.ts'
import type { EntryDonor } from './insert-entry-donation.ts'

/** The part of an entry that exceeds the awaited amount of its donation. The caller holds the lock of the donation. */
export async function getExtraCents(
  tx: Database,
  { amountCents, currency }: Pick<EntryRow, 'amountCents' | 'currency'>,
  donation: MatchedDonation | undefined
): Promise<number> {
  if (donation === undefined) throw newEntryDonationNotFoundProblem()
  if (donation.currency !== currency) throw newExtraInOtherCurrencyProblem()
  // The entry replaces manual payments, so these do not count as received.
  const recorded = await payments.listOfDonations(tx, [donation])
  const manualCents = recorded
    .filter(({ source }) => source === 'manual')
    .reduce((sum, one) => sum + getNetCents(one), 0)
  const isComplete = ['TRANSFERRED', 'REFUNDED'].includes(donation.status) && manualCents === 0
  const missingCents = donation.amountCents - (donation.receivedCents - manualCents)
  const waitsCents = isComplete ? 0 : Math.max(0, missingCents)
  if (amountCents <= waitsCents) throw newNoExtraProblem(waitsCents)
  return amountCents - waitsCents
}

/** Copies the donor of one donation for another one. */
export function copyDonor(donation: DonationRow | undefined): EntryDonor {
  if (donation === undefined) throw newEntryDonationNotFoundProblem()
  if (donation.erasedAt !== null) throw newDonorErasedProblem()
  const { donorName, receiptRequested, showName, email, language, street, postalCode, city, country } = donation
  const { encryptedIban, ibanFingerprint, plaintextIban, ibanValid, accountName, bankName } = donation
  return {
    ...{ donorName, receiptRequested, showName, email, language, street, postalCode, city, country },
    ...{
      encryptedIban: encryptedIban,
      ibanFingerprint: ibanFingerprint,
      plaintextIban: plaintextIban,
      ibanValid,
      accountName,
      bankName
    }
  }
}
