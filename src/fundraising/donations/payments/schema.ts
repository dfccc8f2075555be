import { type Static, Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'
import { Nullable } from '#platform/http/nullable.ts'
import { buildAmountInputSchema, buildAmountSchema } from '../../money/money.ts'

/**
 * The source of a payment: a bank statement entry, cash, a collected direct debit, a treasurer's statement without an
 * entry (replaced once the entry is assigned), or a treasurer's correction.
 */
export const paymentSources = ['bank_entry', 'cash', 'direct_debit', 'manual', 'correction'] as const
export type PaymentSource = (typeof paymentSources)[number]

/** Sources that a treasurer can enter. */
export const manualSources = ['cash', 'manual'] as const

/** The day of a payment or a return; never in the future. */
export const ReceivedOn = Type.String({
  line: true,
  day: true,
  maxLength: 40,
  description: 'Date of the payment, not in the future; default: today in the time zone of the site.',
  examples: ['2026-01-05']
})

export const Source = Type.Enum([...manualSources], {
  description: 'cash, or manual (default) for any other payment confirmed by a treasurer.',
  examples: ['cash']
})

export const Payment = NamedObject('Payment', {
  id: Type.String({ format: 'uuid' }),
  amount: buildAmountSchema('Amount; negative for returns and refunds.'),
  receivedOn: Type.String({ format: 'date' }),
  source: Type.Enum([...paymentSources]),
  statementId: Nullable(Type.Integer(), { description: 'Bank statement, for payments by bank transfer.' }),
  entryId: Nullable(Type.String({ format: 'uuid' }), { description: 'Transaction of the bank statement.' }),
  collectionId: Nullable(Type.Integer(), { description: 'Direct debit batch, for direct debits.' }),
  reverses: Nullable(Type.String({ format: 'uuid' }), {
    description: 'Payment that was returned, for negative amounts.'
  }),
  amountReturned: buildAmountSchema('Part of the amount that was returned.'),
  receiptId: Nullable(Type.String({ format: 'uuid' }), { description: 'Receipt that certifies the payment.' }),
  isAssumed: Type.Boolean({
    description: 'Whether amount or date were taken from the donation, because the payment predates payment records.'
  }),
  recordedAt: Type.String({ format: 'date-time' }),
  recordedBy: Type.String()
})
export type Payment = Static<typeof Payment>

export const NewPayment = NamedObject('NewPayment', {
  amount: buildAmountInputSchema('Amount received; negative for refunds and returns.', -99_999_999_999),
  receivedOn: Type.Optional(ReceivedOn),
  source: Type.Optional(Source),
  accept: Type.Optional(
    Type.Boolean({ description: 'Whether to accept the amount as complete even if it is less than pledged.' })
  )
})
export type NewPayment = Static<typeof NewPayment>
