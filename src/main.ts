import { wantsDetails } from '#platform/config.ts'
import { Problem } from '#platform/problem.ts'
import { named, UsageError } from './commands/usage.ts'

interface Command {
  run(words: string[]): Promise<void>
}

/** Each is loaded when it is asked for: a start should not wait for what it does not need. */
const commands: Record<string, () => Promise<Command>> = {
  serve: async () => await import('./commands/serve.ts'),
  migrate: async () => await import('./commands/migrate.ts'),
  seed: async () => await import('./commands/seed.ts'),
  key: async () => await import('./commands/key.ts'),
  user: async () => await import('./commands/user.ts'),
  openapi: async () => await import('./commands/openapi.ts'),
  import: async () => await import('./commands/import.ts'),
  export: async () => await import('./commands/export.ts'),
  backup: async () => await import('./commands/backup.ts'),
  restore: async () => await import('./commands/restore.ts'),
  seal: async () => await import('./commands/seal.ts'),
  doctor: async () => await import('./commands/doctor.ts'),
  help: async () => await import('./commands/help.ts'),
  version: async () => await import('./commands/version.ts')
}

const [word = 'help', ...rest] = process.argv.slice(2).map(text => (text === '--help' || text === '-h' ? 'help' : text))
try {
  const command = named(commands, word)
  if (command === undefined) throw new UsageError(`There is no command ${word}.`)
  const { run } = await command()
  await run(rest)
} catch (error) {
  process.exitCode = 1
  console.error(await wordsFor(error))
}

/** What is thrown on purpose says what to do about it; a mistake of ours shows where it is. LOG_LEVEL=debug shows all. */
async function wordsFor(error: unknown): Promise<unknown> {
  if (!(error instanceof Error) || wantsDetails()) return error
  if (error instanceof UsageError || isMisspelt(error)) {
    const { help } = await import('./commands/help.ts')
    return `${error.message}\n\n${help}`
  }
  if (error instanceof Problem) return error.text.en
  // PostgreSQL's own are called `error`; beside the message they quote rows.
  return ['Error', 'error'].includes(error.name) ? error.message : error
}

/** An option that there is not, or one without its value. */
function isMisspelt(error: NodeJS.ErrnoException): boolean {
  return error.code?.startsWith('ERR_PARSE_ARGS') === true
}
