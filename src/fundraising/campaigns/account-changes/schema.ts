import { type Static, Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'
import { Nullable } from '#platform/http/nullable.ts'

/** A change of the account that donors pay to. A thief would change it, so every member of staff can see it. */
export const AccountChange = NamedObject('AccountChange', {
  at: Type.String({ format: 'date-time' }),
  actor: Type.String({ description: 'Actor of the change, as named in the activity log.' }),
  campaignId: Nullable(Type.Integer(), { description: 'Campaign; null for the default account of new campaigns.' }),
  campaignName: Nullable(Type.String({ description: 'Name of the campaign at that time.' })),
  before: Nullable(Type.String(), { description: 'Previous IBAN, masked.' }),
  after: Nullable(Type.String()),
  askedBy: Nullable(Type.String(), {
    description: 'Requester of the change, if `actor` confirmed it as the second person.'
  })
})
export type AccountChange = Static<typeof AccountChange>

export const changesMax = 100

export const AccountChangesQuery = Type.Object({
  campaignId: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  since: Type.Optional(Type.String({ instant: true, description: 'Start of the period, inclusive.' })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: changesMax, default: 20, description: 'Maximum number of items.' })
  )
})
export type AccountChangesQuery = Static<typeof AccountChangesQuery>
