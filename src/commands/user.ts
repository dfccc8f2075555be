import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { randomText } from '#platform/keys/key.ts'
import * as users from '#platform/users/queries.ts'
import { NewUser, UserChanges } from '#platform/users/schema.ts'
import { changeUser, createUser, hashForNewUser, removeUser } from '#platform/users/user.ts'
import { checked } from '#platform/validation.ts'
import { commandLine, withStore } from './store.ts'
import { named, UsageError } from './usage.ts'

export async function run([action = '', ...rest]: string[]): Promise<void> {
  const command = named(commands, action)
  if (command === undefined) throw new UsageError('user takes create, list, password or remove.')
  await command(rest)
}

const passwordFile = { 'password-file': { type: 'string' } } as const

const commands: Record<string, (words: string[]) => Promise<void>> = {
  create: async words => {
    const options = { name: { type: 'string' }, email: { type: 'string' }, role: { type: 'string' } } as const
    const { values } = parseArgs({ args: words, options: { ...options, ...passwordFile } })
    const { name, email, role } = values
    const { password, isMade } = passwordFrom(values['password-file'])
    const input = checked(NewUser, { name, email, role, password })
    await withStore(async (store, settings) => {
      const passwordHash = await hashForNewUser(input)
      const fields = { ...input, passwordHash, fallback: settings.defaultLanguage }
      const user = await createUser(store, commandLine, fields)
      if (isMade) console.log(password)
      console.error(`User ${user.id} (${user.name}, ${user.role}).${isMade ? shownOnce : ''}`)
    })
  },

  list: async () => {
    await withStore(async store => {
      const list = await users.list(store)
      if (list.length === 0) console.log('There are no users.')
      for (const { id, role, name, email, lastSeenAt } of list) {
        console.log([id, role, name, email, lastSeenAt === null ? 'never seen' : `last seen ${lastSeenAt}`].join('\t'))
      }
    })
  },

  password: async words => {
    const { values, positionals } = parseArgs({ args: words, options: passwordFile, allowPositionals: true })
    const id = userId(positionals)
    const { password, isMade } = passwordFrom(values['password-file'])
    const changes = checked(UserChanges, { password })
    await withStore(async store => {
      await changeUser(store, commandLine, id, changes, undefined)
      if (isMade) console.log(password)
      console.error(`User ${id} has a new password and is signed out everywhere.${isMade ? shownOnce : ''}`)
    })
  },

  remove: async words => {
    const id = userId(words)
    await withStore(async store => {
      await removeUser(store, commandLine, id, undefined)
      console.log(`User ${id} cannot sign in any more.`)
    })
  }
}

const shownOnce = ' The password is shown this once: keep it safe.'

/** The first line of the file (/dev/stdin is one too), or a password that nobody can guess. */
function passwordFrom(file: string | undefined): { password: string; isMade: boolean } {
  if (file === undefined) return { password: randomText(20), isMade: true }
  return { password: readFileSync(file, 'utf8').split(/\r?\n/, 1)[0] ?? '', isMade: false }
}

function userId([word]: string[]): number {
  const id = Number(word)
  if (!Number.isSafeInteger(id)) throw new UsageError('This takes the number of a user; user list shows them.')
  return id
}
