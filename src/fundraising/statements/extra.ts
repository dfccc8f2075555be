import type { Database } from '#platform/database.ts'
import type { DonationRow } from '../donations/queries.ts'
import { getNetCents } from '../payments/payment.ts'
import * as payments from '../payments/queries.ts'
import { donorIsErased, noSuchDonationForEntry } from '../problems.ts'
import { extraInOtherCurrency, noExtra } from '../statement-problems.ts'
import type { EntryRow } from './entry-queries.ts'
import type { EntryDonor } from './new-donation.ts'
import type { MatchedDonation } from './queries.ts'

/** What of an entry is more than its donation waits for. The caller holds the lock of the donation. */
export async function getExtraCents(
  tx: Database,
  { amountCents, currency }: Pick<EntryRow, 'amountCents' | 'currency'>,
  donation: MatchedDonation | undefined
): Promise<number> {
  if (donation === undefined) throw noSuchDonationForEntry()
  if (donation.currency !== currency) throw extraInOtherCurrency()
  // The entry replaces what a treasurer recorded by hand until it came.
  const recorded = await payments.listOfDonations(tx, [donation])
  const manualCents = recorded
    .filter(({ source }) => source === 'manual')
    .reduce((sum, one) => sum + getNetCents(one), 0)
  const isComplete = ['TRANSFERRED', 'REFUNDED'].includes(donation.status) && manualCents === 0
  const missingCents = donation.amountCents - (donation.receivedCents - manualCents)
  const waitsCents = isComplete ? 0 : Math.max(0, missingCents)
  if (amountCents <= waitsCents) throw noExtra(waitsCents)
  return amountCents - waitsCents
}

/** The donor of one donation, for another one. */
export function copyDonor(donation: DonationRow | undefined): EntryDonor {
  if (donation === undefined) throw noSuchDonationForEntry()
  if (donation.erasedAt !== null) throw donorIsErased()
  const { donorName, receiptRequested, showName, email, language, street, postalCode, city, country } = donation
  const { sealedIban, accountPrint, ibanBefore, ibanValid, accountName, bankName } = donation
  return {
    ...{ donorName, receiptRequested, showName, email, language, street, postalCode, city, country },
    ...{ sealedIban, accountPrint, ibanBefore, ibanValid, accountName, bankName }
  }
}
