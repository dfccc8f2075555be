import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

// A password is made to take long, and hundreds are made here by tests that are about something else. What the program keeps of one says
// the full cost; only the work behind it is less in this process. Tests of the program as a process pay the price.
const { scrypt } = crypto
/** Set to false by tests that are about the time it takes; a third of it is enough for them. */
export const passwordHashing = { isFast: true }
crypto.scrypt = ((password, salt, length, options, done) =>
  scrypt(
    password,
    salt,
    length,
    passwordHashing.isFast ? { ...options, N: 2, p: 1 } : { ...options, p: 1 },
    done
  )) as typeof scrypt
syncBuiltinESMExports()
