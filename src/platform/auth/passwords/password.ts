import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { buildText } from '../../messages/messages.ts'
import { newFieldProblem } from '../../problem.ts'
import { isCommonPassword } from './common-passwords.ts'
import { newFairQueue, type QueuePlace, trustedPlace } from './fair-queue.ts'

/**
 * Cost of one guess: 32 MB and some 250 ms, as OWASP recommends. Stored with each hash, so that it can be raised later.
 */
const cost = { N: 2 ** 15, r: 8, p: 3 }
const saltBytes = 16
const hashBytes = 32
/** Each computation uses 32 MB and a thread of the pool. */
const concurrencyMax = 4
const waitingMax = 50

/** Returns the hash as text, with its salt and cost. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes)
  const hash = await computeScrypt(password, salt, { ...cost, length: hashBytes }, trustedPlace)
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** Takes as long without a hash and returns false, so that the timing does not reveal which accounts exist. */
export async function isCorrectPassword(
  password: string,
  kept: string | undefined,
  place: QueuePlace = trustedPlace
): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] = (kept ?? dummyHash).split('$')
  const expected = Buffer.from(hash, 'base64url')
  const parameters = { N: Number(N), r: Number(r), p: Number(p), length: expected.length }
  const given = await computeScrypt(password, Buffer.from(salt, 'base64url'), parameters, place)
  return timingSafeEqual(given, expected) && kept !== undefined
}

/** Refuses the passwords that an attacker tries first. */
export function refuseGuessable(password: string, { name, email }: { name: string; email: string }, pointer: string) {
  const plain = password.trim().toLowerCase()
  if (plain !== name.toLowerCase() && plain !== email.toLowerCase() && !isCommonPassword(plain)) return
  throw newFieldProblem(422, pointer, 'password-guessable', buildText('auth-problems', 'passwordCommon'))
}

const dummyHash = ['scrypt', cost.N, cost.r, cost.p, 'A'.repeat(22), 'A'.repeat(43)].join('$')

const runInQueue = newFairQueue({ atOnceMax: concurrencyMax, waitingMax })

async function computeScrypt(
  password: string,
  salt: Buffer,
  { length, ...parameters }: ScryptOptions & { length: number },
  place: QueuePlace
): Promise<Buffer> {
  return await runInQueue(
    place,
    async () =>
      await new Promise((resolve, reject) => {
        // Normalize, because keyboards compose the same characters differently.
        const text = password.normalize('NFKC')
        const maxmem = 256 * (parameters.N ?? 0) * (parameters.r ?? 0)
        scrypt(text, salt, length, { ...parameters, maxmem }, (error, hash) => (error ? reject(error) : resolve(hash)))
      })
  )
}
