import { hkdfSync } from 'node:crypto'
import type { Settings } from '../config.ts'
import { requireLazily } from '../lazy-require.ts'
import {
  newInvalidProofProblem,
  newProofExpiredProblem,
  newProofMissingProblem,
  type ProofPurpose
} from './problems.ts'
import type { Challenge } from './schema.ts'

/**
 * Cost of the proof: PBKDF2 rounds per step, and the number of steps. A phone takes about a second, a computer less;
 * bots pay the same, which makes ten thousand forms expensive.
 */
const rounds = 5000
const steps = { least: 100, most: 300 }
/** Long enough to fill in a form; a slower visitor gets a new challenge. */
const validForMs = 10 * 60_000

const altcha = requireLazily<typeof import('altcha-lib')>('altcha-lib')
const pbkdf2 = requireLazily<typeof import('altcha-lib/algorithms/pbkdf2')>('altcha-lib/algorithms/pbkdf2')

/** A challenge, signed so that every process can verify that it is ours. A proof is valid for its purpose only. */
export async function newChallenge(settings: Settings, { name }: ProofPurpose, now: Date): Promise<Challenge> {
  const { createChallenge, randomInt } = altcha()
  const challenge = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: rounds,
    counter: randomInt(steps.most, steps.least),
    deriveKey: pbkdf2().deriveKey,
    expiresAt: new Date(now.getTime() + validForMs),
    ...getSecrets(settings, name)
  })
  return challenge as Challenge
}

/** A solved challenge, identified by its signature. */
export interface SolvedChallenge {
  challenge: string
  expiresAt: Date
}

/** Verifies a submitted solution: base64 of the JSON with challenge and solution, as the altcha widgets send it. */
export async function verifyProof(
  settings: Settings,
  purpose: ProofPurpose,
  sent: string | null | undefined,
  now: Date
): Promise<SolvedChallenge> {
  if (sent === null || sent === undefined || sent === '') throw newProofMissingProblem(purpose)
  const payload = parsePayload(sent)
  if (payload === undefined) throw newInvalidProofProblem(purpose)
  const { challenge, solution } = payload
  const expiresAt = new Date(Number(challenge.parameters.expiresAt) * 1000)
  const result = await altcha().verifySolution({
    // We check the expiry ourselves, against the time of the request.
    challenge: { ...challenge, parameters: { ...challenge.parameters } },
    solution,
    deriveKey: pbkdf2().deriveKey,
    ...getSecrets(settings, purpose.name)
  })
  if (result.expired || expiresAt <= now) throw newProofExpiredProblem(purpose)
  if (!result.verified || challenge.signature === undefined) throw newInvalidProofProblem(purpose)
  return { challenge: challenge.signature, expiresAt }
}

type Payload = import('altcha-lib').Payload

function parsePayload(sent: string): Payload | undefined {
  try {
    const payload = JSON.parse(Buffer.from(sent, 'base64').toString('utf8')) as Payload | null
    const { challenge, solution } = payload ?? {}
    const isWhole = typeof challenge?.signature === 'string' && typeof challenge.parameters === 'object'
    if (!isWhole || challenge.parameters === null || typeof solution !== 'object' || solution === null) return undefined
    return { challenge, solution }
  } catch {
    // Invalid JSON is no proof.
    return undefined
  }
}

const secrets = new Map<string, { hmacSignatureSecret: string; hmacKeySignatureSecret: string }>()

/** Derived from the encryption key that all processes share. */
function getSecrets({ encryptionKey }: Settings, purpose: string) {
  // Every process gets a key at start-up, so a missing one is a bug of ours.
  if (encryptionKey === undefined) throw new Error('This process has no encryption key to sign challenges.')
  const key = `${purpose} ${encryptionKey}`
  let made = secrets.get(key)
  if (made === undefined) {
    const part = (secret: string) =>
      Buffer.from(hkdfSync('sha256', encryptionKey, 'kalends', `${secret} of ${purpose}`, 32)).toString('hex')
    made = { hmacSignatureSecret: part('signature'), hmacKeySignatureSecret: part('solution') }
    secrets.set(key, made)
  }
  return made
}
