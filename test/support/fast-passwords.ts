import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

// Hashing a password is slow on purpose, and tests hash hundreds of passwords. This module reduces the cost of scrypt in
// this process; stored hashes still name the full cost. Tests that start the program as a process hash at full cost.
const { scrypt } = crypto
export const passwordHashing = {
  /** Set to false by tests of the duration of hashing. Then only the parallelization is reduced, to 1. */
  isFast: true,
  /** Hashing starts when this resolves: for tests of the limit of waiting requests. */
  start: Promise.resolve()
}
crypto.scrypt = ((password, salt, length, options, done) => {
  const cost = passwordHashing.isFast ? { N: 2, p: 1 } : { p: 1 }
  passwordHashing.start.then(() => scrypt(password, salt, length, { ...options, ...cost }, done))
}) as typeof scrypt
syncBuiltinESMExports()
