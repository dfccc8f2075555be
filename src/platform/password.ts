import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { isCommonPassword } from './common-passwords.ts'
import { fieldProblem } from './problem.ts'
import { newFairQueue, ownPlace, type Place } from './sign-in/fair-queue.ts'

/** What a new password costs to try: 32 MB and some 250 ms, as OWASP wants it. Kept with each hash, so that it can be raised later. */
const cost = { N: 2 ** 15, r: 8, p: 3 }
const saltBytes = 16
const hashBytes = 32
/** Each holds 32 MB and a thread of the pool. */
const atOnceMax = 4
const waitingMax = 50

/** The hash to keep, as text with its salt and its cost. */
export async function hashOfPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes)
  const hash = await computed(password, salt, { ...cost, length: hashBytes }, ownPlace)
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** Without a hash it takes as long as with one and is false: nobody learns by waiting who has an account. */
export async function isPassword(
  password: string,
  kept: string | undefined,
  place: Place = ownPlace
): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] = (kept ?? nobodys).split('$')
  const expected = Buffer.from(hash, 'base64url')
  const parameters = { N: Number(N), r: Number(r), p: Number(p), length: expected.length }
  const given = await computed(password, Buffer.from(salt, 'base64url'), parameters, place)
  return timingSafeEqual(given, expected) && kept !== undefined
}

/** The first that somebody would try. */
export function refuseGuessable(password: string, { name, email }: { name: string; email: string }, pointer: string) {
  const plain = password.trim().toLowerCase()
  if (plain !== name.toLowerCase() && plain !== email.toLowerCase() && !isCommonPassword(plain)) return
  throw fieldProblem(422, pointer, 'password-guessable', {
    en: 'The password must be neither the name, nor the e-mail address, nor one of those that many people use.',
    de: 'Das Passwort darf weder der Name noch die E-Mail-Adresse sein, noch eines, das viele benutzen.'
  })
}

const nobodys = ['scrypt', cost.N, cost.r, cost.p, 'A'.repeat(22), 'A'.repeat(43)].join('$')

const inTurn = newFairQueue({ atOnceMax, waitingMax })

async function computed(
  password: string,
  salt: Buffer,
  { length, ...parameters }: ScryptOptions & { length: number },
  place: Place
): Promise<Buffer> {
  return await inTurn(
    place,
    async () =>
      await new Promise((resolve, reject) => {
        // The same characters, however the keyboard puts them together.
        const text = password.normalize('NFKC')
        const maxmem = 256 * (parameters.N ?? 0) * (parameters.r ?? 0)
        scrypt(text, salt, length, { ...parameters, maxmem }, (error, hash) => (error ? reject(error) : resolve(hash)))
      })
  )
}
