import type { ListedDonationRow } from '../donations/all-donations/queries.ts'
import { toWire as toDonationJson } from '../donations/all-donations/wire.ts'
import type { Note } from '../donations/notes/schema.ts'
import type { PaymentRow } from '../donations/payments/queries.ts'
import { toPaymentJson } from '../donations/payments/wire.ts'
import type { EncryptionKeys } from '../encryption/iban-encryption.ts'
import { toAmount } from '../money/money.ts'
import type { NewsConsentOfDonation } from '../news/queries.ts'
import type { MandateRow } from '../payments/direct-debit/mandates/queries.ts'
import { toWire as toMandateJson } from '../payments/direct-debit/mandates/wire.ts'
import type { ReceiptRow } from '../receipts/queries.ts'
import type { LetterRow } from './letter/queries.ts'
import { toLetterJson } from './letter/wire.ts'
import type { DonorRow, DonorYear } from './listing/queries.ts'
import type { ListedDonor } from './listing/schema.ts'
import { toListedDonor } from './listing/wire.ts'
import type { DuplicateReason, MergeRow } from './merging/queries.ts'
import { toMergeJson } from './merging/wire.ts'
import type { DonorRecord } from './schema.ts'

export interface DonorDetails {
  donor: DonorRow
  years: DonorYear[]
  donations: ListedDonationRow[]
  payments: PaymentRow[]
  receipts: ReceiptRow[]
  mandates: MandateRow[]
  news: NewsConsentOfDonation[]
  letters: LetterRow[]
  notes: Note[]
  merges: MergeRow[]
  duplicates: { donor: ListedDonor; reasons: DuplicateReason[] }[]
}

export function toWire(details: DonorDetails, settings: EncryptionKeys): DonorRecord {
  const { donor, years, donations, payments, receipts, mandates, news, letters, notes, merges, duplicates } = details
  const currencyOf = new Map(donations.map(({ id, currency }) => [id, currency]))
  return {
    ...toListedDonor(donor, years),
    names: [...new Set(donations.flatMap(({ donorName }) => donorName ?? []))],
    emails: [...new Set(donations.flatMap(({ email }) => email?.toLowerCase() ?? []))],
    years: years.map(({ year, currency, receivedCents, paymentCount }) => ({
      year,
      currency,
      received: toAmount(receivedCents),
      payments: paymentCount
    })),
    donations: donations.map(row => toDonationJson(row, settings)),
    payments: payments.map(row => ({
      ...toPaymentJson(row),
      campaignId: row.campaignId,
      donationId: row.donationId,
      currency: currencyOf.get(row.donationId) ?? ''
    })),
    receipts: receipts.map(({ id, number, kind, state, issuedOn, amountCents, currency }) => ({
      id,
      number,
      kind,
      state,
      issuedOn,
      amount: toAmount(amountCents),
      currency
    })),
    mandates: mandates.map(toMandateJson),
    letters: letters.map(toLetterJson),
    notes,
    consents: donations.flatMap(({ id, consentText: text, consentVersion: version, consentAt: at }) =>
      text === null || at === null ? [] : [{ donationId: id, text, version, at }]
    ),
    news,
    merges: merges.map(toMergeJson),
    duplicates
  }
}
