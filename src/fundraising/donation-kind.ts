import { type Static, Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'
import { Nullable } from '#platform/http/nullable.ts'

/** Only the first two kinds are money on an account. */
export const donationKinds = ['money', 'membership_fee', 'waived_expenses', 'in_kind'] as const
export type DonationKind = (typeof donationKinds)[number]

export const InKind = NamedObject('InKind', {
  description: Type.String({
    line: true,
    minLength: 1,
    maxLength: 300,
    description: 'Exact description of the item, as printed on the receipt.'
  }),
  condition: Type.Optional(
    Nullable(
      Type.String({
        line: true,
        maxLength: 300,
        description: 'Age, condition, purchase price and similar details.'
      })
    )
  ),
  origin: Type.Enum(['private', 'business', 'unknown'], {
    description:
      'Whether it was the donor’s private or business property, as stated by the donor; unknown if the donor was asked and did not say.'
  }),
  basis: Type.Optional(
    Nullable(
      Type.String({
        line: true,
        maxLength: 300,
        description: 'Basis of the valuation, such as an invoice or an expert’s opinion.'
      })
    )
  ),
  documents: Type.Optional(Type.Boolean({ description: 'Whether documents that prove the value are on file.' }))
})
export type InKind = Static<typeof InKind>
