import { type Static, Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'
import { Nullable } from '#platform/http/nullable.ts'
import { Paging } from '#platform/http/paging.ts'
import { legalLanguages } from '#platform/language.ts'
import { donationStatuses } from '../../../donations/schema.ts'
import { buildAmountSchema } from '../../../money/money.ts'

const Instant = Type.String({ format: 'date-time' })
const Day = Type.String({ format: 'date' })

/** The text shown to a donor before they agree to a direct debit. */
export const MandateTerms = NamedObject('MandateTerms', {
  creditorId: Type.String(),
  creditorName: Type.String(),
  texts: Type.Object({ en: Type.String(), de: Type.String() }),
  version: Type.String({ description: 'Version of the text; changes with the text.' }),
  preNotificationDays: Type.Integer({ description: 'Days of pre-notification before the collection date.' }),
  countries: Type.Array(Type.String(), {
    description: 'Country codes of IBANs (of donor and campaign) that can be debited.'
  })
})
export type MandateTerms = Static<typeof MandateTerms>

export const mandateStatuses = ['active', 'revoked'] as const
export type MandateStatus = (typeof mandateStatuses)[number]

/** SEPA codes: OOFF allows one debit, RCUR several. Mandates are one-off; those of earlier releases were recurrent. */
export const sequenceTypes = ['OOFF', 'RCUR'] as const
export type SequenceType = (typeof sequenceTypes)[number]

/** The permission to debit an account for a donation. The account is stored with the donation. */
export const Mandate = NamedObject('Mandate', {
  reference: Type.String({ description: 'Reference of the donation.' }),
  status: Type.Enum([...mandateStatuses]),
  campaignId: Type.Integer(),
  donationId: Type.String({ format: 'uuid' }),
  donorName: Nullable(Type.String(), { description: 'Name of the donor; null if erased.' }),
  amount: buildAmountSchema('Amount that the mandate covers.'),
  donationStatus: Type.Enum([...donationStatuses]),
  creditorId: Type.String(),
  sequenceType: Type.Enum([...sequenceTypes], { description: 'OOFF: a one-off mandate. RCUR: a recurrent one.' }),
  text: Type.String({ description: 'Mandate text as agreed to by the donor.' }),
  language: Type.Enum([...legalLanguages]),
  signedAt: Instant,
  requestId: Nullable(Type.String(), { description: 'IP address of the request that gave the mandate.' }),
  revokedAt: Nullable(Instant),
  collection: Nullable(
    Type.Object(
      { id: Type.Integer(), status: Type.String(), collectOn: Day },
      { description: 'Direct debit batch that contains it.' }
    )
  )
})
export type Mandate = Static<typeof Mandate>

export const MandateQuery = Type.Object({
  ...Paging.properties,
  campaignId: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  status: Type.Optional(Type.Unsafe<MandateStatus>({ type: 'string', enum: [...mandateStatuses] }))
})
export type MandateQuery = Static<typeof MandateQuery>

/** The donor's view of their mandate. */
export const OwnMandate = NamedObject('OwnMandate', {
  reference: Type.String(),
  status: Type.Enum([...mandateStatuses]),
  revokedAt: Nullable(Instant)
})
