import { type Static, Type } from 'typebox'
import { Nullable } from '#platform/nullable.ts'
import { Account, NewDonorAccount } from '../account.ts'
import { Amount, AmountInput } from '../money.ts'

export const donationStatuses = ['IN_PROCESS', 'TRANSFERRED', 'CANCELLED', 'FAILED', 'REFUNDED'] as const
export type DonationStatus = (typeof donationStatuses)[number]

const Instant = Type.String({ format: 'date-time' })

/**
 * A donation. What is optional here depends on who reads: the public sees what it may see of a donation in a list,
 * the donor sees more in the answer to the donation, treasurers see everything.
 */
export const Donation = Type.Object({
  id: Type.String({ format: 'uuid' }),
  campaignId: Type.Integer(),
  amount: Amount('What was given.'),
  donorName: Nullable(Type.String(), {
    description: 'Null for the public unless the donor shows it.'
  }),
  receiptRequested: Type.Optional(Type.Boolean()),
  status: Type.Enum([...donationStatuses]),
  account: Type.Optional(Nullable(Account, { description: 'To treasurers only; null for cash.' })),
  reference: Type.Optional(Type.String({ description: 'What the donor writes on the transfer.' })),
  showName: Type.Optional(Type.Boolean()),
  message: Nullable(Type.String()),
  email: Type.Optional(Nullable(Type.String(), { description: 'To treasurers only.' })),
  createdAt: Instant,
  updatedAt: Type.Optional(Instant)
})
export type Donation = Static<typeof Donation>

export const DonationWithHistory = Type.Object({
  ...Donation.properties,
  history: Type.Optional(
    Type.Array(Type.Object({ status: Type.Enum([...donationStatuses]), at: Instant, actor: Type.String() }), {
      description: 'Every status it has had, oldest first. To treasurers only.'
    })
  )
})
export type DonationWithHistory = Static<typeof DonationWithHistory>

const Message = Nullable(
  Type.String({ text: true, maxLength: 1000, description: 'Shown to the public beside the amount.' })
)
const Email = Nullable(Type.String({ line: true, format: 'email', maxLength: 254 }))
const DonorName = Type.String({ line: true, minLength: 1, maxLength: 140 })
const ReceiptRequested = Type.Boolean({ description: 'Whether the donor wants a receipt.' })
const ShowName = Type.Boolean({ description: 'Whether the public may see the name.' })

export const NewDonation = Type.Object(
  {
    amount: AmountInput('What is given.', 1),
    donorName: DonorName,
    receiptRequested: Type.Optional(ReceiptRequested),
    status: Type.Optional(
      Type.Enum(['IN_PROCESS', 'TRANSFERRED'], {
        description: 'TRANSFERRED only by a treasurer, for money that is there.'
      })
    ),
    account: Type.Optional(NewDonorAccount),
    showName: Type.Optional(ShowName),
    message: Type.Optional(Message),
    email: Type.Optional(Email)
  },
  {
    description: 'account is required, except for a donation that a treasurer records as TRANSFERRED (cash).',
    if: { properties: { status: { const: 'TRANSFERRED' } }, required: ['status'] },
    else: { required: ['account'] }
  }
)
export type NewDonation = Static<typeof NewDonation>

/** What is left out stays as it is. Amount and account are what happened, and do not change. */
export const DonationChange = Type.Object({
  status: Type.Optional(Type.Enum([...donationStatuses])),
  donorName: Type.Optional(DonorName),
  receiptRequested: Type.Optional(ReceiptRequested),
  showName: Type.Optional(ShowName),
  message: Type.Optional(Message),
  email: Type.Optional(Email)
})
export type DonationChange = Static<typeof DonationChange>
