import { type Static, Type } from 'typebox'
import { NamedObject } from '../../http/named-object.ts'
import { Nullable } from '../../http/nullable.ts'
import { languages } from '../../language.ts'

/** Roles of users; keys have further roles. */
export const userRoles = ['viewer', 'editor', 'treasurer', 'admin'] as const
export type UserRole = (typeof userRoles)[number]

export const User = NamedObject('User', {
  id: Type.Integer({ description: 'Id of the user; also the author id of their content.' }),
  name: Type.String(),
  email: Type.String({ description: 'Email address, in lower case.' }),
  role: Type.Enum([...userRoles]),
  language: Type.Enum([...languages], { description: 'The language of the console.' }),
  createdAt: Type.String({ format: 'date-time' }),
  lastSeenAt: Nullable(Type.String({ format: 'date-time' }))
})
export type User = Static<typeof User>

const Name = Type.String({ line: true, minLength: 1, maxLength: 100 })
const Email = Type.String({ line: true, format: 'email', maxLength: 254 })
const Role = Type.Enum([...userRoles])
const Language = Type.Enum([...languages], { description: 'The language of the console.' })

/** Taken literally: spaces count. */
export const NewPassword = Type.String({
  minLength: 10,
  maxLength: 200,
  writeOnly: true,
  description: 'Not the name, not the email address, and not a common password.'
})

export const NewUser = NamedObject('NewUser', {
  name: Name,
  email: Email,
  role: Role,
  language: Type.Optional(Language),
  password: NewPassword
})
export type NewUser = Static<typeof NewUser>

/** What happens to the keys that a user has made. */
export const KeysQuery = Type.Object({
  keys: Type.Optional(
    Type.Enum(['end', 'handover'], {
      description:
        'What happens to API keys that the user created and whose role is now too high: end (default) revokes them, handover transfers them to you.'
    })
  )
})

export const UserChanges = NamedObject('UserChanges', {
  name: Type.Optional(Name),
  email: Type.Optional(Email),
  role: Type.Optional(Role),
  language: Type.Optional(Language),
  password: Type.Optional(NewPassword)
})
export type UserChanges = Static<typeof UserChanges>

export const OwnChanges = NamedObject('OwnChanges', { name: Type.Optional(Name), language: Type.Optional(Language) })
export type OwnChanges = Static<typeof OwnChanges>

export const PasswordChange = NamedObject('PasswordChange', {
  // Accepts any text: an ill-formed value gets the same error as a wrong one.
  currentPassword: Type.String({ maxLength: 200, writeOnly: true }),
  newPassword: NewPassword
})
export type PasswordChange = Static<typeof PasswordChange>
