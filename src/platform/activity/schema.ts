import { type Static, Type } from 'typebox'
import { NamedObject } from '../http/named-object.ts'
import { Nullable } from '../http/nullable.ts'
import { Paging } from '../http/paging.ts'

export const Activity = NamedObject('Activity', {
  id: Type.Integer(),
  at: Type.String({ format: 'date-time' }),
  action: Type.String({ description: 'Action, such as donation.created.' }),
  subject: Type.String({ description: 'Resource type, such as donation.' }),
  subjectId: Type.String(),
  actor: Type.String(),
  requestId: Nullable(Type.String()),
  details: Type.Record(Type.String(), Type.Unknown())
})
export type Activity = Static<typeof Activity>

export const ActivityQuery = Type.Object({
  ...Paging.properties,
  action: Type.Optional(Type.String({ line: true, maxLength: 100 })),
  subject: Type.Optional(Type.String({ line: true, maxLength: 100 })),
  subjectId: Type.Optional(Type.String({ line: true, maxLength: 100 })),
  actor: Type.Optional(Type.String({ line: true, maxLength: 200 })),
  since: Type.Optional(Type.String({ instant: true, description: 'Start of the period, inclusive.' })),
  until: Type.Optional(Type.String({ instant: true, description: 'End of the period, exclusive.' }))
})
export type ActivityQuery = Static<typeof ActivityQuery>
