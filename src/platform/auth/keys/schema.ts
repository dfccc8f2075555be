import { type Static, Type } from 'typebox'
import { roles } from '../../caller.ts'
import { NamedObject } from '../../http/named-object.ts'
import { Nullable } from '../../http/nullable.ts'

export const Key = NamedObject('Key', {
  id: Type.Integer(),
  name: Type.String(),
  role: Type.Enum([...roles]),
  createdAt: Type.String({ format: 'date-time' }),
  expiresAt: Nullable(Type.String({ format: 'date-time' })),
  lastUsedAt: Nullable(Type.String({ format: 'date-time' })),
  madeBy: Nullable(
    Type.Object(
      { id: Type.Integer(), name: Type.String() },
      {
        description: 'The person who made it, or whose key made it. Null for keys of the command line and of ADMIN_KEY.'
      }
    )
  )
})
export type Key = Static<typeof Key>

export const IssuedKey = NamedObject('IssuedKey', {
  ...Key.properties,
  key: Type.String({ description: 'The key itself: shown this once, kept as a hash.' })
})
export type IssuedKey = Static<typeof IssuedKey>

export const NewKey = NamedObject('NewKey', {
  name: Type.String({ line: true, minLength: 1, maxLength: 100, description: 'What the key is for.' }),
  role: Type.Enum([...roles]),
  expiresAt: Type.Optional(Nullable(Type.String({ instant: true, description: 'When it stops to work.' })))
})
export type NewKey = Static<typeof NewKey>
