import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { isCommonPassword } from './common-passwords.ts'
import { fieldProblem, Problem } from './problem.ts'

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
  const hash = await computed(password, salt, hashBytes, cost)
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** Without a hash it takes as long as with one and is false: nobody learns by waiting who has an account. */
export async function isPassword(password: string, kept: string | undefined): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] = (kept ?? nobodys).split('$')
  const expected = Buffer.from(hash, 'base64url')
  const given = await computed(password, Buffer.from(salt, 'base64url'), expected.length, {
    N: Number(N),
    r: Number(r),
    p: Number(p)
  })
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

let running = 0
const waiting: (() => void)[] = []

async function computed(password: string, salt: Buffer, length: number, parameters: ScryptOptions): Promise<Buffer> {
  if (running >= atOnceMax) {
    if (waiting.length >= waitingMax) throw busy()
    // Who is woken takes over the place of who has finished.
    await new Promise<void>(resolve => waiting.push(resolve))
  } else {
    running += 1
  }
  try {
    return await new Promise((resolve, reject) => {
      // The same characters, however the keyboard puts them together.
      const text = password.normalize('NFKC')
      const maxmem = 256 * (parameters.N ?? 0) * (parameters.r ?? 0)
      scrypt(text, salt, length, { ...parameters, maxmem }, (error, hash) => (error ? reject(error) : resolve(hash)))
    })
  } finally {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
}

const busy = () =>
  new Problem(
    503,
    'too-busy',
    {
      en: 'Too many people are signing in at the moment. Please try again.',
      de: 'Gerade melden sich zu viele gleichzeitig an. Bitte noch einmal versuchen.'
    },
    { headers: { 'retry-after': '2' } }
  )
