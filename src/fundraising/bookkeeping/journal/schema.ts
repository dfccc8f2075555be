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
  description: 'The year in which the money came or went back.'
})

/** Filters of the journal. */
export const JournalFilter = Type.Object({
  year: Year,
  account: Type.Optional(
    Type.String({
      line: true,
      maxLength: 60,
      description: 'Only what came on this account of the organisation; cash for cash.',
      examples: ['DE89370400440532013000']
    })
  ),
  campaignId: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }))
})
export type JournalFilter = Static<typeof JournalFilter>

const Sum = Type.Object({
  account: Type.String({
    description: 'The account of the organisation; cash for cash, none for things and waived expenses.'
  }),
  currency: Type.String(),
  count: Type.Integer({ description: 'How many payments.' }),
  received: buildAmountSchema('What came.'),
  returned: buildAmountSchema('What went back.'),
  balance: buildAmountSchema('What came less what went back.')
})

export const JournalSummary = NamedObject('JournalSummary', {
  years: Type.Array(Type.Integer(), { description: 'Years with payments, newest first.' }),
  accounts: Type.Array(Sum, { description: 'By account and currency, of the year that was asked for.' })
})
export type JournalSummary = Static<typeof JournalSummary>

export const JournalQuery = Type.Object({ year: Type.Optional(Year) })
