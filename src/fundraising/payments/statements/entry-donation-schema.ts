import { type Static, Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'
import { DonationChange } from '../../donations/schema.ts'
import { buildAmountInputSchema, buildAmountSchema } from '../../money/money.ts'
import { StatementEntry } from './schema.ts'

/** All fields are optional: the defaults come from the bank and earlier donations. */
export const EntryDonation = NamedObject('EntryDonation', {
  campaignId: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Campaign; required unless the remittance text or a payer rule names one. It may have ended.'
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
      'Amount in the currency of the campaign, if it differs; otherwise the amount of the transaction.',
      1
    )
  ),
  allOfPayer: Type.Optional(
    Type.Boolean({
      description: 'Also create donations for all other unmatched payments from this account, in all bank statements.'
    })
  ),
  remember: Type.Optional(
    Type.Boolean({
      description: 'Create a payer rule that preselects the campaign for later payments from this account.'
    })
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
      amount: buildAmountSchema('Amount received.'),
      statementId: Type.Integer(),
      entryId: Type.String({ format: 'uuid' })
    }),
    { description: 'Created donations, the one of this transaction first.' }
  )
})
export type DonatedEntries = Static<typeof DonatedEntries>
