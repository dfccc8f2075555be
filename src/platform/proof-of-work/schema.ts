import { type Static, Type } from 'typebox'
import { NamedObject } from '../http/named-object.ts'
import { Nullable } from '../http/nullable.ts'

/** The format of altcha (https://altcha.org), version 2. */
export const Challenge = NamedObject('Challenge', {
  parameters: Type.Object({
    algorithm: Type.String(),
    nonce: Type.String(),
    salt: Type.String(),
    cost: Type.Integer(),
    keyLength: Type.Integer(),
    keyPrefix: Type.String({ description: 'Prefix of the derived key to be found.' }),
    keySignature: Type.String(),
    expiresAt: Type.Integer({ description: 'Expiry, in seconds since 1970.' })
  }),
  signature: Type.String()
})
export type Challenge = Static<typeof Challenge>

export const ProofOfWork = NamedObject('ProofOfWork', {
  required: Type.Boolean({ description: 'Whether visitors need a proof of work.' }),
  challenge: Nullable(Challenge, {
    description: 'Challenge, valid for one request within ten minutes. Null if none is required.'
  })
})
export type ProofOfWork = Static<typeof ProofOfWork>
