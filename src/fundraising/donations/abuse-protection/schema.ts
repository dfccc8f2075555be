import { type Static, Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'
import { Nullable } from '#platform/http/nullable.ts'

/** The format of altcha (https://altcha.org), version 2. */
export const Challenge = NamedObject('Challenge', {
  parameters: Type.Object({
    algorithm: Type.String(),
    nonce: Type.String(),
    salt: Type.String(),
    cost: Type.Integer(),
    keyLength: Type.Integer(),
    keyPrefix: Type.String({ description: 'What the key begins with that is looked for.' }),
    keySignature: Type.String(),
    expiresAt: Type.Integer({ description: 'In seconds since 1970.' })
  }),
  signature: Type.String()
})
export type Challenge = Static<typeof Challenge>

export const ProofOfWork = NamedObject('ProofOfWork', {
  required: Type.Boolean({ description: 'Whether a donation by the public needs one.' }),
  challenge: Nullable(Challenge, {
    description: 'What to calculate: good for one donation, for ten minutes. Null where none is required.'
  })
})
export type ProofOfWork = Static<typeof ProofOfWork>
