import { type Static, Type } from 'typebox'
import { NamedObject } from '../../http/named-object.ts'
import { Nullable } from '../../http/nullable.ts'

const DateTime = Type.String({ format: 'date-time' })
const Name = Type.String({
  line: true,
  minLength: 1,
  maxLength: 100,
  description: 'Name of the passkey, such as the device.'
})
/** Base64url bytes, as browsers send them. Other text is refused as a credential that cannot be verified. */
const Bytes = (maxLength: number) => Type.String({ maxLength, writeOnly: true })

export const Passkey = NamedObject('Passkey', {
  id: Type.Integer({ description: 'Number of the passkey within the user account.' }),
  name: Type.String(),
  createdAt: DateTime,
  lastUsedAt: Nullable(DateTime),
  cloneWarningAt: Nullable(DateTime, {
    description:
      'When the signature counter went backwards, which indicates a cloned passkey. It is rejected from then on.'
  })
})
export type Passkey = Static<typeof Passkey>

export const PasskeyName = NamedObject('PasskeyName', { name: Name })
export type PasskeyName = Static<typeof PasskeyName>

const Descriptor = Type.Object({
  id: Type.String(),
  type: Type.Literal('public-key'),
  transports: Type.Optional(Type.Array(Type.String()))
})

/** PublicKeyCredentialCreationOptionsJSON of WebAuthn. */
export const CreationOptions = NamedObject('CreationOptions', {
  rp: Type.Object({ id: Type.String(), name: Type.String() }),
  user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
  challenge: Type.String(),
  pubKeyCredParams: Type.Array(Type.Object({ alg: Type.Integer(), type: Type.Literal('public-key') })),
  timeout: Type.Integer(),
  excludeCredentials: Type.Array(Descriptor),
  authenticatorSelection: Type.Object({
    residentKey: Type.String(),
    requireResidentKey: Type.Boolean(),
    userVerification: Type.String()
  }),
  attestation: Type.String()
})
export type CreationOptions = Static<typeof CreationOptions>

/** PublicKeyCredentialRequestOptionsJSON of WebAuthn. */
export const RequestOptions = NamedObject('RequestOptions', {
  rpId: Type.String(),
  challenge: Type.String(),
  timeout: Type.Integer(),
  allowCredentials: Type.Array(Descriptor),
  userVerification: Type.String()
})
export type RequestOptions = Static<typeof RequestOptions>

const Attempt = Type.Optional(
  Type.String({
    maxLength: 100,
    writeOnly: true,
    description: 'Value of `attempt` of a sign-in whose password was correct.'
  })
)

export const PasskeyOptionsRequest = NamedObject('PasskeyOptionsRequest', { attempt: Attempt })
export type PasskeyOptionsRequest = Static<typeof PasskeyOptionsRequest>

const credential = { id: Bytes(2000), rawId: Bytes(2000), type: Type.Enum(['public-key']) }

/** RegistrationResponseJSON of WebAuthn, and a name. */
export const NewPasskey = NamedObject('NewPasskey', {
  name: Name,
  credential: Type.Object({
    ...credential,
    response: Type.Object({
      clientDataJSON: Bytes(5000),
      attestationObject: Bytes(20_000),
      transports: Type.Optional(Type.Array(Type.String({ line: true, maxLength: 100 }), { maxItems: 10 }))
    })
  })
})
export type NewPasskey = Static<typeof NewPasskey>

export const CreatedPasskey = NamedObject('CreatedPasskey', {
  ...Passkey.properties,
  recoveryCodes: Type.Array(Type.String(), {
    description: 'Recovery codes, with the first second factor of a user account. Returned once.'
  })
})
export type CreatedPasskey = Static<typeof CreatedPasskey>

/** AuthenticationResponseJSON of WebAuthn. */
export const PasskeySignIn = NamedObject('PasskeySignIn', {
  attempt: Attempt,
  credential: Type.Object({
    ...credential,
    response: Type.Object({
      clientDataJSON: Bytes(5000),
      authenticatorData: Bytes(5000),
      signature: Bytes(5000),
      userHandle: Type.Optional(Nullable(Bytes(200)))
    })
  })
})
export type PasskeySignIn = Static<typeof PasskeySignIn>
