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
    description: 'The thing, as exactly as a receipt names it.'
  }),
  condition: Type.Optional(
    Nullable(
      Type.String({
        line: true,
        maxLength: 300,
        description: 'Its age, condition, price when it was bought, and so on.'
      })
    )
  ),
  origin: Type.Enum(['private', 'business', 'unknown'], {
    description:
      'Whether it was the donor’s private or business property, as the donor says; unknown if the donor was asked and does not say.'
  }),
  basis: Type.Optional(
    Nullable(
      Type.String({
        line: true,
        maxLength: 300,
        description: 'How its value was found, such as an invoice or an expert’s opinion.'
      })
    )
  ),
  documents: Type.Optional(Type.Boolean({ description: 'Whether documents that prove the value are kept.' }))
})
export type InKind = Static<typeof InKind>
