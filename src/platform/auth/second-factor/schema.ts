import { type Static, Type } from 'typebox'
import { NamedObject } from '../../http/named-object.ts'
import { Nullable } from '../../http/nullable.ts'
import { Passkey } from './passkey-schema.ts'

const DateTime = Type.String({ format: 'date-time' })

export const factorKinds = ['totp', 'passkey', 'recoveryCode'] as const
export type FactorKind = (typeof factorKinds)[number]

export const Factors = NamedObject('Factors', {
  totp: Nullable(Type.Object({ createdAt: DateTime, lastUsedAt: Nullable(DateTime) }), {
    description: 'When the authenticator app was set up; null if there is none.'
  }),
  passkeys: Type.Array(Passkey),
  recoveryCodesLeft: Type.Integer({
    description: 'Number of unused recovery codes. Each works once, in place of any other second factor.'
  })
})
export type Factors = Static<typeof Factors>

export const OwnFactors = NamedObject('OwnFactors', {
  ...Factors.properties,
  required: Type.Boolean({ description: 'Whether your role needs a second factor.' }),
  passkeysOffered: Type.Boolean({
    description: 'Whether passkeys can be used: browsers need a domain name and HTTPS.'
  })
})
export type OwnFactors = Static<typeof OwnFactors>

export const SignInMethods = NamedObject('SignInMethods', {
  passkey: Type.Boolean({ description: 'Whether passkeys can be used: browsers need a domain name and HTTPS.' }),
  openid: Nullable(Type.Object({ name: Type.String({ description: 'Display name of the provider.' }) }), {
    description: 'The OpenID provider at which users can sign in (single sign-on).'
  })
})
export type SignInMethods = Static<typeof SignInMethods>

const Code = Type.String({
  maxLength: 100,
  writeOnly: true,
  description: 'Six-digit code of the authenticator app, or a recovery code; spaces and dashes are ignored.'
})

/** One of the two is enough. Accepts any text: an ill-formed value gets the same error as a wrong one. */
const proof = {
  currentPassword: Type.Optional(Type.String({ maxLength: 200, writeOnly: true })),
  code: Type.Optional(Code)
}

export const Proof = NamedObject('IdentityProof', proof, {
  description: 'Your password, or a code of one of your second factors.'
})
export type Proof = Static<typeof Proof>

export const NewTotp = NamedObject('NewTotp', {
  secret: Type.String({ description: 'Secret to type into apps that cannot scan the QR code. Returned once.' }),
  uri: Type.String({ description: 'otpauth URI, the content of the QR code.' })
})
export type NewTotp = Static<typeof NewTotp>

export const TotpConfirmation = NamedObject('TotpConfirmation', { code: Code })
export type TotpConfirmation = Static<typeof TotpConfirmation>

export const RecoveryCodes = NamedObject('RecoveryCodes', {
  recoveryCodes: Type.Array(Type.String(), {
    description: 'Recovery codes. Each works once. Returned once and stored as hashes; empty if you already have some.'
  })
})
export type RecoveryCodes = Static<typeof RecoveryCodes>

export const SecondStep = NamedObject('SecondStep', {
  attempt: Type.String({
    maxLength: 100,
    writeOnly: true,
    description: 'Value of `attempt` in the problem second-factor-required.'
  }),
  code: Code
})
export type SecondStep = Static<typeof SecondStep>
