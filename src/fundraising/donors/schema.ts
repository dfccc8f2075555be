import { type Static, Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'
import { Nullable } from '#platform/http/nullable.ts'
import { ListedDonation } from '../donations/all-donations/schema.ts'
import { Note } from '../donations/notes/schema.ts'
import { Payment } from '../donations/payments/schema.ts'
import { buildAmountSchema } from '../money/money.ts'
import { NewsConsent } from '../news/schema.ts'
import { Mandate } from '../payments/direct-debit/mandates/schema.ts'
import { receiptStates } from '../receipts/schema.ts'
import { Letter } from './letter/schema.ts'
import { ListedDonor } from './listing/schema.ts'
import { duplicateReasons, Merge } from './merging/schema.ts'

const Instant = Type.String({ format: 'date-time' })
const Day = Type.String({ format: 'date' })
const Uuid = Type.String({ format: 'uuid' })

/** All that is known of a donor. */
export const DonorRecord = NamedObject('DonorRecord', {
  ...ListedDonor.properties,
  names: Type.Array(Type.String(), { description: 'All names used, newest first.' }),
  emails: Type.Array(Type.String(), { description: 'All email addresses used, newest first.' }),
  years: Type.Array(
    Type.Object({
      year: Type.Integer(),
      currency: Type.String(),
      received: buildAmountSchema('Amount received in the year.'),
      payments: Type.Integer({ description: 'Number of payments.' })
    }),
    { description: 'Money received by year, newest first.' }
  ),
  donations: Type.Array(ListedDonation, { description: 'Donations, newest first, at most 500.' }),
  payments: Type.Array(
    Type.Object({ ...Payment.properties, campaignId: Type.Integer(), donationId: Uuid, currency: Type.String() }),
    { description: 'Payments and refunds of these donations, newest first.' }
  ),
  receipts: Type.Array(
    Type.Object({
      id: Uuid,
      number: Type.String(),
      kind: Type.Enum(['single', 'collective']),
      state: Type.Enum([...receiptStates]),
      issuedOn: Day,
      amount: buildAmountSchema('Amount that the receipt certifies.'),
      currency: Type.String()
    }),
    { description: 'Receipts for these donations, newest first, including withdrawn ones.' }
  ),
  mandates: Type.Array(Mandate, { description: 'Direct debit mandates.' }),
  letters: Type.Array(Letter, { description: 'Annual letters, newest first.' }),
  notes: Type.Array(Note, { description: 'Notes about the donor, oldest first.' }),
  consents: Type.Array(
    Type.Object({ donationId: Uuid, text: Type.String(), version: Nullable(Type.String()), at: Instant }),
    { description: 'What the donor agreed to publish, word for word, newest first.' }
  ),
  news: Type.Array(Type.Object({ ...NewsConsent.properties, campaignId: Type.Integer(), donationId: Uuid }), {
    description: 'Consents to news about campaigns by email, newest first, including ended ones.'
  }),
  merges: Type.Array(Merge, { description: 'Merges with other donors, newest first, including undone ones.' }),
  duplicates: Type.Array(Type.Object({ donor: ListedDonor, reasons: Type.Array(Type.Enum([...duplicateReasons])) }), {
    description: 'Other donors who may be the same person, with the reasons.'
  })
})
export type DonorRecord = Static<typeof DonorRecord>
