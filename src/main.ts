import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { calendarChecks } from '#calendar/checks.ts'
import { calendarMigrations, calendarService } from '#calendar/service.ts'
import { fundraisingChecks } from '#fundraising/checks.ts'
import { fundraisingJobs } from '#fundraising/jobs.ts'
import { fundraisingMigrations, fundraisingService } from '#fundraising/service.ts'
import { callerAtTheMachine, roles } from '#platform/access.ts'
import { type Settings, settingsOfThisProcess, wantsDetails } from '#platform/config.ts'
import { openStore, type Store } from '#platform/database.ts'
import { prepareQueue } from '#platform/jobs.ts'
import { issueKey, randomText, revokeKey } from '#platform/keys/key.ts'
import * as keys from '#platform/keys/queries.ts'
import { NewKey } from '#platform/keys/schema.ts'
import { newLog } from '#platform/log.ts'
import { migrate } from '#platform/migrate.ts'
import { platformJobs, platformMigrations } from '#platform/platform.ts'
import { Problem } from '#platform/problem.ts'
import { newServer, type Service, version } from '#platform/service.ts'
import { followSite } from '#platform/site/site.ts'
import * as users from '#platform/users/queries.ts'
import { NewUser, UserChanges, userRoles } from '#platform/users/schema.ts'
import { changeUser, createUser, hashForNewUser, removeUser } from '#platform/users/user.ts'
import { checked } from '#platform/validation.ts'
import { webService } from '#web/service.ts'
import { serve } from './serve.ts'

const help = `Kalends ${version}: donation campaigns and an events calendar for non-profits and communities.

  kalends serve [PART]          start the services, or one: campaigns, calendar, web
  kalends migrate               bring the database up to date
  kalends seed                  fill in sample content; does nothing the second time
  kalends key create --name NAME --role ROLE [--expires 2027-01-01T00:00:00Z]
  kalends key list
  kalends key revoke ID         roles: ${roles.join(', ')}
  kalends user create --name NAME --email MAIL --role ROLE [--password-file FILE]
                                without a file a password is made and printed
  kalends user list
  kalends user password ID [--password-file FILE]
  kalends user remove ID        roles: ${userRoles.join(', ')}
  kalends openapi [PART]        print the OpenAPI document
  kalends doctor                check settings, database, totals of donations and counts of events

Settings are environment variables; .env.example lists them.`

/** Every part, in one place. */
const parts: Record<string, (settings: Settings) => Service> = {
  campaigns: fundraisingService,
  calendar: calendarService,
  web: webService
}
const migrations = [platformMigrations, fundraisingMigrations, calendarMigrations]
const jobs = [...platformJobs, ...fundraisingJobs]
const checks = [...fundraisingChecks, ...calendarChecks]
const commandLine = callerAtTheMachine('command line')

const commands: Record<string, (words: string[]) => Promise<void>> = {
  serve: async words => {
    const settings = settingsOfThisProcess()
    const services = chosen(words).map(part => part(settings))
    await serve({ settings, services, migrations, jobs })
  },

  migrate: async () => {
    await withStore(async () => console.log('The database is up to date.'))
  },

  seed: async () => {
    await withStore(async (store, settings) => {
      const made: string[] = []
      for (const { name, seed } of chosen([]).map(part => part(settings))) {
        const count = (await seed?.(store, settings)) ?? 0
        if (count > 0) made.push(`${count} in ${name}`)
      }
      const text =
        made.length === 0 ? 'The sample content is already there.' : `Made sample content: ${made.join(', ')}.`
      console.log(text)
    })
  },

  key: async words => {
    const [action, ...rest] = words
    const run = action === undefined ? undefined : named(keyCommands, action)
    if (run === undefined) throw new UsageError('key takes create, list or revoke.')
    await run(rest)
  },

  user: async words => {
    const [action, ...rest] = words
    const run = action === undefined ? undefined : named(userCommands, action)
    if (run === undefined) throw new UsageError('user takes create, list, password or remove.')
    await run(rest)
  },

  openapi: async words => {
    const settings = settingsOfThisProcess()
    const services = chosen(words).map(part => part(settings))
    const server = await newServer(services, noStore, settings, newLog('silent'))
    console.log(JSON.stringify(server.document(words[0]), undefined, 2))
    await server.drain()
  },

  doctor: async () => {
    await withStore(async (store, settings) => {
      console.log(
        `ok    settings: ${settings.databaseUrl === undefined ? `embedded store in ${settings.dataDir}` : 'database server'}`
      )
      console.log('ok    database: answers, tables up to date')
      for (const check of checks) {
        const faults = await check.run(store)
        console.log(
          faults.length === 0 ? `ok    ${check.name}` : `FAULT ${check.name}\n      ${faults.join('\n      ')}`
        )
        if (faults.length > 0) process.exitCode = 1
      }
    })
  },

  help: async () => console.log(help),
  version: async () => console.log(version)
}

const keyCommands: Record<string, (words: string[]) => Promise<void>> = {
  create: async words => {
    const options = { name: { type: 'string' }, role: { type: 'string' }, expires: { type: 'string' } } as const
    const { values } = parseArgs({ args: words, options })
    const input = checked(NewKey, {
      name: values.name,
      role: values.role,
      ...(values.expires === undefined ? {} : { expiresAt: values.expires })
    })
    await withStore(async store => {
      const issued = await issueKey(store, commandLine, input)
      console.log(issued.key)
      console.error(`Key ${issued.id} (${issued.name}, ${issued.role}). It is shown this once: keep it safe.`)
    })
  },

  list: async () => {
    await withStore(async store => {
      const list = await keys.list(store)
      if (list.length === 0) console.log('There are no keys.')
      for (const key of list) {
        const last = key.lastUsedAt === null ? 'never used' : `last used ${key.lastUsedAt}`
        console.log(
          `${key.id}\t${key.role}\t${key.name}\t${key.expiresAt === null ? 'does not expire' : `expires ${key.expiresAt}`}\t${last}`
        )
      }
    })
  },

  revoke: async words => {
    const id = Number(words[0])
    if (!Number.isSafeInteger(id)) throw new UsageError('key revoke takes the number of a key; key list shows them.')
    await withStore(async store => {
      await revokeKey(store, commandLine, id)
      console.log(`Key ${id} does not work any more.`)
    })
  }
}

const passwordFile = { 'password-file': { type: 'string' } } as const

const userCommands: Record<string, (words: string[]) => Promise<void>> = {
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

class UsageError extends Error {}

/** What stands under this name, and not under a name that every object knows, such as `constructor`. */
function named<Value>(record: Record<string, Value>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

function chosen(words: string[]): ((settings: Settings) => Service)[] {
  const unknown = words.filter(word => named(parts, word) === undefined)
  if (unknown.length > 0)
    throw new UsageError(`There is no part ${unknown.join(', ')}; there is ${Object.keys(parts).join(', ')}.`)
  return Object.entries(parts).flatMap(([name, part]) => (words.length === 0 || words.includes(name) ? [part] : []))
}

/** Opens the store that is in use, or starts it for as long as the command takes. */
async function withStore(work: (store: Store, settings: Settings) => Promise<void>): Promise<void> {
  const settings = settingsOfThisProcess()
  const log = newLog(settings.logLevel === 'info' ? 'warn' : settings.logLevel)
  const store = await openStore(settings, 'command', log)
  try {
    await migrate(store, migrations, log)
    await prepareQueue(store, log)
    const site = await followSite(store, settings, log)
    site.close()
    await work(store, settings)
  } finally {
    await store.close()
  }
}

/** The document needs routes, and routes need a store that they never ask while they are only described. */
const noStore = new Proxy({} as Store, {
  get: (_, name) => () => {
    throw new Error(`There is no database here (${String(name)}).`)
  }
})

const [word = 'help', ...rest] = process.argv.slice(2).map(text => (text === '--help' || text === '-h' ? 'help' : text))
try {
  const command = named(commands, word)
  if (command === undefined) throw new UsageError(`There is no command ${word}.`)
  await command(rest)
} catch (error) {
  process.exitCode = 1
  console.error(wordsFor(error))
}

/** What is thrown on purpose says what to do about it; a mistake of ours shows where it is. LOG_LEVEL=debug shows all. */
function wordsFor(error: unknown): unknown {
  if (!(error instanceof Error) || wantsDetails()) return error
  if (error instanceof UsageError || isMisspelt(error)) return `${error.message}\n\n${help}`
  if (error instanceof Problem) return error.text.en
  // PostgreSQL's own are called `error`; beside the message they quote rows.
  return ['Error', 'error'].includes(error.name) ? error.message : error
}

/** An option that there is not, or one without its value. */
function isMisspelt(error: NodeJS.ErrnoException): boolean {
  return error.code?.startsWith('ERR_PARSE_ARGS') === true
}
