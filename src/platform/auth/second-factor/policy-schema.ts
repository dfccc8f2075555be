import { type Static, Type } from 'typebox'
import { NamedObject } from '../../http/named-object.ts'
import { userRoles } from '../users/schema.ts'

export const SignInPolicy = NamedObject('SignInPolicy', {
  requireSecondFactor: Type.Array(Type.Enum([...userRoles]), {
    maxItems: 10,
    description:
      'Roles whose people need a second factor. Until they have one, they can do nothing but set it up. Keys are not affected.'
  })
})
export type SignInPolicy = Static<typeof SignInPolicy>
