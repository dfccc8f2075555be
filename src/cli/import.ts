import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { parseParams } from '#calendar/contract/param-definition.ts'
import { languageParam as languageRule } from '#calendar/contract/params.ts'
import { cancelImport, type SentFile, startImport, undoImport } from '#calendar/imports/import.ts'
import { parseLogin } from '#calendar/imports/login.ts'
import * as imports from '#calendar/imports/queries.ts'
import { listRows } from '#calendar/imports/row-queries.ts'
import { runOne } from '#calendar/imports/runner/run.ts'
import { type Import, importParams, type NewImport } from '#calendar/imports/schema.ts'
import type { SourceLogin } from '#calendar/imports/sources/source.ts'
import type { Settings } from '#platform/config.ts'
import type { Store } from '#platform/database/database.ts'
import { printComparison } from './support/comparison.ts'
import { newProgress } from './support/progress.ts'
import { commandLineCaller, withStore } from './support/store.ts'
import { getOwn, UsageError } from './support/usage.ts'

export async function run([action = '', ...rest]: string[]): Promise<void> {
  const command = getOwn(commands, action)
  if (command === undefined)
    throw new UsageError('import needs one of tec, ical, csv, list, undo, statement, instance.')
  await command(rest)
}

const commands: Record<string, (words: string[]) => Promise<void>> = {
  tec: async words => await runSource('tec', words),
  ical: async words => await runSource('ical', words),
  csv: async words => await runSource('csv', words),

  list: async () => {
    await withStore(async store => {
      const found = await imports.listPage(store, { number: 1, size: 50, offset: 0 })
      if (found.length === 0) console.log('No imports.')
      for (const one of found) {
        const what = one.compares ? 'comparison' : one.dryRun ? 'dry run' : one.canUndo ? 'can be undone' : ''
        console.log(
          [one.id, one.createdAt, one.status, one.source, one.url ?? one.fileName, formatCounts(one), what].join('\t')
        )
      }
    })
  },

  undo: async ([word = '', ...others]) => {
    const id = Number(word)
    if (word === '' || !Number.isSafeInteger(id) || others.length > 0) {
      throw new UsageError('import undo needs the number of an import; see import list.')
    }
    await withStore(async (store, settings) => {
      await undoImport(store, { caller: commandLineCaller, now: new Date() }, id, 'asker')
      await printReport(store, await runImport(store, settings, id))
    })
  },

  // Handled by its own command: an instance export is not a calendar.
  instance: async words => {
    const instance = await import('./import-instance.ts')
    await instance.run(words)
  },

  // Handled by its own command: a bank statement is not a calendar.
  statement: async words => {
    const statement = await import('./import-statement.ts')
    await statement.run(words)
  }
}

const options = {
  'dry-run': { type: 'boolean', default: false },
  policy: { type: 'string' },
  language: { type: 'string' },
  timezone: { type: 'string' },
  map: { type: 'string', multiple: true },
  user: { type: 'string' },
  'password-file': { type: 'string' },
  compare: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false }
} as const

async function runSource(source: 'tec' | 'ical' | 'csv', words: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true })
  const [place, ...others] = positionals
  if (place === undefined || others.length > 0) {
    const needed = { tec: 'the URL of a site', ical: 'a file or a URL', csv: 'a file' }[source]
    throw new UsageError(`import ${source} takes ${needed}.`)
  }
  const compares = values.compare
  if (compares && source !== 'tec') throw new UsageError('--compare works only with import tec.')
  if (values.json && !compares) throw new UsageError('--json works only with --compare.')
  const isAddress = source === 'tec' || (source === 'ical' && /^(?:https?|webcals?):/i.test(place))
  const file = isAddress ? undefined : await readImportFile(place)
  const login = await readLogin(values.user, values['password-file'])
  await withStore(async (store, settings) => {
    const now = new Date()
    const about = { zone: settings.timezone, now }
    const given = parseParams(
      { ...importParams, language: languageRule },
      {
        source,
        dry_run: values['dry-run'],
        ...(isAddress ? { url: addScheme(place) } : {}),
        ...(values.policy === undefined ? {} : { policy: values.policy }),
        ...(values.language === undefined ? {} : { language: values.language }),
        ...(values.timezone === undefined ? {} : { timezone: values.timezone }),
        ...login,
        ...(values.map === undefined ? {} : { mapping: parseMapping(values.map) })
      },
      about
    )
    const language = given.language ?? settings.defaultLanguage
    const asking = { caller: commandLineCaller, settings, language, now }
    const id = await startImport(store, asking, given as NewImport, { file, runBy: 'asker', compares })
    const found = await runImport(store, settings, id, { login: parseLogin(source, given), isQuiet: values.json })
    if (compares) await printComparison(store, settings, found, values.json)
    else await printReport(store, found)
  })
}

/** The application password is the first line of a file, which may be /dev/stdin: arguments are visible to others. */
async function readLogin(user: string | undefined, path: string | undefined): Promise<Record<string, string>> {
  if (user === undefined && path === undefined) return {}
  if (user === undefined || path === undefined) throw new UsageError('--user and --password-file belong together.')
  const { bytes } = await readImportFile(path)
  return { username: user, password: bytes.toString().split(/\r?\n/, 1)[0] ?? '' }
}

async function readImportFile(path: string): Promise<SentFile> {
  try {
    return { name: basename(path), bytes: await readFile(path) }
  } catch (error) {
    throw new Error(`The file ${path} cannot be read: ${(error as Error).message}`)
  }
}

const addScheme = (address: string) => (/^[a-z]+:/i.test(address) ? address : `https://${address}`)

function parseMapping(pairs: string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map(pair => {
      // A column name may contain an equals sign, a field name cannot.
      const equals = pair.lastIndexOf('=')
      if (equals < 1) throw new UsageError(`--map takes COLUMN=FIELD, not ${pair}.`)
      return [pair.slice(0, equals), pair.slice(equals + 1)]
    })
  )
}

/** Interval for printing progress, and for checking whether another import is still running. */
const pollMs = 300

/** Runs the import in this process as soon as no other import runs, and prints its progress. */
async function runImport(
  store: Store,
  settings: Settings,
  id: number,
  { login, isQuiet = false }: { login?: SourceLogin | undefined; isQuiet?: boolean } = {}
): Promise<Import> {
  const progress = newProgress(isQuiet ? process.stderr : process.stdout)
  const stop = new AbortController()
  const cancel = () => {
    cancelImport(store, { caller: commandLineCaller, now: new Date() }, id)
      .catch(ignoreMissedPoll)
      .finally(() => stop.abort())
  }
  process.once('SIGINT', cancel)
  // Polling only shows progress; database errors are reported by the import itself.
  const looking = setInterval(() => {
    imports.find(store, id).then(found => found && progress.show(found.done, found.total), ignoreMissedPoll)
  }, pollMs)
  try {
    while (!(await runOne(store, settings, id, { signal: stop.signal, login }))) {
      const { status } = await requireImport(store, id)
      if (status !== 'waiting' && status !== 'running' && status !== 'undoing') break
      progress.say('Waiting for another import to finish.')
      await new Promise(resolve => setTimeout(resolve, pollMs))
    }
  } finally {
    clearInterval(looking)
    process.off('SIGINT', cancel)
  }
  const found = await requireImport(store, id)
  progress.show(found.done, found.total)
  progress.end()
  return found
}

/** The next poll, or the end of the import, reports the state. */
function ignoreMissedPoll(): void {}

async function requireImport(store: Store, id: number): Promise<Import> {
  const found = await imports.find(store, id)
  if (found === undefined) throw new Error(`Import ${id} not found.`)
  return found
}

/** The others are those of comparisons. */
const importCounts = ['new', 'changed', 'same', 'skipped', 'problem', 'gone', 'kept'] as const

/** The report has the rest. */
const shownProblems = 20

async function printReport(store: Store, found: Import): Promise<void> {
  const { id, status, counts, error, dryRun, canUndo } = found
  for (const what of importCounts) console.log(`${what.padEnd(8)} ${String(counts[what]).padStart(7)}`)
  const page = { number: 1, size: shownProblems, offset: 0 }
  for (const row of await listRows(store, id, { outcome: 'problem' }, page)) {
    const reasons = row.reasons.map(reason => reason.en).join(' ')
    console.log(`problem: ${row.kind} ${row.title || row.sourceId}: ${reasons}`)
  }
  if (counts.problem > shownProblems) console.log(`… and ${counts.problem - shownProblems} more problems.`)
  if (status === 'failed' || status === 'cancelled') {
    process.exitCode = 1
    console.error(
      status === 'failed' ? `Import ${id} failed: ${error?.en ?? 'see the server log'}` : `Import ${id} was cancelled.`
    )
  } else if (status === 'undone') console.log(`Import ${id} undone.`)
  else if (dryRun) console.log(`Dry run ${id}: nothing was written.`)
  if (canUndo) console.log(`To undo: kalends import undo ${id}`)
}

function formatCounts({ counts }: Import): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ')
}
