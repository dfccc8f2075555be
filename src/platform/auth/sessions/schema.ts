import { type Static, Type } from 'typebox'
import { NamedObject } from '../../http/named-object.ts'
import { Nullable } from '../../http/nullable.ts'
import { User } from '../users/schema.ts'

export const Session = NamedObject('Session', {
  expiresAt: Type.String({ format: 'date-time', description: 'When the session ends if it is not used.' }),
  user: User
})
export type Session = Static<typeof Session>

export const CurrentSession = NamedObject('CurrentSession', {
  ...Session.properties,
  secondFactorMissing: Type.Boolean({
    description: 'Whether a second factor has to be set up first; until then only your own user account is accessible.'
  })
})

export const NewSession = NamedObject('NewSession', {
  token: Type.String({ description: 'Session token, sent like an API key. Returned once and stored as a hash.' }),
  deviceToken: Type.Optional(
    Type.String({
      description:
        'Device token, to be sent with the next sign-in from this device, so that failed attempts of others do not delay it. It grants no access.'
    })
  ),
  ...Session.properties
})
export type NewSession = Static<typeof NewSession>

/** A session in the list of a user's sessions. */
export const ListedSession = NamedObject('ListedSession', {
  id: Type.Integer(),
  isCurrent: Type.Boolean({ description: 'Whether this is the session of the request.' }),
  browser: Nullable(Type.String({ description: 'Browser, such as Firefox.' })),
  system: Nullable(Type.String({ description: 'Operating system, such as Windows.' })),
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
    Type.String({
      maxLength: 100,
      writeOnly: true,
      description: 'Code of the second factor, for user accounts that have one.'
    })
  ),
  deviceToken: Type.Optional(
    Type.String({
      maxLength: 200,
      writeOnly: true,
      description: 'Device token of the last sign-in from this device; an unknown one is ignored.'
    })
  )
})
export type SignIn = Static<typeof SignIn>
