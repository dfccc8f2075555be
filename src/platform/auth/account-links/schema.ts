import { type Static, Type } from 'typebox'
import { languages } from '../../language.ts'

/** Any text: one that is no token is refused as one that does not work. */
export const LinkToken = Type.String({ line: true, maxLength: 100, description: 'From the address of the link.' })

export const LinkCheck = Type.Object({ token: LinkToken })

/** Whom a link is for, told to whoever has it. */
export const AccountLink = Type.Object({
  kind: Type.Enum(['invitation', 'reset']),
  name: Type.String(),
  email: Type.String(),
  language: Type.Enum([...languages]),
  expiresAt: Type.String({ format: 'date-time' })
})
export type AccountLink = Static<typeof AccountLink>
