import { type Static, Type } from 'typebox'
import { NamedObject } from '../../http/named-object.ts'
import { userRoles } from '../users/schema.ts'

export const SignInPolicy = NamedObject('SignInPolicy', {
  requireSecondFactor: Type.Array(Type.Enum([...userRoles]), {
    maxItems: 10,
    description:
      'Roles that require a second factor. Until users with these roles have one, they can only set it up. API keys are not affected.'
  })
})
export type SignInPolicy = Static<typeof SignInPolicy>
