import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { toLinkPath } from '#platform/auth/account-links/account-link.ts'
import { createResetLink } from '#platform/auth/password-resets/password-reset.ts'
import { generateRandomText } from '#platform/auth/tokens/token.ts'
import { changeUser, createUser, hashForNewUser, removeUser } from '#platform/auth/user-management/user.ts'
import * as users from '#platform/auth/users/queries.ts'
import { NewUser, UserChanges } from '#platform/auth/users/schema.ts'
import { normalizeEmail } from '#platform/email-address.ts'
import { parseInput } from '#platform/http/validation.ts'
import { commandLineCaller, withStore } from './support/store.ts'
import { getOwn, UsageError } from './support/usage.ts'

export async function run([action = '', ...rest]: string[]): Promise<void> {
  const command = getOwn(commands, action)
  if (command === undefined) throw new UsageError('user needs one of create, list, password, reset, remove.')
  await command(rest)
}

const passwordFile = { 'password-file': { type: 'string' } } as const

const commands: Record<string, (words: string[]) => Promise<void>> = {
  create: async words => {
    const options = { name: { type: 'string' }, email: { type: 'string' }, role: { type: 'string' } } as const
    const { values } = parseArgs({ args: words, options: { ...options, ...passwordFile } })
    const { name, email, role } = values
    const { password, isMade } = readPassword(values['password-file'])
    const input = parseInput(NewUser, { name, email, role, password })
    await withStore(async (store, settings) => {
      const passwordHash = await hashForNewUser(store, input)
      const fields = { ...input, passwordHash, fallback: settings.defaultLanguage }
      const user = await createUser(store, commandLineCaller, fields)
      if (isMade) console.log(password)
      console.error(`User ${user.id} (${user.name}, ${user.role}).${isMade ? shownOnce : ''}`)
    })
  },

  list: async () => {
    await withStore(async store => {
      const list = await users.list(store)
      if (list.length === 0) console.log('No users.')
      for (const { id, role, name, email, lastSeenAt } of list) {
        console.log([id, role, name, email, lastSeenAt === null ? 'never seen' : `last seen ${lastSeenAt}`].join('\t'))
      }
    })
  },

  password: async words => {
    const { values, positionals } = parseArgs({ args: words, options: passwordFile, allowPositionals: true })
    const id = parseUserId(positionals)
    const { password, isMade } = readPassword(values['password-file'])
    const changes = parseInput(UserChanges, { password })
    await withStore(async store => {
      await changeUser(store, { by: commandLineCaller, expected: undefined }, id, changes)
      if (isMade) console.log(password)
      console.error(`User ${id} has a new password and is signed out everywhere.${isMade ? shownOnce : ''}`)
    })
  },

  reset: async words => {
    const [email = ''] = words
    if (!email.includes('@')) throw new UsageError('An email address of a user is required; see user list.')
    await withStore(async (store, settings) => {
      const user = await users.findHash(store, { email: normalizeEmail(email) })
      if (user === undefined) throw new UsageError('No user has this email address; see user list.')
      const { token, expiresAt } = await createResetLink(store, { by: commandLineCaller, settings }, user.id)
      const origin = settings.publicUrl ?? `http://localhost:${settings.port}`
      console.log(origin + toLinkPath(token))
      console.error(`Password reset link for user ${user.id}. It works once, until ${expiresAt.toISOString()}.`)
    })
  },

  remove: async words => {
    const options = { 'keep-keys': { type: 'boolean' } } as const
    const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true })
    const id = parseUserId(positionals)
    const keys = values['keep-keys'] === true ? 'handover' : 'end'
    await withStore(async store => {
      const released = await removeUser(store, { by: commandLineCaller, expected: undefined }, { id, keys })
      console.log(`User ${id} deleted.`)
      for (const key of released) {
        console.log(`Key ${key.id} (${key.name}, ${key.role}) ${keys === 'end' ? 'revoked' : 'kept'}.`)
      }
    })
  }
}

const shownOnce = ' The password is shown this once: keep it safe.'

/** Reads the first line of the file (may be /dev/stdin), or generates a random password. */
function readPassword(file: string | undefined): { password: string; isMade: boolean } {
  if (file === undefined) return { password: generateRandomText(20), isMade: true }
  return { password: readFileSync(file, 'utf8').split(/\r?\n/, 1)[0] ?? '', isMade: false }
}

function parseUserId([word]: string[]): number {
  const id = Number(word)
  if (!Number.isSafeInteger(id)) throw new UsageError('The number of a user is required; see user list.')
  return id
}
