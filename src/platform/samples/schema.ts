import { type Static, Type } from 'typebox'
import { NamedObject } from '../http/named-object.ts'

const Kind = Type.String({
  description: 'As the activity log calls it: campaign, donation, event, venue, organizer, category, tag or image.'
})

export const SampleList = NamedObject('SampleList', {
  kinds: Type.Array(
    Type.Object({
      kind: Kind,
      count: Type.Integer(),
      ids: Type.Array(Type.String(), { description: 'Oldest first.' })
    }),
    { description: 'Empty if there is no sample content, or none any more.' }
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
      reason: Type.String({ description: 'In words, in the language of the request.' })
    })
  )
})
export type SamplesRemoved = Static<typeof SamplesRemoved>
