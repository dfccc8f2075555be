import { openSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isVerbose } from '#platform/config.ts'
import { Problem } from '#platform/problem.ts'
import { getOwn, UsageError } from './cli/support/usage.ts'

interface Command {
  run(words: string[]): Promise<void>
}

/** Each command is imported on demand, to keep start-up fast. */
const commands: Record<string, () => Promise<Command>> = {
  serve: async () => await import('./cli/serve.ts'),
  migrate: async () => await import('./cli/migrate.ts'),
  seed: async () => await import('./cli/seed.ts'),
  key: async () => await import('./cli/key.ts'),
  user: async () => await import('./cli/user.ts'),
  openapi: async () => await import('./cli/openapi.ts'),
  import: async () => await import('./cli/import.ts'),
  export: async () => await import('./cli/export.ts'),
  backup: async () => await import('./cli/backup.ts'),
  restore: async () => await import('./cli/restore.ts'),
  'rotate-key': async () => await import('./cli/rotate-key.ts'),
  /** The command's name before November 2026. */
  seal: async () => await import('./cli/rotate-key.ts'),
  doctor: async () => await import('./cli/doctor.ts'),
  update: async () => await import('./cli/release/update.ts'),
  help: async () => await import('./cli/help.ts'),
  version: async () => await import('./cli/release/version.ts')
}

// Node 21 and later have it. Without it, `pg` loads Node's `fetch` to find out where it runs: a twentieth of a start.
if (!('navigator' in globalThis)) {
  const [major] = process.versions.node.split('.', 1)
  Object.assign(globalThis, { navigator: { userAgent: `Node.js/${major}` } })
}

// Commands load parts of the program later, from the folder of this file. It stays open while the process runs, which tells
// later builds not to remove the folder (scripts/old-builds.mjs), and worker processes of `WORKERS` are started from it too.
const file = fileURLToPath(import.meta.url)
openSync(file, 'r')
process.argv[1] = file

// A reader such as `head` may end first. The command still runs to its end, and then stops its database.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return
  process.exitCode = 1
  console.error(`Standard output cannot be written: ${error.message}`)
})
process.stderr.on('error', () => {
  // Where errors cannot be written, this one cannot either.
  process.exitCode = 1
})

const [word = 'serve', ...rest] = process.argv
  .slice(2)
  .map(text => (text === '--help' || text === '-h' ? 'help' : text))
try {
  const command = getOwn(commands, word)
  if (command === undefined) throw new UsageError(`Unknown command: ${word}.`)
  const { run } = await command()
  await run(rest)
} catch (error) {
  process.exitCode = 1
  console.error(await wordsFor(error))
}

/** Expected errors print only their message, bugs print their stack. LOG_LEVEL=debug prints stacks for all. */
async function wordsFor(error: unknown): Promise<unknown> {
  if (!(error instanceof Error) || isVerbose()) return error
  if (error instanceof UsageError || isMisspelt(error)) {
    const { help } = await import('./cli/help.ts')
    return `${error.message}\n\n${help}`
  }
  if (error instanceof Problem) return error.text.en
  // PostgreSQL errors are named `error`; their other properties quote rows.
  return ['Error', 'error'].includes(error.name) ? error.message : error
}

/** An unknown option, or one without its value. */
function isMisspelt(error: NodeJS.ErrnoException): boolean {
  return error.code?.startsWith('ERR_PARSE_ARGS') === true
}
