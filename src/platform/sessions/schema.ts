import { type Static, Type } from 'typebox'
import { User } from '../users/schema.ts'

export const Session = Type.Object({
  expiresAt: Type.String({ format: 'date-time', description: 'If it is not used before.' }),
  user: User
})
export type Session = Static<typeof Session>

export const NewSession = Type.Object({
  token: Type.String({ description: 'Sent like a key: shown this once, kept as a hash.' }),
  ...Session.properties
})
export type NewSession = Static<typeof NewSession>

/** Any text: what is wrong is refused as wrong, whatever its form, so that nothing is learnt by trying. */
export const SignIn = Type.Object({
  email: Type.String({ line: true, format: 'email', maxLength: 254 }),
  password: Type.String({ maxLength: 200, writeOnly: true })
})
export type SignIn = Static<typeof SignIn>
