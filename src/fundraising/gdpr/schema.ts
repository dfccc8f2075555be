import { type Static, Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'
import { Nullable } from '#platform/http/nullable.ts'
import { DonationWithHistory } from '../donations/schema.ts'

const Instant = Type.String({ format: 'date-time' })

/** Reasons for an erasure: a fixed list, because free text can contain personal data. */
export const erasureReasons = ['request', 'objection', 'mistake', 'retention'] as const
export type ErasureReason = (typeof erasureReasons)[number]

/** All donations with the same e-mail address or IBAN, or this donation only. */
export const scopes = ['person', 'donation'] as const
export type DonorScope = (typeof scopes)[number]

const scopeDescription =
  'person: all donations with the same e-mail address or the same account; donation: this one only, where several people ' +
  'share them.'

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
        'request: the donor asked for it; objection: took the consent back; mistake: should never have been here.'
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
    description: 'The last day; on the next one the program removes it by itself.'
  }),
  why: Type.String()
})
export type Retained = Static<typeof Retained>

export const Erased = NamedObject('Erased', {
  donations: Type.Integer({ description: 'Those that a person could be told by before.' }),
  kept: Type.Array(Retained, { description: 'What the law wants kept for some years.' })
})
export type Erased = Static<typeof Erased>

export const DonorSummary = NamedObject('DonorSummary', {
  donations: Type.Integer({ description: 'Those that are not erased yet.' }),
  names: Type.Array(Type.String(), {
    description: 'What they call themselves, at most 10: several may be several people.'
  }),
  kept: Type.Array(Retained, { description: 'What would be kept for some years if the donor were erased.' })
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
      deletedAt: Nullable(Instant, { description: 'When it was taken back.' })
    }),
    { description: 'Newest first, with their history and the notes about them.' }
  ),
  mandates: Type.Array(Type.Unknown(), { description: 'Direct debit mandates, and what was collected with them.' }),
  receipts: Type.Array(Type.Unknown(), { description: 'Receipts, without their files.' }),
  payments: Type.Array(Type.Unknown(), { description: 'What bank statements say of payments for these donations.' }),
  payerRules: Type.Array(Type.Unknown(), { description: 'What was said to become of payments from this account.' })
})
export type DonorData = Static<typeof DonorData>
