import { type Static, Type } from 'typebox'
import { NamedObject } from '../../http/named-object.ts'
import { Nullable } from '../../http/nullable.ts'
import { User } from '../users/schema.ts'

export const Session = NamedObject('Session', {
  expiresAt: Type.String({ format: 'date-time', description: 'If it is not used before.' }),
  user: User
})
export type Session = Static<typeof Session>

export const CurrentSession = NamedObject('CurrentSession', {
  ...Session.properties,
  secondFactorMissing: Type.Boolean({
    description: 'Nothing but the own account is open until a second factor is set up.'
  })
})

export const NewSession = NamedObject('NewSession', {
  token: Type.String({ description: 'Sent like a key: shown this once, kept as a hash.' }),
  deviceToken: Type.Optional(
    Type.String({
      description:
        'Sent when signing in again from the same device: wrong attempts of others do not make it wait. It opens nothing by itself.'
    })
  ),
  ...Session.properties
})
export type NewSession = Static<typeof NewSession>

/** A session in the list of a user's sessions. */
export const ListedSession = NamedObject('ListedSession', {
  id: Type.Integer(),
  isCurrent: Type.Boolean({ description: 'The one that asks.' }),
  browser: Nullable(Type.String({ description: 'Such as Firefox.' })),
  system: Nullable(Type.String({ description: 'Such as Windows.' })),
  createdAt: Type.String({ format: 'date-time' }),
  lastUsedAt: Type.String({ format: 'date-time' })
})
export type ListedSession = Static<typeof ListedSession>

export const PasswordConfirmation = NamedObject('PasswordConfirmation', {
  password: Type.String({ maxLength: 200, writeOnly: true })
})

export const ConfirmedSession = NamedObject('ConfirmedSession', {
  confirmedUntil: Type.String({ format: 'date-time' })
})

/** Accepts any text: an ill-formed value gets the same error as a wrong one, so that responses reveal nothing. */
export const SignIn = NamedObject('SignIn', {
  email: Type.String({ line: true, format: 'email', maxLength: 254 }),
  password: Type.String({ maxLength: 200, writeOnly: true }),
  code: Type.Optional(
    Type.String({ maxLength: 100, writeOnly: true, description: 'Of the second factor, for accounts that have one.' })
  ),
  deviceToken: Type.Optional(
    Type.String({
      maxLength: 200,
      writeOnly: true,
      description: 'What the last sign-in from this device answered; one that does not fit counts as none.'
    })
  )
})
export type SignIn = Static<typeof SignIn>
