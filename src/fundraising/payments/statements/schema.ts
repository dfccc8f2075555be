import { type Static, Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'
import { Nullable } from '#platform/http/nullable.ts'
import { Paging } from '#platform/http/paging.ts'
import { donationStatuses } from '../../donations/schema.ts'
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
  format: Type.String({ description: 'File format, such as camt.053.001.08, mt940, csv, or zip of camt.053.001.08.' }),
  fileName: Nullable(Type.String()),
  importedAt: Type.String({ format: 'date-time' }),
  importedBy: Type.String(),
  complete: Type.Boolean({
    description: 'False while the import runs or after it was interrupted; sending the file again continues it.'
  }),
  from: Nullable(Type.String({ format: 'date' }), { description: 'Date of the first transaction.' }),
  to: Nullable(Type.String({ format: 'date' }), { description: 'Date of the last transaction.' }),
  currency: Nullable(Type.String(), {
    description: 'Currency of the first transaction; totals include only transactions in this currency.'
  }),
  counts: Type.Object({ entries: Type.Integer(), ...perResult(Type.Integer()) }),
  amounts: Type.Object(perResult(buildAmountSchema('Sum of the amounts.'))),
  repeated: Type.Optional(
    Type.Boolean({ description: 'Whether the same file was imported before; nothing was done then.' })
  )
})
export type Statement = Static<typeof Statement>

const Match = Type.Object({
  campaignId: Type.Integer(),
  campaignName: Type.String(),
  donationId: Type.String({ format: 'uuid' }),
  reference: Type.String(),
  donorName: Nullable(Type.String()),
  donationAmount: buildAmountSchema('Pledged amount.'),
  currency: Type.String(),
  status: Type.Enum([...donationStatuses]),
  difference: Nullable(
    buildAmountSchema(
      'What the entry brings, less what the donation waits for; once it is booked, what came less what was promised.'
    ),
    {
      description: 'Difference to the pledged amount: 0 exact, negative too little; null if the currencies differ.'
    }
  ),
  received: buildAmountSchema('Amount received for the donation.'),
  share: Nullable(buildAmountSchema('Part of this transaction booked for the donation.'), {
    description: 'Amount booked; null for a suggestion.'
  }),
  by: Type.Enum([...matchMethods])
})

export const StatementEntry = NamedObject('BankStatementEntry', {
  id: Type.String({ format: 'uuid' }),
  statementId: Type.Integer(),
  position: Type.Integer({ description: 'Position in the file, from 1.' }),
  version: Type.Integer(),
  bookedOn: Nullable(Type.String({ format: 'date' })),
  valueOn: Nullable(Type.String({ format: 'date' })),
  amount: buildAmountSchema('Amount, never negative; see direction.'),
  currency: Type.String(),
  direction: Type.Enum(['in', 'out']),
  isReturn: Type.Boolean({ description: 'Whether it is a return (Rücklastschrift, refund).' }),
  account: Nullable(Type.String(), { description: 'The account of the statement.' }),
  counterpart: Type.Object({
    name: Nullable(Type.String()),
    iban: Nullable(Type.String()),
    bic: Nullable(Type.String())
  }),
  text: Type.String({ description: 'Remittance text.' }),
  endToEndId: Nullable(Type.String()),
  mandateReference: Nullable(Type.String()),
  paymentInformationId: Nullable(Type.String(), {
    description: 'Payment information id of the batch; for credits of direct debits, the one of our batch.'
  }),
  result: Type.Enum([...entryResults]),
  reason: Nullable(Type.Object({ code: Type.String(), message: Type.String() })),
  match: Nullable(Match, { description: 'Donation that it is booked for or is the return of.' }),
  matches: Type.Array(Match, { description: 'All donations that it is booked for, with their amounts.' }),
  suggestions: Type.Array(Match, { description: 'Suggested donations, best first, at most 5.' }),
  firstSeen: Nullable(Type.Object({ statementId: Type.Integer(), entryId: Type.String({ format: 'uuid' }) }), {
    description: 'First occurrence of the same transaction, for duplicates.'
  }),
  suggestedCampaignId: Nullable(Type.Integer(), {
    description: 'Suggested campaign if no donation matches, for POST …/donation.'
  }),
  suggestedCampaignName: Nullable(Type.String()),
  suggestedCampaignBy: Type.Unsafe<SuggestedBy | null>({
    type: ['string', 'null'],
    enum: [...suggestionMethods, null],
    description:
      'Source of the suggestion. reference: remittance text; rule: payer rule; earlier: an earlier donation of the payer.'
  }),
  openOfPayer: Type.Integer({
    description: 'Number of unmatched payments from the same account, including this one; 0 once it is decided.'
  }),
  ruleId: Nullable(Type.String({ format: 'uuid' }), { description: 'Payer rule that ignored it.' }),
  collection: Nullable(
    Type.Object({
      id: Type.Integer(),
      status: Type.Enum([...collectionStatuses]),
      collectOn: Type.String({ format: 'date' }),
      amount: buildAmountSchema('Amount of the batch for the account of the statement.')
    }),
    { description: 'Direct debit batch that it credits; only a suggestion if result says so.' }
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
      description: 'File, at most 50 MB. It can also be sent as the body.'
    },
    mapping: {
      type: 'string',
      description:
        'CSV only: column mapping as JSON, such as `{"Zweck": "text"}`, for columns that are not recognised by name.'
    }
  }
})

export const EntryQuery = Type.Object({
  ...Paging.properties,
  result: Type.Optional(
    Type.Unsafe<EntryResult>({ type: 'string', enum: entryResults, description: 'Result to select.' })
  )
})

const OneDonation = Type.Object({
  campaignId: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  id: Type.String({ uuid: true, maxLength: 100, examples: ['01900000-0000-7000-8000-000000000000'] })
})

const AssignedDonation = Type.Object({
  ...OneDonation.properties,
  amount: Type.Optional(
    buildAmountInputSchema(
      'Part of the transaction for this donation; default: the rest. Required if the campaign has another currency.',
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
      Nullable(AssignedDonation, { description: 'Donation to book it for; null undoes the booking.' })
    ),
    donations: Type.Optional(
      Type.Array(AssignedDonation, {
        minItems: 1,
        maxItems: sharesMax,
        description: 'Splits the transaction between donations; the amounts must add up to its amount.'
      })
    ),
    accept: Type.Optional(
      Type.Boolean({ description: 'Whether to accept the amount as complete even if it is less than pledged.' })
    ),
    extra: Type.Optional(
      Type.Enum(['donation'], {
        description:
          'With donation, for an overpayment: book the outstanding amount for the donation, and the rest for a new donation of the same donor.'
      })
    ),
    ignored: Type.Optional(Type.Boolean({ description: 'Ignore the transaction: it is not a donation.' })),
    remember: Type.Optional(
      Type.Boolean({
        description: 'With ignored: also ignore all other unmatched payments of this payer, now and in the future.'
      })
    ),
    note: Type.Optional(
      Type.String({
        line: true,
        maxLength: 200,
        description: 'Note of the payer rule, with remember.',
        examples: ['membership']
      })
    ),
    collectionId: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Direct debit batch that it credits, even if the amount differs.'
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
        Type.Boolean({ description: 'Whether to accept the amount as complete even if it is less than pledged.' })
      ),
      version: Type.Optional(
        Type.Integer({ minimum: 1, description: 'Version; rejected if the transaction has changed since.' })
      )
    }),
    { description: `1 to ${confirmedMax} transactions; default donation: the first suggestion.` }
  )
})
export type Confirmation = Static<typeof Confirmation>

export const Confirmed = NamedObject('ConfirmedEntries', {
  results: Type.Array(
    Type.Object({
      id: Type.String({ format: 'uuid' }),
      ok: Type.Boolean(),
      code: Type.Optional(Type.String({ description: 'Problem code, if it failed.' })),
      message: Type.Optional(Type.String({ description: 'Problem text, if it failed.' }))
    }),
    { description: 'One result per transaction, in request order.' }
  ),
  booked: Type.Integer({ description: 'Number of transactions booked.' })
})
export type Confirmed = Static<typeof Confirmed>
