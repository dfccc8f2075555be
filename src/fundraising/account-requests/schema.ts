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
      name: Nullable(Type.String(), { description: 'The holder; null if the present one stays.' }),
      nameOfBank: Nullable(Type.String()),
      ibanValid: Type.Boolean({ description: 'Whether check digits and length fit the country.' })
    }),
    { description: 'The account as it was requested, in full: the second person compares it. Null for turn_off.' }
  ),
  ibanBefore: Nullable(Type.String(), { description: 'The IBAN when the change was requested.' }),
  askedBy: Type.String(),
  askedAt: Instant,
  expiresAt: Instant,
  isOwn: Type.Boolean({ description: 'Whether the caller has requested it, in person or with a key of theirs.' }),
  canConfirm: Type.Boolean({ description: 'Whether the caller may be the second person.' })
})
export type AccountRequest = Static<typeof AccountRequest>

/** If the holder is omitted, it stays unchanged. */
export const NewAccountRequest = NamedObject('NewAccountRequest', {
  change: Type.Enum([...requestChanges]),
  campaignId: Type.Optional(
    Nullable(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
      description: 'Needed for campaign_account.'
    })
  ),
  account: Type.Optional(
    Nullable(NewDonorAccount, {
      description: 'Needed for campaign_account and site_account. A holder that is left out stays.'
    })
  )
})
export type NewAccountRequest = Static<typeof NewAccountRequest>
