import { type Static, Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'
import { Nullable } from '#platform/http/nullable.ts'
import { type Language, legalLanguages } from '#platform/language.ts'
import { donationKinds } from '../../donation-kind.ts'
import { Address } from '../../money/address.ts'
import { buildAmountSchema } from '../../money/money.ts'
import { receiptKinds } from '../schema.ts'

export const runStatuses = ['waiting', 'running', 'done', 'failed'] as const
export type RunStatus = (typeof runStatuses)[number]

/** Why a donor gets no receipt from a run. */
export const skipReasons = [
  'no-address',
  'not-euro',
  'not-printable',
  'too-many-donations',
  'period-taken',
  'fee-not-deductible',
  'sample'
] as const
export type SkipReason = (typeof skipReasons)[number]

/** Why a payment of the year is on no receipt of the run, also if none was requested. */
export const leftOutReasons = [...skipReasons, 'has-receipt', 'not-requested', 'small-amount', 'no-name'] as const
export type LeftOutReason = (typeof leftOutReasons)[number]

export function isSkipReason(reason: LeftOutReason): reason is SkipReason {
  return skipReasons.some(one => one === reason)
}

const Instant = Type.String({ format: 'date-time' })

export const ReceiptRun = NamedObject('ReceiptRun', {
  id: Type.String({ format: 'uuid' }),
  year: Type.Integer({ description: 'Year of the payments.' }),
  language: Nullable(Type.String({ description: 'Language of all receipts; null: each donor’s own.' })),
  send: Type.Boolean(),
  status: Type.Enum([...runStatuses]),
  progress: Type.Object({
    done: Type.Integer({ description: 'Number of donors processed.' }),
    total: Type.Integer()
  }),
  issued: Type.Integer(),
  skipped: Type.Array(Type.Object({ reason: Type.Enum([...skipReasons]), count: Type.Integer() })),
  problems: Type.Array(Type.Object({ code: Type.String(), message: Type.String() })),
  startedAt: Instant,
  startedBy: Type.String(),
  endedAt: Nullable(Instant)
})
export type ReceiptRun = Static<typeof ReceiptRun>

const Day = Type.String({ format: 'date' })

const PreviewLine = Type.Object({
  campaignId: Type.Integer(),
  id: Type.String({ format: 'uuid' }),
  reference: Type.String(),
  receivedOn: Nullable(Day),
  kind: Type.Enum([...donationKinds]),
  amount: buildAmountSchema('Amount.')
})

/** What a run would do, for a page of the donors of a year. */
export const ReceiptRunPreview = NamedObject('ReceiptRunPreview', {
  year: Type.Integer({ description: 'Year of the payments.' }),
  isOver: Type.Boolean({ description: 'Whether the year has ended. If not, a run needs upToToday.' }),
  upTo: Day,
  receipts: Type.Array(
    Type.Object({
      donor: Type.Object({ name: Type.String(), address: Address }),
      kind: Type.Enum([...receiptKinds]),
      language: Type.Enum([...legalLanguages]),
      period: Type.Object({ from: Day, to: Day }),
      amount: buildAmountSchema('Total of the receipt.'),
      currency: Type.String(),
      signedByHand: Type.Boolean({ description: 'Whether it has to be printed and signed.' }),
      donations: Type.Array(PreviewLine)
    }),
    { description: 'Receipts to be issued.' }
  ),
  leftOut: Type.Array(
    Type.Object({
      donor: Nullable(Type.String({ description: 'Name of the donor; null if unknown.' })),
      reason: Type.Enum([...leftOutReasons]),
      receiptNumber: Nullable(
        Type.String({ description: 'Receipt that already certifies it or covers the same period.' })
      ),
      amount: buildAmountSchema('Total of the skipped payments.'),
      currency: Type.String(),
      donations: Type.Array(PreviewLine)
    }),
    { description: 'Payments that would be on no receipt, with the reason.' }
  )
})
export type ReceiptRunPreview = Static<typeof ReceiptRunPreview>

export const PreviewQuery = Type.Object({
  year: Type.Integer({ minimum: 1900, maximum: 2200, description: 'Year of the payments.' }),
  language: Type.Optional(
    Type.Unsafe<Language>({
      type: 'string',
      enum: [...legalLanguages],
      description: 'Language of all receipts; default: each donor’s own.'
    })
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'Number of names per page.' })
  ),
  cursor: Type.Optional(Type.String({ maxLength: 1200, description: 'Cursor, taken from the link to the next page.' }))
})
export type PreviewQuery = Static<typeof PreviewQuery>

export const NewReceiptRun = NamedObject('NewReceiptRun', {
  year: Type.Integer({ minimum: 1900, maximum: 2200, description: 'Year of the payments.' }),
  language: Type.Optional(
    Type.Enum([...legalLanguages], { description: 'Language of all receipts; default: each donor’s own.' })
  ),
  send: Type.Optional(
    Type.Boolean({ description: 'Whether to email receipts to donors with an email address. Default: false.' })
  ),
  upToToday: Type.Optional(
    Type.Boolean({ description: 'Required for the current year: receipts then cover the time up to today.' })
  )
})
export type NewReceiptRun = Static<typeof NewReceiptRun>
