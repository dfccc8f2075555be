import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { loadOrCreateKey } from '#fundraising/encryption/key.ts'
import {
  beginStatement,
  importEntries,
  surveyStatement
} from '#fundraising/payments/statements/import/import-statement.ts'
import { entryResults } from '#fundraising/payments/statements/schema.ts'
import { commandLineCaller, withStore } from './support/store.ts'
import { UsageError } from './support/usage.ts'

/** Imports a bank statement as the admin console does, for use without a browser. */
export async function run(words: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: words,
    options: { map: { type: 'string', multiple: true } },
    allowPositionals: true
  })
  const [path, ...others] = positionals
  if (path === undefined || others.length > 0) throw new UsageError('import statement takes one file.')
  const file = { name: basename(path), bytes: await readContent(path), mapping: parseMapping(values.map) }
  await withStore(async (store, settings) => {
    await loadOrCreateKey(store, settings)
    const importing = { by: commandLineCaller, settings, now: new Date() }
    const survey = await surveyStatement(store, importing, file)
    const { id, repeated } = await beginStatement(store, importing, file, survey)
    const { counts, format } = await importEntries(store, importing, id, file)
    const outcome = repeated ? 'already imported' : 'imported'
    console.log(`Bank statement ${id} (${format}) ${outcome}.`)
    for (const result of entryResults) if (counts[result]) console.log(`${result.padEnd(10)} ${counts[result]}`)
  })
}

async function readContent(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    throw new Error(`The file ${path} cannot be read: ${(error as Error).message}`)
  }
}

function parseMapping(pairs: string[] | undefined): Record<string, string> | undefined {
  return (
    pairs &&
    Object.fromEntries(
      pairs.map(pair => {
        // A column name may contain an equals sign, a field name cannot.
        const equals = pair.lastIndexOf('=')
        if (equals < 1) throw new UsageError(`--map takes COLUMN=FIELD, not ${pair}.`)
        return [pair.slice(0, equals), pair.slice(equals + 1)]
      })
    )
  )
}
