import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { forgetUnusedKey, keysIn, refuseWithoutKeys } from '#fundraising/sealing/archive-keys.ts'
import type { Archive } from '#platform/archive/restore.ts'
import { described, type Existing, openArchive, restoreArchive } from '#platform/archive/restore.ts'
import { migrations } from './migrations.ts'
import { giveUpLostNumbers } from './seal.ts'
import { commandLine, withUntouchedStore } from './store.ts'
import { UsageError } from './usage.ts'

export async function run(words: string[]): Promise<void> {
  const options = {
    check: { type: 'boolean' },
    replace: { type: 'boolean' },
    yes: { type: 'boolean' },
    'lost-key': { type: 'boolean' }
  } as const
  const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true })
  const [path, ...rest] = positionals
  if (path === undefined || path === '-' || rest.length > 0) throw new UsageError('restore takes the file of a backup.')

  const archive = await openArchive(path)
  try {
    if (values.check === true) {
      console.log(`${path} is whole: ${contentOf(archive)}.`)
      return
    }
    const keys = await keysIn(archive)
    const isLost = values['lost-key'] === true
    await withUntouchedStore(async (store, settings) => {
      if (!isLost) await refuseWithoutKeys(keys, settings)
      const mayReplace = async (existing: Existing) =>
        values.replace === true && (values.yes === true || (await isAgreedTo(existing)))
      await restoreArchive(store.connection, archive, migrations, { mayReplace, recordedAs: commandLine })
      if (isLost) await giveUpLostNumbers(store, settings)
      else await forgetUnusedKey(store, keys, settings)
    })
    console.log(`Restored ${contentOf(archive)}.`)
  } finally {
    await archive.close()
  }
}

export function contentOf({ manifest }: Archive): string {
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  const moment = manifest.takenAt === undefined ? '' : ` as of ${manifest.takenAt}`
  return `${rows} rows of ${manifest.tables.length} tables${moment}, written by Kalends ${manifest.program}`
}

/** Asks who sits there; nobody does where there is no terminal, and then it has to be said with --yes. */
async function isAgreedTo(existing: Existing): Promise<boolean> {
  if (!process.stdin.isTTY) {
    console.error('Say --replace --yes: nobody is there to be asked.')
    return false
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await terminal.question(`This removes ${described(existing)}.\nType yes to go on: `)
    return answer.trim() === 'yes'
  } finally {
    terminal.close()
  }
}
