import { parseArgs } from 'node:util'
import { issueKey, revokeKey } from '#platform/auth/keys/key.ts'
import * as keys from '#platform/auth/keys/queries.ts'
import { NewKey } from '#platform/auth/keys/schema.ts'
import { parseInput } from '#platform/http/validation.ts'
import { commandLineCaller, withStore } from './support/store.ts'
import { getOwn, UsageError } from './support/usage.ts'

export async function run([action = '', ...rest]: string[]): Promise<void> {
  const command = getOwn(commands, action)
  if (command === undefined) throw new UsageError('key needs one of create, list, revoke.')
  await command(rest)
}

const commands: Record<string, (words: string[]) => Promise<void>> = {
  create: async words => {
    const options = { name: { type: 'string' }, role: { type: 'string' }, expires: { type: 'string' } } as const
    const { values } = parseArgs({ args: words, options })
    const input = parseInput(NewKey, {
      name: values.name,
      role: values.role,
      ...(values.expires === undefined ? {} : { expiresAt: values.expires })
    })
    await withStore(async store => {
      const issued = await issueKey(store, commandLineCaller, input)
      console.log(issued.key)
      console.error(`Key ${issued.id} (${issued.name}, ${issued.role}). It is shown only once; store it safely.`)
    })
  },

  list: async () => {
    await withStore(async store => {
      const list = await keys.list(store)
      if (list.length === 0) console.log('No keys.')
      for (const key of list) {
        const last = key.lastUsedAt === null ? 'never used' : `last used ${key.lastUsedAt}`
        const expiry = key.expiresAt === null ? 'does not expire' : `expires ${key.expiresAt}`
        const maker = key.madeBy === null ? 'creator unknown' : `created by ${key.madeBy.name}`
        console.log([key.id, key.role, key.name, expiry, last, maker].join('\t'))
      }
    })
  },

  revoke: async words => {
    const id = Number(words[0])
    if (!Number.isSafeInteger(id)) throw new UsageError('key revoke needs the number of a key; see key list.')
    await withStore(async store => {
      await revokeKey(store, commandLineCaller, id)
      console.log(`Key ${id} revoked.`)
    })
  }
}
