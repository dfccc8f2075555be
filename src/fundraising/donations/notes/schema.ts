import { type Static, Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'

/** A treasurer's internal note about a donation. */
export const Note = NamedObject('Note', {
  id: Type.String({ format: 'uuid' }),
  text: Type.String(),
  at: Type.String({ format: 'date-time' }),
  actor: Type.String()
})
export type Note = Static<typeof Note>

export const NewNote = NamedObject('NewNote', { text: Type.String({ text: true, minLength: 1, maxLength: 2000 }) })
export type NewNote = Static<typeof NewNote>
