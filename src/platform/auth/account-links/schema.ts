import { type Static, Type } from 'typebox'
import { NamedObject } from '../../http/named-object.ts'
import { languages } from '../../language.ts'

/** Accepts any text: an ill-formed token gets the same error as an invalid one. */
export const LinkToken = Type.String({ line: true, maxLength: 100, description: 'Token from the URL of the link.' })

export const LinkCheck = NamedObject('LinkCheck', { token: LinkToken })

/** The person a link is for, as shown to the holder of the link. */
export const AccountLink = NamedObject('AccountLink', {
  kind: Type.Enum(['invitation', 'reset']),
  name: Type.String(),
  email: Type.String(),
  language: Type.Enum([...languages]),
  expiresAt: Type.String({ format: 'date-time' })
})
export type AccountLink = Static<typeof AccountLink>
