import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type CreatedDonation, donate } from '#fundraising/donations/donation.ts'
import type { Cents } from '#fundraising/money/money.ts'
import { newSystemCaller } from '#platform/caller.ts'
import { readSettings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import type { Sql } from '#platform/database/sql.ts'
import { encryptionKey } from '#test/support/database.ts'
import { findDebianServer } from '#test/support/postgres-server.ts'
import { cpuMsOfServer } from './cpu.ts'
import type { Lab, Sample } from './lab.ts'
import { pgbenchSeconds as seconds } from './options.ts'

/** What donors send in the benchmark. */
export const donation = {
  donorName: 'Ada Lovelace',
  receiptRequested: true,
  status: 'IN_PROCESS',
  account: { iban: 'DE02120300000000202051', name: 'Ada Lovelace', nameOfBank: 'Example Bank' }
} as const

/** The limit of a donation: pgbench sends the statements that the service sends, to any of the campaigns. */
export async function pgbenchOfDonation(
  lab: Lab,
  databaseUrl: string,
  campaigns: number
): Promise<(connections: number) => Promise<Sample>> {
  const script = join(lab.folder, 'donation.sql')
  writeFileSync(script, await scriptOf(lab, databaseUrl, campaigns))
  const program = join(findDebianServer() ?? '', 'pgbench')

  return async connections => {
    const words = ['-n', '-M', 'prepared', '-c', connections, '-j', 1, '-T', seconds, '-f', script, databaseUrl]
    const before = cpuMsOfServer(lab.postgresPid)
    const child = spawn(program, words.map(String), { stdio: ['ignore', 'pipe', 'pipe'] })
    const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr)])
    const perSecond = Number(/tps = ([\d.]+)/.exec(said)?.[1])
    if (!(perSecond > 0)) throw new Error(`pgbench failed:\n${complained}`)
    const cpuMs = cpuMsOfServer(lab.postgresPid) - before
    const microseconds = (cpuMs * 1000) / (perSecond * seconds)
    return { perSecond, p99Ms: Number.NaN, cpuMicroseconds: microseconds, databaseMicroseconds: microseconds }
  }
}

/** Like no other number in a donation, so that it can be told apart. */
const campaignId = 77

/** One donation is made and every statement of it written down, with something of their own in place of what must be unique. */
async function scriptOf(lab: Lab, databaseUrl: string, campaigns: number): Promise<string> {
  const store = lab.store(databaseUrl)
  const settings = readSettings({ DATABASE_URL: databaseUrl, ENCRYPTION_KEY: encryptionKey })
  const sent: (Sql | string)[] = []
  const visitor = { ...newSystemCaller('visitor'), role: undefined }
  const input = { ...donation, amount: 2500 as Cents, language: 'en' as const }
  const made = await donate(recording(store, sent), visitor, campaignId, input, { settings })
  await store.close()
  const statements = sent.map(one => `${typeof one === 'string' ? one : spelled(one, made)};`)
  return [`\\set campaign random(1, ${campaigns})`, '\\set n random(1, 9000000000000000)', ...statements, ''].join('\n')
}

function recording(db: Database, sent: (Sql | string)[]): Database {
  const noted = (statement: Sql) => {
    sent.push(statement)
    return statement
  }
  return {
    ...db,
    all: async statement => await db.all(noted(statement)),
    one: async statement => await db.one(noted(statement)),
    maybeOne: async statement => await db.maybeOne(noted(statement)),
    run: async statement => await db.run(noted(statement)),
    transaction: async work => {
      sent.push('begin')
      const result = await db.transaction(async tx => await work(recording(tx, sent)))
      sent.push('commit')
      return result
    }
  }
}

function spelled({ text: statement, values }: Sql, made: CreatedDonation): string {
  const unique = "lpad(to_hex(:n::bigint), 32, '0')"
  const isOfDonation = statement.includes('insert into fundraising.donations')
  return statement.replace(/\$(\d+)/g, (_, place) => {
    const value = values[Number(place) - 1]
    if (value === campaignId) return ':campaign'
    if (value === made.id) return isOfDonation ? `${unique}::uuid` : unique
    if (value === made.reference || value === made.donorToken) return unique
    return literalOf(value)
  })
}

function literalOf(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'::bytea`
  const written = value instanceof Date ? value.toISOString() : String(value)
  return `'${written.replaceAll("'", "''")}'`
}
