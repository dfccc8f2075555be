import { type Static, Type } from 'typebox'
import { NamedObject } from '../../http/named-object.ts'
import { LinkToken } from '../account-links/schema.ts'
import { NewPassword, NewUser, User } from '../users/schema.ts'

const { name, email, role, language } = NewUser.properties

export const NewInvitation = NamedObject('NewInvitation', { name, email, role, language })
export type NewInvitation = Static<typeof NewInvitation>

const answered = User.properties

export const Invitation = NamedObject('Invitation', {
  id: Type.Integer(),
  name: answered.name,
  email: answered.email,
  role: answered.role,
  language: answered.language,
  invitedBy: Type.String({ description: 'As the activity log calls them.' }),
  createdAt: Type.String({ format: 'date-time' }),
  expiresAt: Type.String({ format: 'date-time', description: 'When its link ends; a new link can be made.' })
})
export type Invitation = Static<typeof Invitation>

export const IssuedInvitation = NamedObject('IssuedInvitation', {
  ...Invitation.properties,
  link: Type.String({ description: 'To pass on: shown this once, stored as a hash. It works once.' }),
  mailed: Type.Boolean({ description: 'A link is also sent to their e-mail address.' })
})
export type IssuedInvitation = Static<typeof IssuedInvitation>

export const Acceptance = NamedObject('Acceptance', { token: LinkToken, password: NewPassword })
export type Acceptance = Static<typeof Acceptance>
