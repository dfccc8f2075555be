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
export type ManualSource = (typeof manualSources)[number]

/** The day of a payment or a return; never in the future. */
export const ReceivedOn = Type.String({
  line: true,
  day: true,
  maxLength: 40,
  description: 'The day on which the money came; today in the time zone of the site without it. Not in the future.',
  examples: ['2026-01-05']
})

export const Source = Type.Enum([...manualSources], {
  description: 'cash, or manual for money that a treasurer has seen otherwise; manual without it.',
  examples: ['cash']
})

export const Payment = NamedObject('Payment', {
  id: Type.String({ format: 'uuid' }),
  amount: buildAmountSchema('What arrived; negative for what went back.'),
  receivedOn: Type.String({ format: 'date' }),
  source: Type.Enum([...paymentSources]),
  statementId: Nullable(Type.Integer(), { description: 'The bank statement, for a bank entry.' }),
  entryId: Nullable(Type.String({ format: 'uuid' }), { description: 'The entry of the bank statement.' }),
  collectionId: Nullable(Type.Integer(), { description: 'The collection, for a direct debit.' }),
  reverses: Nullable(Type.String({ format: 'uuid' }), {
    description: 'The payment that went back, for a negative one.'
  }),
  amountReturned: buildAmountSchema('What of it went back.'),
  receiptId: Nullable(Type.String({ format: 'uuid' }), { description: 'The receipt that certifies it.' }),
  isAssumed: Type.Boolean({
    description: 'Amount or day were not known when payments were introduced, and are what the donation says.'
  }),
  recordedAt: Type.String({ format: 'date-time' }),
  recordedBy: Type.String()
})
export type Payment = Static<typeof Payment>

export const NewPayment = NamedObject('NewPayment', {
  amount: buildAmountInputSchema('What arrived; negative for what went back to the donor.', -99_999_999_999),
  receivedOn: Type.Optional(ReceivedOn),
  source: Type.Optional(Source),
  accept: Type.Optional(
    Type.Boolean({ description: 'The donation is complete with it, also if less came than was promised.' })
  )
})
export type NewPayment = Static<typeof NewPayment>
