import { type Static, Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'
import { Nullable } from '#platform/http/nullable.ts'
import { NewDonorAccount } from '../money/account.ts'

/** A new account for a campaign, a new default account for campaigns, or turning off the second-person rule. */
export const requestChanges = ['campaign_account', 'site_account', 'turn_off'] as const
export type RequestChange = (typeof requestChanges)[number]

const Instant = Type.String({ format: 'date-time' })

/** An account change that waits for confirmation by a second person. */
export const AccountRequest = NamedObject('AccountRequest', {
  id: Type.Integer(),
  change: Type.Enum([...requestChanges]),
  campaignId: Nullable(Type.Integer()),
  campaignName: Nullable(Type.String()),
  account: Nullable(
    Type.Object({
      iban: Type.String(),
      name: Nullable(Type.String(), { description: 'Account holder; null if it does not change.' }),
      nameOfBank: Nullable(Type.String()),
      ibanValid: Type.Boolean({ description: 'Whether check digits and length are valid for the country.' })
    }),
    { description: 'Requested IBAN in full, to be compared by the second person. Null for turn_off.' }
  ),
  ibanBefore: Nullable(Type.String(), { description: 'IBAN at the time of the request.' }),
  askedBy: Type.String(),
  askedAt: Instant,
  expiresAt: Instant,
  isOwn: Type.Boolean({ description: 'Whether the caller made the request, signed in or with a key of theirs.' }),
  canConfirm: Type.Boolean({ description: 'Whether the caller may confirm as the second person.' })
})
export type AccountRequest = Static<typeof AccountRequest>

/** If the holder is omitted, it stays unchanged. */
export const NewAccountRequest = NamedObject('NewAccountRequest', {
  change: Type.Enum([...requestChanges]),
  campaignId: Type.Optional(
    Nullable(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
      description: 'Campaign; required for campaign_account.'
    })
  ),
  account: Type.Optional(
    Nullable(NewDonorAccount, {
      description: 'New account; required for campaign_account and site_account. An omitted holder is kept.'
    })
  )
})
export type NewAccountRequest = Static<typeof NewAccountRequest>
