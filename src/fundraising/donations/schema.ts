import { type Static, Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'
import { Nullable } from '#platform/http/nullable.ts'
import { languages } from '#platform/language.ts'
import { CampaignTranslations, campaignStatuses } from '../campaigns/schema.ts'
import { donationKinds, InKind } from '../donation-kind.ts'
import { Account, NewDonorAccount } from '../money/account.ts'
import { Address, NewAddress } from '../money/address.ts'
import { buildAmountInputSchema, buildAmountSchema } from '../money/money.ts'
import { NewNewsConsent, NewsConsent } from '../news/schema.ts'
import { ReceiptOfDonation, ReceiptOfDonor } from '../receipts/schema.ts'
import { Note } from './notes/schema.ts'
import { Payment, ReceivedOn, Source } from './payments/schema.ts'

export const donationStatuses = ['IN_PROCESS', 'TRANSFERRED', 'CANCELLED', 'FAILED', 'REFUNDED'] as const
export type DonationStatus = (typeof donationStatuses)[number]

/** Allowed status transitions. A transferred donation fails when the bank returns a debit. */
export const nextStatuses: Record<DonationStatus, readonly DonationStatus[]> = {
  IN_PROCESS: ['TRANSFERRED', 'CANCELLED', 'FAILED'],
  TRANSFERRED: ['REFUNDED', 'FAILED'],
  CANCELLED: [],
  FAILED: [],
  REFUNDED: []
}

/** Transitions that a treasurer can make. A partly paid donation can be neither cancelled nor failed. */
export function getNextStatuses(status: DonationStatus, receivedCents: number): readonly DonationStatus[] {
  return status === 'IN_PROCESS' && receivedCents > 0 ? ['TRANSFERRED'] : nextStatuses[status]
}

/** A large donation waits until a treasurer releases it or its money arrives. */
export const reviews = ['waiting', 'released'] as const
export type Review = (typeof reviews)[number]

/** Public texts of donors wait until a treasurer reviews them. */
export const messageReviews = ['waiting', 'shown', 'hidden'] as const
export type MessageReview = (typeof messageReviews)[number]

/** A transfer by the donor, or a direct debit that we collect. */
export const paymentMethods = ['transfer', 'direct_debit'] as const
export type PaymentMethod = (typeof paymentMethods)[number]

const NewInKind = Type.Object({ ...InKind.properties }, { examples: [null] })

const Kind = Type.Enum([...donationKinds], {
  description: 'Kind of donation: money, membership fee, waived expenses, or gift in kind (described by inKind).'
})

const ReviewOrNull = (description: string) =>
  Type.Unsafe<Review | null>({ type: ['string', 'null'], enum: [...reviews, null], description, examples: [null] })

const MessageReviewOrNull = (description: string) =>
  Type.Unsafe<MessageReview | null>({
    ...{ type: ['string', 'null'], enum: [...messageReviews, null] },
    ...{ description, examples: ['shown'] }
  })

const Instant = Type.String({ format: 'date-time' })

/**
 * A donation. Optional fields depend on the caller: the public sees a part in lists, the donor sees more in the
 * response to a new donation, treasurers see everything.
 */
export const Donation = NamedObject('Donation', {
  id: Type.String({ format: 'uuid' }),
  campaignId: Type.Integer(),
  amount: buildAmountSchema('Pledged amount.'),
  amountReceived: buildAmountSchema('Amount received, minus returns and refunds.'),
  receivedOn: Type.Optional(
    Nullable(Type.String({ format: 'date' }), {
      description: 'Date of the latest payment; null if there is none. For treasurers and the donor.'
    })
  ),
  donorName: Nullable(Type.String(), {
    description: 'Name of the donor. Null for the public unless the donor agreed and the donation was reviewed or paid.'
  }),
  receiptRequested: Type.Optional(Type.Boolean()),
  status: Type.Enum([...donationStatuses]),
  account: Type.Optional(Nullable(Account, { description: 'Account of the donor; null for cash. Treasurers only.' })),
  reference: Type.Optional(Type.String({ description: 'Reference for the transfer.' })),
  showName: Type.Optional(Type.Boolean()),
  message: Nullable(Type.String(), { description: 'Message of the donor. Null for the public until reviewed.' }),
  email: Type.Optional(Nullable(Type.String(), { description: 'Email address. Treasurers only.' })),
  createdAt: Instant,
  updatedAt: Type.Optional(Instant),
  language: Type.Optional(Type.Enum([...languages], { description: 'Language of the donor, if known.' })),
  address: Type.Optional(Nullable(Address, { description: 'Postal address for the receipt. Treasurers only.' })),
  consent: Type.Optional(
    Nullable(Type.Object({ text: Type.String(), version: Nullable(Type.String()), at: Instant }), {
      description: 'Consents of the donor with their times. Treasurers only.'
    })
  ),
  erasedAt: Type.Optional(
    Nullable(Instant, {
      description: 'When the personal data of the donor was erased. Treasurers only.'
    })
  ),
  nextStatuses: Type.Optional(
    Type.Array(Type.Enum([...donationStatuses]), { description: 'Statuses that it can change to. Treasurers only.' })
  ),
  paymentMethod: Type.Optional(
    Type.Enum([...paymentMethods], { description: 'Payment method. For treasurers and the donor.' })
  ),
  kind: Type.Optional(Type.Enum([...donationKinds], { description: 'Kind of donation. Treasurers only.' })),
  inKind: Type.Optional(Nullable(InKind, { description: 'Details of a gift in kind. Treasurers only.' })),
  review: Type.Optional(
    ReviewOrNull(
      'waiting: held for review, hidden and not counted until a treasurer approves it or the money is received. Treasurers only.'
    )
  ),
  messageReview: Type.Optional(
    MessageReviewOrNull('Review status of message and name; null without either. Treasurers only.')
  )
})
export type Donation = Static<typeof Donation>

/** The response to a new donation: the only one that shows the token. */
export const DonationWithToken = NamedObject('DonationWithToken', {
  ...Donation.properties,
  donorToken: Type.String({ description: 'Token of the donor, for GET /donations/by-token/{token}.' })
})

export const DonationWithHistory = NamedObject('DonationWithHistory', {
  ...Donation.properties,
  notes: Type.Optional(Type.Array(Note, { description: 'Notes, oldest first. Treasurers only.' })),
  payments: Type.Optional(Type.Array(Payment, { description: 'Payments and refunds, oldest first. Treasurers only.' })),
  news: Type.Optional(
    Nullable(NewsConsent, { description: 'Consent to news about the campaign; null without one. Treasurers only.' })
  ),
  receipts: Type.Optional(
    Type.Array(ReceiptOfDonation, { description: 'Receipts, including withdrawn ones. Treasurers only.' })
  ),
  history: Type.Optional(
    Type.Array(Type.Object({ status: Type.Enum([...donationStatuses]), at: Instant, actor: Type.String() }), {
      description: 'Status history, oldest first. Treasurers only.'
    })
  )
})
export type DonationWithHistory = Static<typeof DonationWithHistory>

/** The donor's own view, with everything needed to transfer the money. */
export const DonationOfDonor = NamedObject('DonationOfDonor', {
  ...Donation.properties,
  campaign: Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    language: Type.Enum([...languages]),
    translations: CampaignTranslations,
    currency: Type.String(),
    status: Type.Enum([...campaignStatuses]),
    account: Account
  }),
  mandateReference: Nullable(Type.String({ description: 'Mandate reference.' })),
  mandateText: Nullable(Type.String({ description: 'Mandate text as agreed to by the donor.' })),
  creditorId: Nullable(Type.String({ description: 'SEPA creditor identifier.' })),
  collectedOn: Nullable(Type.String({ format: 'date', description: 'Collection date.' })),
  hasEmail: Type.Boolean({ description: 'Whether an email address is stored; the address itself is not returned.' }),
  hasAddress: Type.Boolean({ description: 'Whether a postal address is stored, as required for a receipt.' }),
  receipts: Type.Array(ReceiptOfDonor, { description: 'Valid receipts, oldest first.' }),
  canHaveSimplifiedProof: Type.Boolean({
    description: 'Whether a simplified proof of donation can be downloaded.'
  }),
  history: Type.Array(Type.Object({ status: Type.Enum([...donationStatuses]), at: Instant }), {
    description: 'Status history, oldest first.'
  })
})
export type DonationOfDonor = Static<typeof DonationOfDonor>

const Message = Nullable(Type.String({ text: true, maxLength: 1000, description: 'Public message.' }))
const Email = Nullable(Type.String({ line: true, format: 'email', maxLength: 254 }))
const DonorName = Type.String({ line: true, minLength: 1, maxLength: 140 })
const ReceiptRequested = Type.Boolean({ description: 'Whether the donor wants a receipt.' })
const ShowName = Type.Boolean({ description: 'Whether the name may be published.' })
const DonorAddress = Nullable(NewAddress, { description: 'Postal address for the receipt.' })

export const NewDonation = NamedObject(
  'NewDonation',
  {
    amount: buildAmountInputSchema('Pledged amount.', 1),
    donorName: DonorName,
    receiptRequested: Type.Optional(ReceiptRequested),
    status: Type.Optional(
      Type.Enum(['IN_PROCESS', 'TRANSFERRED'], {
        description: 'Initial status; TRANSFERRED (money received) only for treasurers.'
      })
    ),
    kind: Type.Optional(Kind),
    inKind: Type.Optional(Nullable(NewInKind, { description: 'Required for kind in_kind; amount is the value.' })),
    amountReceived: Type.Optional(
      buildAmountInputSchema('Amount received, for a donation recorded as TRANSFERRED. Default, also for 0: amount.', 0)
    ),
    receivedOn: Type.Optional(Nullable(ReceivedOn)),
    paymentSource: Type.Optional(Source),
    account: Type.Optional(
      Nullable(NewDonorAccount, { description: 'Account of the donor. Required with a mandate.' })
    ),
    showName: Type.Optional(ShowName),
    message: Type.Optional(Message),
    email: Type.Optional(Email),
    address: Type.Optional(DonorAddress),
    mandate: Type.Optional(
      Nullable(
        Type.Object(
          {
            text: Type.String({
              text: true,
              minLength: 1,
              maxLength: 4000,
              description: 'Mandate text from GET /mandate, unchanged.'
            })
          },
          { examples: [null] }
        ),
        { description: 'Mandate to collect the donation by direct debit.' }
      )
    ),
    website: Type.Optional(
      Nullable(
        Type.String({
          line: true,
          maxLength: 2000,
          description: 'Honeypot: must be empty.',
          examples: ['']
        })
      )
    ),
    proofOfWork: Type.Optional(
      Nullable(
        Type.String({
          line: true,
          maxLength: 4000,
          description: 'Solution of the challenge, if GET /challenge requires one.'
        })
      )
    ),
    consent: Type.Optional(
      Nullable(
        Type.Object({
          text: Type.String({ text: true, minLength: 1, maxLength: 2000 }),
          version: Type.Optional(Nullable(Type.String({ line: true, maxLength: 100 })))
        }),
        { description: 'Consents of the donor.' }
      )
    ),
    news: Type.Optional(NewNewsConsent),
    language: Type.Optional(
      Type.Enum([...languages], { description: 'Language of the donor; default: Accept-Language.' })
    )
  },
  {
    description: 'account is required for a donation that is collected by direct debit.',
    if: { properties: { mandate: { type: 'object' } }, required: ['mandate'] },
    // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema.
    then: { properties: { account: { type: 'object' } }, required: ['account'] }
  }
)
export type NewDonation = Static<typeof NewDonation>

/** Omitted fields stay unchanged. The promised amount and the account are fixed; payments record what arrived. */
export const DonationChange = NamedObject('DonationChange', {
  status: Type.Optional(Type.Enum([...donationStatuses])),
  amountReceived: Type.Optional(
    buildAmountInputSchema(
      'Total amount received: the difference to the amount received before becomes a payment. Default with status TRANSFERRED: amount.',
      0
    )
  ),
  receivedOn: Type.Optional(Nullable(ReceivedOn)),
  paymentSource: Type.Optional(Source),
  kind: Type.Optional(Kind),
  inKind: Type.Optional(Nullable(NewInKind, { description: 'Details of a gift in kind.' })),
  donorName: Type.Optional(DonorName),
  receiptRequested: Type.Optional(ReceiptRequested),
  showName: Type.Optional(ShowName),
  message: Type.Optional(Message),
  email: Type.Optional(Email),
  address: Type.Optional(DonorAddress),
  language: Type.Optional(Type.Enum([...languages])),
  review: Type.Optional(ReviewOrNull('released approves a donation that is held for review; it then counts.')),
  messageReview: Type.Optional(
    MessageReviewOrNull('shown or hidden: whether the public sees the message and the name. null changes nothing.')
  )
})
export type DonationChange = Static<typeof DonationChange>

/** Fields that donors can add or correct themselves with the donation token. */
export const OwnDonationChange = NamedObject('OwnDonationChange', {
  receiptRequested: Type.Optional(ReceiptRequested),
  email: Type.Optional(Email),
  address: Type.Optional(DonorAddress),
  language: Type.Optional(Type.Enum([...languages]))
})
export type OwnDonationChange = Static<typeof OwnDonationChange>
