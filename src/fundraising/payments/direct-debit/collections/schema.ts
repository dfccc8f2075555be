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
  message: Type.String({ description: 'In the language of the request.' }),
  count: Type.Integer({ description: 'How many donations it is about.' }),
  references: Type.Array(Type.String(), { description: 'Which ones; at most 20.' })
})
export type Warning = Static<typeof Warning>

const Block = Type.Object({
  account: Type.String({ description: 'The account that the money goes to.' }),
  sequenceType: Type.Enum([...sequenceTypes], { description: 'OOFF: one-off mandates. RCUR: recurrent ones.' }),
  count: Type.Integer(),
  amount: buildAmountSchema('Their sum.')
})

/** Donations collected together by one file for the bank. */
export const Collection = NamedObject('Collection', {
  id: Type.Integer(),
  status: Type.Enum([...collectionStatuses]),
  nextStatuses: Type.Array(Type.Enum([...collectionStatuses]), { description: 'Where it can go from here.' }),
  collectOn: Day,
  count: Type.Integer(),
  amount: buildAmountSchema('What is collected.'),
  currency: Type.String(),
  messageId: Type.String({ description: 'By which the bank knows the file.' }),
  batchBooking: Type.Boolean({ description: 'Whether the bank books each block as one sum.' }),
  blocks: Type.Array(Block, { description: 'One for each account that money goes to and each sequence type.' }),
  warnings: Type.Array(Warning),
  createdAt: Instant,
  updatedAt: Instant,
  by: Type.String({ description: 'Who made it.' })
})
export type Collection = Static<typeof Collection>

/** What a collection created now would contain. */
export const CollectionPreview = NamedObject('CollectionPreview', {
  count: Type.Integer(),
  amount: buildAmountSchema('What would be collected.'),
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
        description: 'A bank day (TARGET) that is far enough ahead; without it the first possible one.'
      })
    )
  ),
  campaignId: Type.Optional(Nullable(CampaignId, { description: 'Only donations to this campaign.' })),
  donations: Type.Optional(
    Nullable(
      Type.Array(
        Type.Object({
          campaignId: CampaignId,
          id: Type.String({ uuid: true, maxLength: 100, examples: ['01900000-0000-7000-8000-000000000000'] })
        }),
        {
          description: 'Only these.'
        }
      )
    )
  ),
  batchBooking: Type.Optional(
    Type.Boolean({ default: true, description: 'Whether the bank books each block as one sum.' })
  )
})
export type NewCollection = Static<typeof NewCollection>

export const CollectionChange = NamedObject('CollectionChange', {
  status: Type.Enum([...collectionStatuses], {
    description:
      'submitted: the bank has the file. done: the money came; donations that are still in process become TRANSFERRED. cancelled: the donations are free again.'
  }),
  recalled: Type.Optional(
    Type.Boolean({ description: 'To cancel what is submitted: the bank has agreed not to carry it out.' })
  )
})
export type CollectionChange = Static<typeof CollectionChange>

export const CollectedDonation = NamedObject('CollectedDonation', {
  position: Type.Integer(),
  campaignId: Type.Integer(),
  donationId: Type.String({ format: 'uuid' }),
  reference: Type.String(),
  donorName: Nullable(Type.String(), { description: 'Null when the donor was erased.' }),
  amount: buildAmountSchema('What is collected.'),
  account: Type.String({ description: 'The account that the money goes to.' }),
  status: Type.Enum([...donationStatuses])
})
export type CollectedDonation = Static<typeof CollectedDonation>
