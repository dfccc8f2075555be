import { type Static, Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'
import { Nullable } from '#platform/http/nullable.ts'
import { donationStatuses } from '../../../donations/schema.ts'
import { buildAmountSchema } from '../../../money/money.ts'
import { sequenceTypes } from '../mandates/schema.ts'

export const collectionStatuses = ['made', 'submitted', 'done', 'cancelled'] as const
export type CollectionStatus = (typeof collectionStatuses)[number]

/** Allowed status transitions. Cancelling a submitted file also needs the bank. */
export const nextCollectionStatuses: Record<CollectionStatus, readonly CollectionStatus[]> = {
  made: ['submitted', 'cancelled'],
  submitted: ['done', 'cancelled'],
  done: [],
  cancelled: []
}

/** The most donations in one file; the rest goes into the next one. */
export const collectionSizeMax = 5000

/** Why a donation is not in a file, or what the treasurer should know about one. */
export const warningCodes = [
  'account-erased',
  'account-invalid',
  'campaign-account',
  'campaign-deleted',
  'waiting-for-review',
  'mandate-expired',
  'creditor-changed',
  'mandate-revoked',
  'no-mandate',
  'not-in-process',
  'in-collection',
  'not-found',
  'too-many',
  'not-told',
  'out-of-date'
] as const
export type WarningCode = (typeof warningCodes)[number]

const Instant = Type.String({ format: 'date-time' })
const Day = Type.String({ format: 'date' })

export const Warning = NamedObject('CollectionWarning', {
  code: Type.Enum([...warningCodes]),
  message: Type.String({ description: 'Reason, in the language of the request.' }),
  count: Type.Integer({ description: 'Number of donations.' }),
  references: Type.Array(Type.String(), { description: 'Donations concerned, at most 20.' })
})
export type Warning = Static<typeof Warning>

const Block = Type.Object({
  account: Type.String({ description: 'Account that is credited.' }),
  sequenceType: Type.Enum([...sequenceTypes], { description: 'OOFF: one-off mandates. RCUR: recurrent ones.' }),
  count: Type.Integer(),
  amount: buildAmountSchema('Sum of the amounts.')
})

/** Donations collected together by one file for the bank. */
export const Collection = NamedObject('Collection', {
  id: Type.Integer(),
  status: Type.Enum([...collectionStatuses]),
  nextStatuses: Type.Array(Type.Enum([...collectionStatuses]), { description: 'Statuses that it can change to.' }),
  collectOn: Day,
  count: Type.Integer(),
  amount: buildAmountSchema('Amount to collect.'),
  currency: Type.String(),
  messageId: Type.String({ description: 'Message id of the file (MsgId).' }),
  batchBooking: Type.Boolean({ description: 'Batch booking: whether the bank credits each block as one sum.' }),
  blocks: Type.Array(Block, { description: 'One block per credited account and sequence type.' }),
  warnings: Type.Array(Warning),
  createdAt: Instant,
  updatedAt: Instant,
  by: Type.String({ description: 'Creator of the batch, as named in the activity log.' })
})
export type Collection = Static<typeof Collection>

/** What a collection created now would contain. */
export const CollectionPreview = NamedObject('CollectionPreview', {
  count: Type.Integer(),
  amount: buildAmountSchema('Amount to collect.'),
  currency: Type.String(),
  earliestOn: Day,
  blocks: Type.Array(Block),
  warnings: Type.Array(Warning)
})
export type CollectionPreview = Static<typeof CollectionPreview>

const CampaignId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

export const PreviewQuery = Type.Object({ campaignId: Type.Optional(CampaignId) })

export const NewCollection = NamedObject('NewCollection', {
  collectOn: Type.Optional(
    Nullable(
      Type.String({
        line: true,
        day: true,
        maxLength: 10,
        examples: ['2026-12-23'],
        description: 'TARGET business day that respects the pre-notification; default: the earliest possible.'
      })
    )
  ),
  campaignId: Type.Optional(Nullable(CampaignId, { description: 'Campaign whose donations are collected.' })),
  donations: Type.Optional(
    Nullable(
      Type.Array(
        Type.Object({
          campaignId: CampaignId,
          id: Type.String({ uuid: true, maxLength: 100, examples: ['01900000-0000-7000-8000-000000000000'] })
        }),
        {
          description: 'Donations to collect; default: all that can be collected.'
        }
      )
    )
  ),
  batchBooking: Type.Optional(
    Type.Boolean({ default: true, description: 'Batch booking: whether the bank credits each block as one sum.' })
  )
})
export type NewCollection = Static<typeof NewCollection>

export const CollectionChange = NamedObject('CollectionChange', {
  status: Type.Enum([...collectionStatuses], {
    description:
      'submitted: sent to the bank. done: credited; donations that are still IN_PROCESS become TRANSFERRED. cancelled: the donations can be collected again.'
  }),
  recalled: Type.Optional(
    Type.Boolean({ description: 'Required to cancel a submitted batch: the bank has confirmed the recall.' })
  )
})
export type CollectionChange = Static<typeof CollectionChange>

export const CollectedDonation = NamedObject('CollectedDonation', {
  position: Type.Integer(),
  campaignId: Type.Integer(),
  donationId: Type.String({ format: 'uuid' }),
  reference: Type.String(),
  donorName: Nullable(Type.String(), { description: 'Name of the donor; null if erased.' }),
  amount: buildAmountSchema('Amount to collect.'),
  account: Type.String({ description: 'Account that is credited.' }),
  status: Type.Enum([...donationStatuses])
})
export type CollectedDonation = Static<typeof CollectedDonation>
