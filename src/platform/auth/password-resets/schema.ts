import { type Static, Type } from 'typebox'
import { NamedObject } from '../../http/named-object.ts'
import { LinkToken } from '../account-links/schema.ts'
import { NewPassword } from '../users/schema.ts'

export const ResetMethods = NamedObject('ResetMethods', {
  byMail: Type.Boolean({ description: 'Whether reset links are sent by email. If not, an admin creates them.' })
})
export type ResetMethods = Static<typeof ResetMethods>

export const ResetRequest = NamedObject('ResetRequest', {
  email: Type.String({ line: true, format: 'email', maxLength: 254 })
})
export type ResetRequest = Static<typeof ResetRequest>

export const ResetLink = NamedObject('ResetLink', {
  link: Type.String({ description: 'Link to pass on. Returned once, stored as a hash, works once.' }),
  expiresAt: Type.String({ format: 'date-time' })
})
export type ResetLink = Static<typeof ResetLink>

export const ResetUse = NamedObject('ResetUse', { token: LinkToken, password: NewPassword })
export type ResetUse = Static<typeof ResetUse>
