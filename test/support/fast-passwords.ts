import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

// A password is made to take long, and hundreds are made here by tests that are about something else. What the program keeps of one says
// the full cost; only the work behind it is less in this process. Tests of the program as a process pay the price.
const { scrypt } = crypto
export const passwordHashing = {
  /** Set to false by tests that are about the time it takes; a third of it is enough for them. */
  isFast: true,
  /** Hashing waits for this: for tests that are about how many may wait. */
  start: Promise.resolve()
}
crypto.scrypt = ((password, salt, length, options, done) => {
  const cost = passwordHashing.isFast ? { N: 2, p: 1 } : { p: 1 }
  passwordHashing.start.then(() => scrypt(password, salt, length, { ...options, ...cost }, done))
}) as typeof scrypt
syncBuiltinESMExports()
