import { type Static, Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'
import { buildAmountSchema } from '../../money/money.ts'

/** The account name for cash payments. */
export const cashAccount = 'cash'
/** The account name for donations in kind and waived expenses, which arrive on no account. */
export const noAccount = 'none'

const Year = Type.Integer({
  minimum: 1900,
  maximum: 2200,
  description: 'Year of the payments and refunds.'
})

/** Filters of the journal. */
export const JournalFilter = Type.Object({
  year: Year,
  account: Type.Optional(
    Type.String({
      line: true,
      maxLength: 60,
      description: 'Account of the organisation to select (IBAN, or `cash`).',
      examples: ['DE89370400440532013000']
    })
  ),
  campaignId: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }))
})
export type JournalFilter = Static<typeof JournalFilter>

const Sum = Type.Object({
  account: Type.String({
    description: 'Account of the organisation: IBAN, `cash`, or none for gifts in kind and waived expenses.'
  }),
  currency: Type.String(),
  count: Type.Integer({ description: 'Number of payments.' }),
  received: buildAmountSchema('Amount received.'),
  returned: buildAmountSchema('Amount returned.'),
  balance: buildAmountSchema('Amount received minus amount returned.')
})

export const JournalSummary = NamedObject('JournalSummary', {
  years: Type.Array(Type.Integer(), { description: 'Years with payments, newest first.' }),
  accounts: Type.Array(Sum, { description: 'Totals of the requested year by account and currency.' })
})
export type JournalSummary = Static<typeof JournalSummary>

export const JournalQuery = Type.Object({ year: Type.Optional(Year) })
