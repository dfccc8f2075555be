import type * as WebAuthn from '@simplewebauthn/server'
import { record } from '../../activity/activity.ts'
import { type Caller, newUserCaller } from '../../caller.ts'
import type { Settings } from '../../config.ts'
import type { Database } from '../../database/database.ts'
import { requireLazily } from '../../lazy-require.ts'
import { Problem } from '../../problem.ts'
import * as site from '../../site/queries.ts'
import {
  consumeSignIn,
  findSignIn,
  makeFirstRecoveryCodes,
  removeUselessRecoveryCodes
} from '../second-factor/factor.ts'
import * as passkeys from '../second-factor/passkey-queries.ts'
import type {
  CreatedPasskey,
  CreationOptions,
  NewPasskey,
  Passkey,
  PasskeySignIn,
  RequestOptions
} from '../second-factor/passkey-schema.ts'
import { newSignInExpiredProblem } from '../second-factor/problems.ts'
import type { RelyingParty } from '../second-factor/relying-party.ts'
import type { Proof } from '../second-factor/schema.ts'
import { beginStep, consumeStep } from '../second-factor/sign-in-step.ts'
import { proveIdentity } from '../second-factor/verify.ts'
import * as users from '../users/queries.ts'
import {
  newPasskeyClonedProblem,
  newPasskeyExpiredProblem,
  newPasskeyKnownProblem,
  newPasskeyNotFoundProblem,
  newPasskeyRefusedProblem,
  newPasskeyUnknownProblem,
  newTooManyPasskeysProblem
} from './problems.ts'

const webAuthn = requireLazily<typeof WebAuthn>('@simplewebauthn/server')

/** As long as the challenge is valid. */
const timeoutMs = 5 * 60_000
const passkeysMax = 20
const kinds = { registration: 'passkey-registration', signIn: 'passkey-sign-in' }

/** Options for creating a passkey: discoverable, and with user verification (fingerprint, face or PIN). */
export async function offerRegistration(
  db: Database,
  { settings, userId, proof, party }: { settings: Settings; userId: number; proof: Proof; party: RelyingParty }
): Promise<CreationOptions> {
  await proveIdentity(db, { settings, userId, proof })
  const [user, known, { name }] = await Promise.all([
    users.find(db, userId),
    passkeys.listCredentials(db, userId),
    site.find(db)
  ])
  if (known.length >= passkeysMax) throw newTooManyPasskeysProblem(passkeysMax)
  const challenge = await beginStep(db, { kind: kinds.registration, userId })
  const made = await webAuthn().generateRegistrationOptions({
    rpName: name,
    rpID: party.id,
    userName: user?.email ?? '',
    userDisplayName: user?.name ?? '',
    userID: new Uint8Array(Buffer.from(formatUserHandle(userId))),
    challenge,
    timeout: timeoutMs,
    excludeCredentials: known.map(describeCredential),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' }
  })
  const { rp, pubKeyCredParams, user: account } = made
  return {
    rp: { id: party.id, name: rp.name },
    user: account,
    challenge: made.challenge,
    pubKeyCredParams,
    timeout: timeoutMs,
    excludeCredentials: known.map(describeCredential),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none'
  }
}

/** Stores the public key of the new credential. */
export async function addPasskey(
  db: Database,
  by: Caller,
  { userId, party, input, now = new Date() }: { userId: number; party: RelyingParty; input: NewPasskey; now?: Date }
): Promise<CreatedPasskey> {
  const challenge = await consumeChallenge(db, kinds.registration, input.credential.response.clientDataJSON)
  if (challenge.userId !== userId) throw newPasskeyExpiredProblem()
  const { registrationInfo } = await verifyOrRefuse(
    async () =>
      await webAuthn().verifyRegistrationResponse({
        response: { ...input.credential, clientExtensionResults: {} } as WebAuthn.RegistrationResponseJSON,
        expectedChallenge: challenge.expected,
        expectedOrigin: party.origin,
        expectedRPID: party.id,
        requireUserVerification: true
      }),
    newPasskeyRefusedProblem
  )
  if (registrationInfo === undefined) throw newPasskeyRefusedProblem()
  const { id, publicKey, counter } = registrationInfo.credential
  return await db.transaction(async tx => {
    const user = await users.lock(tx, userId)
    const passkey = await passkeys.insert(tx, {
      userId,
      credentialId: Buffer.from(id, 'base64url'),
      publicKey: Buffer.from(publicKey),
      counter,
      transports: (input.credential.response.transports ?? []).filter(word => /^[a-z-]{1,20}$/.test(word)),
      name: input.name,
      now
    })
    if (passkey === undefined) throw newPasskeyKnownProblem()
    await recordPasskey(tx, by, 'user.factor_added', user?.name)
    return { ...passkey, recoveryCodes: await makeFirstRecoveryCodes(tx, userId, now) }
  })
}

export async function renamePasskey(
  db: Database,
  by: Caller,
  { userId, id, name }: { userId: number; id: number; name: string }
): Promise<Passkey> {
  return await db.transaction(async tx => {
    const passkey = await passkeys.rename(tx, { userId, id, name })
    if (passkey === undefined) throw newPasskeyNotFoundProblem(id)
    await recordPasskey(tx, by, 'user.factor_renamed', (await users.find(tx, userId))?.name)
    return passkey
  })
}

export async function removePasskey(
  db: Database,
  by: Caller,
  { settings, userId, id, proof }: { settings: Settings; userId: number; id: number; proof: Proof }
): Promise<void> {
  const known = await passkeys.list(db, userId)
  if (known.every(passkey => passkey.id !== id)) throw newPasskeyNotFoundProblem(id)
  await proveIdentity(db, { settings, userId, proof })
  await db.transaction(async tx => {
    if (!(await passkeys.remove(tx, userId, id))) throw newPasskeyNotFoundProblem(id)
    await recordPasskey(tx, by, 'user.factor_removed', (await users.find(tx, userId))?.name)
    await removeUselessRecoveryCodes(tx, userId)
  })
}

/**
 * Options for signing in: with any passkey of this site, or with those of a user who has already entered the password.
 */
export async function offerSignIn(
  db: Database,
  party: RelyingParty,
  attempt: string | undefined
): Promise<RequestOptions> {
  const user = attempt === undefined ? undefined : await findSignIn(db, attempt)
  const known = user === undefined ? [] : await passkeys.listCredentials(db, user.id)
  const challenge = await beginStep(db, { kind: kinds.signIn, userId: user?.id ?? null })
  return {
    rpId: party.id,
    challenge: Buffer.from(challenge).toString('base64url'),
    timeout: timeoutMs,
    allowCredentials: known.map(describeCredential),
    userVerification: 'required'
  }
}

/** Finds the owner of a passkey. It requires user verification, so it counts as both factors. */
export async function recognisePasskey(
  tx: Database,
  party: RelyingParty,
  { credential, attempt }: PasskeySignIn,
  now = new Date()
): Promise<{ id: number; hash: string }> {
  const challenge = await consumeChallenge(tx, kinds.signIn, credential.response.clientDataJSON)
  const passkey = await passkeys.lockByCredential(tx, Buffer.from(credential.id, 'base64url'))
  const user = passkey === undefined ? undefined : await users.findHash(tx, { id: passkey.userId })
  if (passkey === undefined || user === undefined) throw newPasskeyUnknownProblem()
  if (challenge.userId !== null && challenge.userId !== user.id) throw newPasskeyUnknownProblem()
  if (attempt !== undefined && (await consumeSignIn(tx, attempt)).id !== user.id) throw newSignInExpiredProblem()
  const { userHandle } = credential.response
  if (userHandle != null && Buffer.from(userHandle, 'base64url').toString() !== formatUserHandle(user.id)) {
    throw newPasskeyUnknownProblem()
  }
  const { verified: isRight, authenticationInfo } = await verifyOrRefuse(
    async () =>
      await webAuthn().verifyAuthenticationResponse({
        response: { ...credential, clientExtensionResults: {} } as WebAuthn.AuthenticationResponseJSON,
        expectedChallenge: challenge.expected,
        expectedOrigin: party.origin,
        expectedRPID: party.id,
        requireUserVerification: true,
        // The counter is checked below, where it gets its own error.
        credential: { id: credential.id, publicKey: new Uint8Array(passkey.publicKey), counter: 0 }
      }),
    newPasskeyUnknownProblem
  )
  if (!isRight) throw newPasskeyUnknownProblem()
  const { newCounter: counter } = authenticationInfo
  if (passkey.cloneWarningAt !== null || (counter > 0 || passkey.counter > 0 ? counter <= passkey.counter : false)) {
    throw newPasskeyClonedProblem()
  }
  await passkeys.updateUse(tx, { userId: user.id, id: passkey.id, counter }, now)
  return user
}

/**
 * Runs after an error, outside the transaction that was rolled back: a refusal consumes the challenge, and a cloned
 * passkey is recorded. After a failure of the database the same request may be repeated.
 */
export async function recordRefusal(
  db: Database,
  error: unknown,
  { credential, requestId }: PasskeySignIn & { requestId: string }
): Promise<void> {
  if (!(error instanceof Problem)) return
  await discardChallenge(db, credential.response.clientDataJSON)
  if (error.code !== 'passkey-cloned') return
  const now = new Date()
  await db.transaction(async tx => {
    const passkey = await passkeys.setCloneWarning(tx, Buffer.from(credential.id, 'base64url'), now)
    const user = passkey && (await users.find(tx, passkey.userId))
    if (user === undefined) return
    const by = newUserCaller({ userId: user.id, id: 0, name: user.name, role: user.role }, requestId)
    await recordPasskey(tx, by, 'user.passkey_cloned', user.name)
  })
}

/** A challenge allows only one response. */
export async function discardChallenge(db: Database, clientData: string): Promise<void> {
  const { challenge } = parseClientData(clientData)
  if (typeof challenge !== 'string') return
  for (const kind of Object.values(kinds)) await consumeStep(db, kind, Buffer.from(challenge, 'base64url').toString())
}

async function recordPasskey(tx: Database, by: Caller, action: string, name = ''): Promise<void> {
  const details = { name, factor: 'passkey' }
  await record(tx, { by, now: new Date() }, action, { subject: 'user', id: by.userId ?? 0, details })
}

/** Finds and consumes the challenge that the response claims to answer. */
async function consumeChallenge(
  db: Database,
  kind: string,
  clientData: string
): Promise<{ expected: string; userId: number | null }> {
  const { challenge } = parseClientData(clientData)
  const step =
    typeof challenge === 'string'
      ? await consumeStep(db, kind, Buffer.from(challenge, 'base64url').toString())
      : undefined
  if (step === undefined || typeof challenge !== 'string') throw newPasskeyExpiredProblem()
  return { expected: challenge, userId: step.userId }
}

function parseClientData(text: string): { challenge?: unknown } {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return typeof parsed === 'object' && parsed !== null ? parsed : {}
  } catch {
    // Not a response of a browser: it contains no challenge.
    return {}
  }
}

/** The library throws for any invalid response: all of these are client errors. */
async function verifyOrRefuse<Result>(
  verify: () => Promise<Result>,
  refused: (cause: unknown) => Problem
): Promise<Result> {
  try {
    return await verify()
  } catch (error) {
    throw refused(error)
  }
}

const describeCredential = ({ credentialId, transports }: { credentialId: Buffer; transports: string[] }) => ({
  id: credentialId.toString('base64url'),
  type: 'public-key' as const,
  transports
})

/** The user handle that authenticators store: an id without personal data. */
const formatUserHandle = (userId: number) => `kalends-user-${userId}`
