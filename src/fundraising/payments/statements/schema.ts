import { type Static, Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'
import { Nullable } from '#platform/http/nullable.ts'
import { Paging } from '#platform/http/paging.ts'
import { DonationChange, donationStatuses } from '../../donations/schema.ts'
import { buildAmountInputSchema, buildAmountSchema } from '../../money/money.ts'
import { collectionStatuses } from '../direct-debit/collections/schema.ts'

/** The limit of the file itself, without the form around it. */
export const fileBytesMax = 50 * 1024 * 1024

export const entryResults = ['booked', 'suggested', 'unmatched', 'ignored', 'known', 'returned', 'problem'] as const
export type EntryResult = (typeof entryResults)[number]

/** How a donation was matched, most reliable first. */
export const matchMethods = ['reference', 'typo', 'account', 'name', 'manual'] as const
export type MatchedBy = (typeof matchMethods)[number]

/** How a campaign was suggested for a payment without a donation. */
export const suggestionMethods = ['reference', 'rule', 'earlier'] as const
export type SuggestedBy = (typeof suggestionMethods)[number]

/** A donation that a payment may be for, as stored. */
export interface Suggestion {
  campaignId: number
  id: string
  by: MatchedBy
}

const perResult = <Each extends ReturnType<typeof Type.Integer> | ReturnType<typeof buildAmountSchema>>(each: Each) =>
  Object.fromEntries(entryResults.map(result => [result, each])) as Record<EntryResult, Each>

export const Statement = NamedObject('BankStatement', {
  id: Type.Integer(),
  format: Type.String({ description: 'Such as camt.053.001.08, mt940, csv, or zip of camt.053.001.08.' }),
  fileName: Nullable(Type.String()),
  importedAt: Type.String({ format: 'date-time' }),
  importedBy: Type.String(),
  complete: Type.Boolean({
    description: 'False while it is read, or where reading broke off: then sending the file again goes on.'
  }),
  from: Nullable(Type.String({ format: 'date' }), { description: 'The first day on which something was booked.' }),
  to: Nullable(Type.String({ format: 'date' }), { description: 'The last one.' }),
  currency: Nullable(Type.String(), { description: 'Of its first entry; amounts are those of entries in it.' }),
  counts: Type.Object({ entries: Type.Integer(), ...perResult(Type.Integer()) }),
  amounts: Type.Object(perResult(buildAmountSchema('Their sum.'))),
  repeated: Type.Optional(Type.Boolean({ description: 'The same file had come before, and nothing was done.' }))
})
export type Statement = Static<typeof Statement>

const Match = Type.Object({
  campaignId: Type.Integer(),
  campaignName: Type.String(),
  donationId: Type.String({ format: 'uuid' }),
  reference: Type.String(),
  donorName: Nullable(Type.String()),
  donationAmount: buildAmountSchema('What was promised.'),
  currency: Type.String(),
  status: Type.Enum([...donationStatuses]),
  difference: Nullable(
    buildAmountSchema(
      'What the entry brings, less what the donation waits for; once it is booked, what came less what was promised.'
    ),
    {
      description: '0 is exact, below 0 is too little; null where the currencies differ.'
    }
  ),
  received: buildAmountSchema('What has arrived for it.'),
  share: Nullable(buildAmountSchema('What of this entry is for it.'), {
    description: 'Null for one that is only suggested.'
  }),
  by: Type.Enum([...matchMethods])
})

export const StatementEntry = NamedObject('BankStatementEntry', {
  id: Type.String({ format: 'uuid' }),
  statementId: Type.Integer(),
  position: Type.Integer({ description: 'Within the file, counted from 1.' }),
  version: Type.Integer(),
  bookedOn: Nullable(Type.String({ format: 'date' })),
  valueOn: Nullable(Type.String({ format: 'date' })),
  amount: buildAmountSchema('Never negative: direction says which way it went.'),
  currency: Type.String(),
  direction: Type.Enum(['in', 'out']),
  isReturn: Type.Boolean({ description: 'Money that goes back to where it came from.' }),
  account: Nullable(Type.String(), { description: 'The account of the statement.' }),
  counterpart: Type.Object({
    name: Nullable(Type.String()),
    iban: Nullable(Type.String()),
    bic: Nullable(Type.String())
  }),
  text: Type.String({ description: 'What the payer wrote.' }),
  endToEndId: Nullable(Type.String()),
  mandateReference: Nullable(Type.String()),
  paymentInformationId: Nullable(Type.String(), {
    description: 'What the sender called the batch of orders; for the credit of direct debits, the batch of ours.'
  }),
  result: Type.Enum([...entryResults]),
  reason: Nullable(Type.Object({ code: Type.String(), message: Type.String() })),
  match: Nullable(Match, { description: 'The donation that it is booked for, or that it was the return of.' }),
  matches: Type.Array(Match, { description: 'All donations that it is booked for, with what each gets of it.' }),
  suggestions: Type.Array(Match, { description: 'At most 5, the best first.' }),
  firstSeen: Nullable(Type.Object({ statementId: Type.Integer(), entryId: Type.String({ format: 'uuid' }) }), {
    description: 'The same payment in the file that brought it first.'
  }),
  suggestedCampaignId: Nullable(Type.Integer(), {
    description: 'The campaign that it may be for, where no donation is known: for POST …/donation.'
  }),
  suggestedCampaignName: Nullable(Type.String()),
  suggestedCampaignBy: Type.Unsafe<SuggestedBy | null>({
    type: ['string', 'null'],
    enum: [...suggestionMethods, null],
    description:
      'reference: the remittance text names the campaign; rule: a rule for the payer; earlier: the payer gave to it before.'
  }),
  openOfPayer: Type.Integer({
    description:
      'How many payments from the same account nothing was found for, this one included; 0 once it is decided.'
  }),
  ruleId: Nullable(Type.String({ format: 'uuid' }), { description: 'The rule for the payer by which it was ignored.' }),
  collection: Nullable(
    Type.Object({
      id: Type.Integer(),
      status: Type.Enum([...collectionStatuses]),
      collectOn: Type.String({ format: 'date' }),
      amount: buildAmountSchema('What was to be collected for the account of the statement.')
    }),
    { description: 'The direct debit batch that it is the credit of; only suggested while result says so.' }
  )
})
export type StatementEntry = Static<typeof StatementEntry>

/** The form upload; a raw body is the file itself. */
export const NewStatement = Type.Unsafe<Buffer | Record<string, unknown>>({
  type: 'object',
  properties: {
    file: {
      // Parsed into an object with name and bytes.
      type: ['string', 'object'],
      contentMediaType: 'application/octet-stream',
      description: 'At most 50 MB. It may also be the whole body.'
    },
    mapping: {
      type: 'string',
      description:
        'For a table: JSON such as `{"Zweck": "text"}` that says what columns are, where they are not known by their names.'
    }
  }
})

export const EntryQuery = Type.Object({
  ...Paging.properties,
  result: Type.Optional(Type.Unsafe<EntryResult>({ type: 'string', enum: entryResults, description: 'Only those.' }))
})

const OneDonation = Type.Object({
  campaignId: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  id: Type.String({ uuid: true, maxLength: 100, examples: ['01900000-0000-7000-8000-000000000000'] })
})

const AssignedDonation = Type.Object({
  ...OneDonation.properties,
  amount: Type.Optional(
    buildAmountInputSchema(
      'What of the entry is for it; all that is left without it. Needed if the campaign has another currency.',
      1
    )
  )
})
export type AssignedDonation = Static<typeof AssignedDonation>

/** The most donations that one entry can be split over. */
const sharesMax = 50

export const EntryChange = NamedObject(
  'BankStatementEntryChange',
  {
    donation: Type.Optional(
      Nullable(AssignedDonation, { description: 'What it is for; null takes back what it was taken for.' })
    ),
    donations: Type.Optional(
      Type.Array(AssignedDonation, {
        minItems: 1,
        maxItems: sharesMax,
        description: 'Splits the entry: each donation gets its amount, which together are the amount of the entry.'
      })
    ),
    accept: Type.Optional(
      Type.Boolean({ description: 'The donation is complete with it, also if less came than was promised.' })
    ),
    extra: Type.Optional(
      Type.Enum(['donation'], {
        description:
          'With donation, where more came than it waits for: it gets what it waits for, and a new donation of the same donor the rest.'
      })
    ),
    ignored: Type.Optional(Type.Boolean({ description: 'It has nothing to do with donations.' })),
    remember: Type.Optional(
      Type.Boolean({
        description:
          'With ignored: also all other payments of this payer that nothing was found for, and those to come.'
      })
    ),
    note: Type.Optional(
      Type.String({ line: true, maxLength: 200, description: 'With remember: why.', examples: ['membership'] })
    ),
    collectionId: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'It is the credit of this direct debit batch, also if the amount differs.'
      })
    )
  },
  { minProperties: 1 }
)
export type EntryChange = Static<typeof EntryChange>

export const confirmedMax = 200

export const Confirmation = NamedObject('EntryConfirmation', {
  entries: Type.Array(
    Type.Object({
      id: Type.String({ uuid: true, maxLength: 100, examples: ['01900000-0000-7000-8000-000000000000'] }),
      donation: Type.Optional(OneDonation),
      accept: Type.Optional(
        Type.Boolean({ description: 'The donation is complete with it, also if less came than was promised.' })
      ),
      version: Type.Optional(Type.Integer({ minimum: 1, description: 'Refused if it has moved on since.' }))
    }),
    { description: `1 to ${confirmedMax}; without a donation it is the first that is suggested.` }
  )
})
export type Confirmation = Static<typeof Confirmation>

export const Confirmed = NamedObject('ConfirmedEntries', {
  results: Type.Array(
    Type.Object({
      id: Type.String({ format: 'uuid' }),
      ok: Type.Boolean(),
      code: Type.Optional(Type.String({ description: 'Why not, for programs.' })),
      message: Type.Optional(Type.String({ description: 'Why not, for people.' }))
    }),
    { description: 'One for each entry, in their order.' }
  ),
  booked: Type.Integer({ description: 'How many were.' })
})
export type Confirmed = Static<typeof Confirmed>

/** All fields are optional: the defaults come from the bank and earlier donations. */
export const EntryDonation = NamedObject('EntryDonation', {
  campaignId: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Needed unless the remittance text or a rule for the payer names a campaign. It may have ended.'
    })
  ),
  donorName: DonationChange.properties.donorName,
  email: DonationChange.properties.email,
  address: DonationChange.properties.address,
  receiptRequested: DonationChange.properties.receiptRequested,
  language: DonationChange.properties.language,
  showName: DonationChange.properties.showName,
  amount: Type.Optional(
    buildAmountInputSchema(
      'What it is worth, if the campaign has another currency; else the amount of the transaction.',
      1
    )
  ),
  allOfPayer: Type.Optional(
    Type.Boolean({
      description: 'The same for all payments from this account, in all bank statements, that nothing was found for.'
    })
  ),
  remember: Type.Optional(
    Type.Boolean({ description: 'Makes a rule that preselects the campaign for later payments from this account.' })
  )
})
export type EntryDonation = Static<typeof EntryDonation>

export const DonatedEntries = NamedObject('DonatedEntries', {
  entry: StatementEntry,
  donations: Type.Array(
    Type.Object({
      campaignId: Type.Integer(),
      id: Type.String({ format: 'uuid' }),
      reference: Type.String(),
      amount: buildAmountSchema('What came.'),
      statementId: Type.Integer(),
      entryId: Type.String({ format: 'uuid' })
    }),
    { description: 'What was made, that of this transaction first.' }
  )
})
export type DonatedEntries = Static<typeof DonatedEntries>
