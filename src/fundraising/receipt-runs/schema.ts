import { type Static, Type } from 'typebox'
import { languages } from '#platform/language.ts'
import { Nullable } from '#platform/nullable.ts'

export const runStatuses = ['waiting', 'running', 'done', 'failed'] as const
export type RunStatus = (typeof runStatuses)[number]

/** Why somebody gets no receipt from a run. */
export const skipReasons = [
  'no-address',
  'not-euro',
  'not-printable',
  'too-many-donations',
  'period-taken',
  'fee-not-deductible'
] as const
export type SkipReason = (typeof skipReasons)[number]

/** Why something that came in a year is on none of its receipts, also where nobody asked for one. */
export const leftOutReasons = [...skipReasons, 'has-receipt', 'not-requested', 'small-amount', 'no-name'] as const
export type LeftOutReason = (typeof leftOutReasons)[number]

export function isSkipReason(reason: LeftOutReason): reason is SkipReason {
  return skipReasons.some(one => one === reason)
}

const Instant = Type.String({ format: 'date-time' })

export const ReceiptRun = Type.Object({
  id: Type.String({ format: 'uuid' }),
  year: Type.Integer({ description: 'In which the money came.' }),
  language: Nullable(Type.String({ description: 'Of all receipts; null for each donor’s own.' })),
  send: Type.Boolean(),
  status: Type.Enum([...runStatuses]),
  progress: Type.Object({
    done: Type.Integer({ description: 'Names that were looked at.' }),
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

export const NewReceiptRun = Type.Object({
  year: Type.Integer({ minimum: 1900, maximum: 2200, description: 'In which the money came.' }),
  language: Type.Optional(Type.Enum([...languages], { description: 'Of all receipts; each donor’s own without it.' })),
  send: Type.Optional(Type.Boolean({ description: 'By e-mail to those who have given an address. Not without it.' })),
  upToToday: Type.Optional(
    Type.Boolean({ description: 'Required for a year that is not over: receipts then cover the time up to today.' })
  )
})
export type NewReceiptRun = Static<typeof NewReceiptRun>
