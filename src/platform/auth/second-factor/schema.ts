import { type Static, Type } from 'typebox'
import { NamedObject } from '../../http/named-object.ts'
import { Nullable } from '../../http/nullable.ts'
import { Passkey } from './passkey-schema.ts'

const DateTime = Type.String({ format: 'date-time' })

export const factorKinds = ['totp', 'passkey', 'recoveryCode'] as const
export type FactorKind = (typeof factorKinds)[number]

export const Factors = NamedObject('Factors', {
  totp: Nullable(Type.Object({ createdAt: DateTime, lastUsedAt: Nullable(DateTime) }), {
    description: 'An authenticator app, since when.'
  }),
  passkeys: Type.Array(Passkey),
  recoveryCodesLeft: Type.Integer({ description: 'Each works once, in place of any other second factor.' })
})
export type Factors = Static<typeof Factors>

export const OwnFactors = NamedObject('OwnFactors', {
  ...Factors.properties,
  required: Type.Boolean({ description: 'Whether the own role needs a second factor.' }),
  passkeysOffered: Type.Boolean({
    description: 'Browsers have passkeys only for a site with a name of its own and https.'
  })
})
export type OwnFactors = Static<typeof OwnFactors>

export const SignInMethods = NamedObject('SignInMethods', {
  passkey: Type.Boolean({ description: 'Whether this site has an address that browsers have passkeys for.' }),
  openid: Nullable(Type.Object({ name: Type.String({ description: 'What people call the provider.' }) }), {
    description: 'The OpenID provider at which people can sign in (single sign-on).'
  })
})
export type SignInMethods = Static<typeof SignInMethods>

const Code = Type.String({
  maxLength: 100,
  writeOnly: true,
  description: 'Six digits of the authenticator app, or a recovery code; blanks and dashes do not count.'
})

/** One of the two is enough. Accepts any text: an ill-formed value gets the same error as a wrong one. */
const proof = {
  currentPassword: Type.Optional(Type.String({ maxLength: 200, writeOnly: true })),
  code: Type.Optional(Code)
}

export const Proof = NamedObject('IdentityProof', proof, {
  description: 'Shows that it is really you: your password, or a code of a second factor that you have.'
})
export type Proof = Static<typeof Proof>

export const NewTotp = NamedObject('NewTotp', {
  secret: Type.String({ description: 'For apps that cannot read the QR code: typed as it is. Shown this once.' }),
  uri: Type.String({ description: 'What the QR code says: an otpauth address.' })
})
export type NewTotp = Static<typeof NewTotp>

export const TotpConfirmation = NamedObject('TotpConfirmation', { code: Code })
export type TotpConfirmation = Static<typeof TotpConfirmation>

export const RecoveryCodes = NamedObject('RecoveryCodes', {
  recoveryCodes: Type.Array(Type.String(), {
    description: 'Each works once. Shown this once, kept as hashes; empty if you have some already.'
  })
})
export type RecoveryCodes = Static<typeof RecoveryCodes>

export const SecondStep = NamedObject('SecondStep', {
  attempt: Type.String({ maxLength: 100, writeOnly: true, description: 'Out of the refusal second-factor-required.' }),
  code: Code
})
export type SecondStep = Static<typeof SecondStep>
