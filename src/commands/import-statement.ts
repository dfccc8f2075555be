import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { bringKey } from '#fundraising/sealing/key.ts'
import { results } from '#fundraising/statements/schema.ts'
import { beginStatement, readInStatement, surveyStatement } from '#fundraising/statements/statement.ts'
import { commandLine, withStore } from './store.ts'
import { UsageError } from './usage.ts'

/** Takes in a file of a bank as the console does: for whoever gets them without a browser. */
export async function run(words: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: words,
    options: { map: { type: 'string', multiple: true } },
    allowPositionals: true
  })
  const [path, ...others] = positionals
  if (path === undefined || others.length > 0) throw new UsageError('import statement takes one file.')
  const file = { name: basename(path), bytes: await contentOf(path), mapping: mappingOf(values.map) }
  await withStore(async (store, settings) => {
    await bringKey(store, settings)
    const importing = { by: commandLine, settings, now: new Date() }
    const survey = await surveyStatement(store, importing, file)
    const { id, repeated } = await beginStatement(store, importing, file, survey)
    const { counts, format } = await readInStatement(store, importing, id, file)
    const told = repeated ? 'had come before' : 'is in the books'
    console.log(`Bank statement ${id} (${format}) ${told}.`)
    for (const result of results) if (counts[result]) console.log(`${result.padEnd(10)} ${counts[result]}`)
  })
}

async function contentOf(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    throw new Error(`The file ${path} cannot be read: ${(error as Error).message}`)
  }
}

function mappingOf(pairs: string[] | undefined): Record<string, string> | undefined {
  return (
    pairs &&
    Object.fromEntries(
      pairs.map(pair => {
        // A name of a column may have an equals sign, the name of a field has none.
        const equals = pair.lastIndexOf('=')
        if (equals < 1) throw new UsageError(`--map takes COLUMN=FIELD, not ${pair}.`)
        return [pair.slice(0, equals), pair.slice(equals + 1)]
      })
    )
  )
}
