import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { calendarMigrations } from '#calendar/migrations.ts'
import { fundraisingMigrations } from '#fundraising/migrations.ts'
import { serveEmbedded } from '#platform/database/embedded/store.ts'
import { migrate } from '#platform/database/migrate.ts'
import { platformMigrations } from '#platform/database/platform-migrations.ts'
import { connectStore } from '#platform/database/postgres.ts'
import { prepareQueue } from '#platform/jobs/jobs.ts'
import { type Log, newLog } from '#platform/log.ts'
import { distribute, dropEverywhere } from './citus.ts'

/** The database that fresh ones are copied from: migrated, empty. */
export const template = 'kalends_template'
export const migrations = [platformMigrations, fundraisingMigrations, calendarMigrations]
/** The encryption key for IBANs. */
export const encryptionKey = 'a key of the tests for account numbers'
/** Silent, except for debugging: TEST_LOG=yes npm test -- calendar/events */
export const silent: Log =
  process.env.TEST_LOG === undefined
    ? newLog('silent')
    : ({ debug, info: debug, warn: console.error, error: console.error } as unknown as Log)

function debug(): void {}

/** Whether this run tests on a Citus cluster. */
export const onCitus = process.env.TEST_STORE === 'citus'

export interface TestDatabase {
  url: string
  remove(): Promise<void>
}

/**
 * A database of its own, migrated and empty, in a tenth of a second (on Citus: in some seconds). The server is the one that
 * the test run started (TEST_DATABASE_URL); a file that is run by itself starts an embedded one.
 */
export async function createDatabase(): Promise<TestDatabase> {
  const server = process.env.TEST_DATABASE_URL
  if (server === undefined) return await createEmbedded()
  const name = `test_${randomBytes(6).toString('hex')}`
  // Copies files instead of writing every page to the log as well: half of the processor time.
  await runAsOwner(server, `create database ${name} template ${template} strategy file_copy`)
  const url = toDatabaseUrl(server, name)
  if (onCitus) {
    await distribute(server, url)
    return { url, remove: async () => await dropEverywhere(server, name) }
  }
  return { url, remove: async () => await runAsOwner(server, `drop database ${name} with (force)`) }
}

async function createEmbedded(): Promise<TestDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kalends-test-'))
  const { url, stop } = await prepareFolder(dataDir)
  return {
    url,
    remove: async () => {
      await stop()
      await rm(dataDir, { recursive: true })
    }
  }
}

async function prepareFolder(dataDir: string): Promise<{ url: string; stop(): Promise<void> }> {
  const embedded = await serveEmbedded({ dataDir, log: silent })
  const { host, port, user, database } = embedded.connection
  const url = `postgres://${user}@${encodeURIComponent(host)}:${port}/${database}`
  await prepare(url)
  return { url, stop: embedded.stop }
}

/** Creates the template on a server. */
export async function createTemplate(server: string): Promise<void> {
  await runAsOwner(server, `drop database if exists ${template}`)
  await runAsOwner(server, `create database ${template}`)
  await prepare(toDatabaseUrl(server, template))
}

/** Fills an empty folder with an embedded store that is migrated and empty. */
export async function createDataFolder(dataDir: string): Promise<void> {
  const { stop } = await prepareFolder(dataDir)
  await stop()
}

async function prepare(url: string): Promise<void> {
  const store = connectStore({ connectionString: url }, { noTimeouts: true, log: silent })
  await migrate(store, migrations, silent)
  await prepareQueue(store, silent)
  await store.close()
}

export async function runAsOwner(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: toDatabaseUrl(server, 'postgres') })
  await client.connect()
  await client.query(statement)
  await client.end()
}

export function toDatabaseUrl(server: string, name: string): string {
  return server.replace(/\/[^/?]*(\?|$)/, `/${name}$1`)
}
