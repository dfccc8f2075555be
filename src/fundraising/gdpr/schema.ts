import { type Static, Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'
import { Nullable } from '#platform/http/nullable.ts'
import { DonationWithHistory } from '../donations/schema.ts'

const Instant = Type.String({ format: 'date-time' })

/** Reasons for an erasure: a fixed list, because free text can contain personal data. */
export const erasureReasons = ['request', 'objection', 'mistake', 'retention'] as const
export type ErasureReason = (typeof erasureReasons)[number]

/** All donations with the same email address or IBAN or of the same donor record, or this donation only. */
export const scopes = ['person', 'donation'] as const
export type DonorScope = (typeof scopes)[number]

const scopeDescription =
  'person: all donations with the same email address or the same account, and those of the same donor record; donation: ' +
  'this one only, where several people share them.'

export const DonorQuery = Type.Object({
  scope: Type.Optional(
    Type.Unsafe<DonorScope>({ type: 'string', enum: [...scopes], default: 'person', description: scopeDescription })
  )
})
export type DonorQuery = Static<typeof DonorQuery>

export const Erasure = NamedObject('Erasure', {
  reason: Type.Optional(
    Type.Enum(['request', 'objection', 'mistake'], {
      default: 'request',
      description:
        'request: the donor asked for it; objection: the donor withdrew consent; mistake: the data should not have been stored.'
    })
  ),
  scope: Type.Optional(Type.Enum([...scopes], { default: 'person', description: scopeDescription }))
})
export type Erasure = Static<typeof Erasure>

const Retained = Type.Object({
  what: Type.Enum(['receipts', 'mandates']),
  count: Type.Integer(),
  until: Type.String({
    format: 'date',
    description: 'Last day of the retention period; the data is erased automatically after it.'
  }),
  why: Type.String()
})
export type Retained = Static<typeof Retained>

export const Erased = NamedObject('Erased', {
  donations: Type.Integer({ description: 'Number of donations that had personal data.' }),
  kept: Type.Array(Retained, { description: 'Data kept because of legal retention periods.' })
})
export type Erased = Static<typeof Erased>

export const DonorSummary = NamedObject('DonorSummary', {
  donations: Type.Integer({ description: 'Number of donations not erased yet.' }),
  names: Type.Array(Type.String(), {
    description: 'Names used, at most 10. Several names may be several people.'
  }),
  kept: Type.Array(Retained, { description: 'Data that would be kept because of legal retention periods.' })
})
export type DonorSummary = Static<typeof DonorSummary>

/** The export of all personal data of a person. */
export const DonorData = NamedObject('DonorData', {
  exportedAt: Instant,
  foundBy: Type.Object({
    donation: Type.String({ format: 'uuid' }),
    email: Nullable(Type.String()),
    iban: Nullable(Type.String())
  }),
  donations: Type.Array(
    Type.Object({
      ...DonationWithHistory.properties,
      campaignName: Type.String(),
      currency: Type.String(),
      deletedAt: Nullable(Instant, { description: 'When the donation was cancelled.' })
    }),
    { description: 'Donations with history and notes, newest first.' }
  ),
  mandates: Type.Array(Type.Unknown(), { description: 'Direct debit mandates and their collections.' }),
  receipts: Type.Array(Type.Unknown(), { description: 'Receipts, without their files.' }),
  payments: Type.Array(Type.Unknown(), { description: 'Bank transactions of these donations.' }),
  payerRules: Type.Array(Type.Unknown(), { description: 'Payer rules for this account.' }),
  donorRecords: Type.Array(Type.Unknown(), {
    description: 'Notes on the donor, annual letters without their files, and merges.'
  }),
  news: Type.Array(Type.Unknown(), { description: 'Consents to news about campaigns, and when they ended.' })
})
export type DonorData = Static<typeof DonorData>
