import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { deleteUnusedKey, listArchiveKeys, requireArchiveKeys } from '#fundraising/encryption/archive-keys.ts'
import {
  type Archive,
  describeExisting,
  type ExistingRows,
  openArchive,
  readArchive,
  restoreArchive
} from '#platform/backup/restore.ts'
import { loadSettings } from '#platform/config.ts'
import { discardUnreadableSecrets } from './rotate-key.ts'
import { migrations } from './support/migrations.ts'
import { commandLineCaller, withUnmigratedStore } from './support/store.ts'
import { storeInUnnamedFile } from './support/unnamed-file.ts'
import { UsageError } from './support/usage.ts'

export async function run(words: string[]): Promise<void> {
  const options = {
    check: { type: 'boolean' },
    replace: { type: 'boolean' },
    yes: { type: 'boolean' },
    'lost-key': { type: 'boolean' }
  } as const
  const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true })
  const [path, ...rest] = positionals
  if (path === undefined || rest.length > 0) {
    throw new UsageError('restore needs a backup file, or - for standard input.')
  }

  const archive = path === '-' ? await openPipedArchive() : await openArchive(path)
  try {
    if (values.check === true) {
      console.log(`${path === '-' ? 'Standard input' : path}: archive OK, ${describeContent(archive)}.`)
      return
    }
    const keys = await listArchiveKeys(archive)
    const isLost = values['lost-key'] === true
    await withUnmigratedStore(async (store, settings) => {
      if (!isLost) await requireArchiveKeys(keys, settings)
      const mayReplace = async (existing: ExistingRows) =>
        values.replace === true && (values.yes === true || (await isConfirmed(existing)))
      await restoreArchive(store.connection, archive, migrations, { mayReplace, recordedAs: commandLineCaller })
      if (isLost) await discardUnreadableSecrets(store, settings)
      else await deleteUnusedKey(store, keys, settings)
    })
    console.log(`Restored ${describeContent(archive)}.`)
  } finally {
    await archive.close()
  }
}

/** An archive is read in any order, so what comes by a pipe is stored first. */
async function openPipedArchive(): Promise<Archive> {
  const { dataDir } = loadSettings()
  return await readArchive(await storeInUnnamedFile(process.stdin, dataDir), 'Standard input')
}

export function describeContent({ manifest }: Archive): string {
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  const moment = manifest.takenAt === undefined ? '' : ` as of ${manifest.takenAt}`
  return `${rows} rows of ${manifest.tables.length} tables${moment}, written by Kalends ${manifest.program}`
}

/** Asks for confirmation on the terminal; without a terminal, --yes is required. */
async function isConfirmed(existing: ExistingRows): Promise<boolean> {
  if (!process.stdin.isTTY) {
    console.error('stdin is not a terminal: pass --replace --yes to confirm.')
    return false
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await terminal.question(`This deletes ${describeExisting(existing)}.\nType yes to continue: `)
    return answer.trim() === 'yes'
  } finally {
    terminal.close()
  }
}
