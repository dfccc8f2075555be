import { type Static, Type } from 'typebox'
import { NamedObject } from '../../http/named-object.ts'

const DateTime = Type.String({ format: 'date-time' })

export const OpenIdRequest = NamedObject('OpenIdRequest', {
  location: Type.String({
    description: 'Authorization URL of the provider; it redirects back to the console.'
  }),
  attempt: Type.String({ description: 'Token to complete this sign-in. It works once, for 15 minutes.' })
})
export type OpenIdRequest = Static<typeof OpenIdRequest>

/** Accepts any text: an ill-formed value gets the same error as a wrong one. */
export const OpenIdSignIn = NamedObject('OpenIdSignIn', {
  attempt: Type.String({
    maxLength: 100,
    writeOnly: true,
    description: 'Token of the request that started this sign-in.'
  }),
  callback: Type.String({
    maxLength: 8000,
    writeOnly: true,
    description: 'Query string of the URL that the provider redirected to.'
  })
})
export type OpenIdSignIn = Static<typeof OpenIdSignIn>

/** The identity of a user at an OpenID provider. */
export const Identity = NamedObject('Identity', {
  issuer: Type.String({ description: 'Issuer URL of the provider.' }),
  createdAt: DateTime,
  lastUsedAt: DateTime
})
export type Identity = Static<typeof Identity>
