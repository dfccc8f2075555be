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
  invitedBy: Type.String({ description: 'Who invited, as named in the activity log.' }),
  createdAt: Type.String({ format: 'date-time' }),
  expiresAt: Type.String({ format: 'date-time', description: 'When the link expires; a new link can be created.' })
})
export type Invitation = Static<typeof Invitation>

export const IssuedInvitation = NamedObject('IssuedInvitation', {
  ...Invitation.properties,
  link: Type.String({ description: 'Link to pass on. Returned once, stored as a hash, works once.' }),
  mailed: Type.Boolean({ description: 'Whether a link is also emailed to the user.' })
})
export type IssuedInvitation = Static<typeof IssuedInvitation>

export const Acceptance = NamedObject('Acceptance', { token: LinkToken, password: NewPassword })
export type Acceptance = Static<typeof Acceptance>
