import { type Static, Type } from 'typebox'
import { NamedObject } from '../http/named-object.ts'

const Kind = Type.String({
  description: 'Resource type: campaign, donation, event, venue, organizer, category, tag or image.'
})

export const SampleList = NamedObject('SampleList', {
  kinds: Type.Array(
    Type.Object({
      kind: Kind,
      count: Type.Integer(),
      ids: Type.Array(Type.String(), { description: 'Oldest first.' })
    }),
    { description: 'Sample content by type; empty if there is none.' }
  )
})
export type SampleList = Static<typeof SampleList>

export const SamplesRemoved = NamedObject('SamplesRemoved', {
  removed: Type.Array(Type.Object({ kind: Kind, count: Type.Integer() })),
  kept: Type.Array(
    Type.Object({
      kind: Kind,
      id: Type.String(),
      name: Type.String(),
      reason: Type.String({ description: 'Reason, in the language of the request.' })
    })
  )
})
export type SamplesRemoved = Static<typeof SamplesRemoved>
