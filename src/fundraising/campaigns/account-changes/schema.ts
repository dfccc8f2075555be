import { type Static, Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'
import { Nullable } from '#platform/http/nullable.ts'

/** A change of the account that donors pay to. A thief would change it, so every member of staff can see it. */
export const AccountChange = NamedObject('AccountChange', {
  at: Type.String({ format: 'date-time' }),
  actor: Type.String({ description: 'Who changed it.' }),
  campaignId: Nullable(Type.Integer(), { description: 'Null for the account that new campaigns begin with.' }),
  campaignName: Nullable(Type.String({ description: 'As it was called then.' })),
  before: Nullable(Type.String(), { description: 'The account of before, its first and last characters.' }),
  after: Nullable(Type.String()),
  askedBy: Nullable(Type.String(), { description: 'Who asked for it, where `actor` confirmed it as a second person.' })
})
export type AccountChange = Static<typeof AccountChange>

export const changesMax = 100

export const AccountChangesQuery = Type.Object({
  campaignId: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  since: Type.Optional(Type.String({ instant: true, description: 'From this moment on.' })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: changesMax, default: 20, description: 'How many come at most.' })
  )
})
export type AccountChangesQuery = Static<typeof AccountChangesQuery>
