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
        description:
          'User who created the key, directly or with another key. Null for keys created on the command line or with ADMIN_KEY.'
      }
    )
  )
})
export type Key = Static<typeof Key>

export const IssuedKey = NamedObject('IssuedKey', {
  ...Key.properties,
  key: Type.String({ description: 'The key. Returned once and stored as a hash.' })
})
export type IssuedKey = Static<typeof IssuedKey>

export const NewKey = NamedObject('NewKey', {
  name: Type.String({ line: true, minLength: 1, maxLength: 100, description: 'Purpose of the key.' }),
  role: Type.Enum([...roles]),
  expiresAt: Type.Optional(Nullable(Type.String({ instant: true, description: 'When the key expires.' })))
})
export type NewKey = Static<typeof NewKey>
