import { type Static, Type } from 'typebox'
import { NamedObject } from '../../http/named-object.ts'

const DateTime = Type.String({ format: 'date-time' })

export const OpenIdRequest = NamedObject('OpenIdRequest', {
  location: Type.String({
    description: 'Where the browser goes: the provider’s page, which leads back to the console.'
  }),
  attempt: Type.String({ description: 'For the other half of this sign-in. It works once, for 15 minutes.' })
})
export type OpenIdRequest = Static<typeof OpenIdRequest>

/** Accepts any text: an ill-formed value gets the same error as a wrong one. */
export const OpenIdSignIn = NamedObject('OpenIdSignIn', {
  attempt: Type.String({
    maxLength: 100,
    writeOnly: true,
    description: 'Of the request that this sign-in began with.'
  }),
  callback: Type.String({
    maxLength: 8000,
    writeOnly: true,
    description: 'The query string of the address that the provider sent the browser back to.'
  })
})
export type OpenIdSignIn = Static<typeof OpenIdSignIn>

/** The identity of a user at an OpenID provider. */
export const Identity = NamedObject('Identity', {
  issuer: Type.String({ description: 'The address of the provider.' }),
  createdAt: DateTime,
  lastUsedAt: DateTime
})
export type Identity = Static<typeof Identity>
