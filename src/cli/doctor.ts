import { statfs } from 'node:fs/promises'
import { checkEncryption } from '#fundraising/encryption/key.ts'
import { checkChain } from '#platform/activity/chain/chain.ts'
import { checkProxy } from '#platform/auth/local-access/proxy-check.ts'
import { findProviderFault } from '#platform/auth/openid/provider.ts'
import type { Settings } from '#platform/config.ts'
import type { Store } from '#platform/database/database.ts'
import { findNewerRelease } from '#platform/database/embedded/postgresql-versions.ts'
import { findAppliedVersions, findKnownVersions, refuseNewerDatabase } from '#platform/database/migrate.ts'
import { checkReplica } from '#platform/database/replica/read-replica.ts'
import { sql } from '#platform/database/sql.ts'
import { checkBackup, checkBackupCopies } from '#platform/doctor/backup-checks.ts'
import type { Finding } from '#platform/doctor/check.ts'
import { EmailFailure, getSmtpSettings, verifyServer } from '#platform/email/smtp.ts'
import type { Log } from '#platform/log.ts'
import { checks } from './server/services.ts'
import { migrations } from './support/migrations.ts'
import { withExistingStore } from './support/store.ts'

const oldestPostgresql = 15
/** Database connections that one server process opens; see docs/operations.md. */
const connectionsNeeded = 24
const clockSkewMs = 5000
const gigabyte = 1e9

/** Runs all checks; changes nothing. */
export async function run(): Promise<void> {
  await withExistingStore(async (store, settings, log) => {
    const database = await readDatabaseFacts(store)
    await refuseNewerDatabase(store, migrations)
    printFinding(checkSettings(settings))
    for (const finding of checkDatabase(database, settings)) printFinding(finding)
    printFinding(await checkRelease(store, database, settings))
    for (const finding of await checkReplicaLag(store, settings, log)) printFinding(finding)
    printFinding(checkClock(database))
    const tables = await checkTables(store)
    printFinding(tables)
    // The checks read columns that tables of an older version do not have.
    if (tables.level === 'ok') for (const check of checks) printFinding(await checkContents(store, check))
    if (tables.level === 'ok') printFinding(await checkEncryption(store, settings))
    if (tables.level === 'ok') printFinding(await checkChain(store))
    if (tables.level === 'ok')
      for (const finding of await checkProxy(store, settings, new Date())) printFinding(finding)
    for (const finding of await checkDisk(settings, database)) printFinding(finding)
    for (const finding of await checkMail(settings)) printFinding(finding)
    for (const finding of await checkSingleSignOn(settings)) printFinding(finding)
    if (tables.level === 'ok') printFinding(await checkBackup(store, settings, new Date()))
    for (const finding of await checkBackupCopies(settings)) printFinding(finding)
  })
}

function printFinding({ level, about, details = [], remedy }: Finding): void {
  const lines = [...details, ...(level === 'ok' || remedy === undefined ? [] : [`→ ${remedy}`])]
  console.log([`${level.padEnd(5)} ${about}`, ...lines.map(line => `      ${line}`)].join('\n'))
  if (level === 'FAULT') process.exitCode = 1
}

function checkSettings(settings: Settings): Finding {
  const about = `settings: ${settings.databaseUrl === undefined ? `embedded store in ${settings.dataDir}` : 'database server'}`
  if (!settings.allowPrivateAddresses) return { level: 'ok', about }
  return {
    level: 'WARN',
    about,
    details: ['ALLOW_PRIVATE_ADDRESSES=true disables SSRF protection for webhooks, images and imports.'],
    remedy: 'Remove it, except for development.'
  }
}

interface DatabaseFacts {
  version: string
  major: number
  minor: number
  encoding: string
  isStandby: boolean
  isSynced: boolean
  connections: number
  connectionsMax: number
  sizeBytes: number
  skewMs: number
}

async function readDatabaseFacts(store: Store): Promise<DatabaseFacts> {
  const facts = await store.one<Omit<DatabaseFacts, 'skewMs'>>(sql`
    select
      current_setting('server_version') as version,
      current_setting('server_version_num')::int / 10000 as major,
      current_setting('server_version_num')::int % 10000 as minor,
      current_setting('server_encoding') as encoding,
      pg_is_in_recovery() as "isStandby",
      current_setting('fsync') = 'on' and current_setting('synchronous_commit') <> 'off' as "isSynced",
      (select count(*) from pg_catalog.pg_stat_activity where backend_type = 'client backend') as connections,
      current_setting('max_connections')::int as "connectionsMax",
      pg_database_size(current_database()) as "sizeBytes"`)
  const before = Date.now()
  const { now } = await store.one<{ now: string }>(sql`select clock_timestamp() as now`)
  const after = Date.now()
  // Compares the database's clock with the middle of the round trip; the round trip itself is the tolerance.
  const middle = (before + after) / 2
  return { ...facts, skewMs: Math.max(0, Math.abs(Date.parse(now) - middle) - (after - before)) }
}

function checkDatabase(facts: DatabaseFacts, { workers }: Settings): Finding[] {
  const about = `database: reachable, PostgreSQL ${facts.version}, ${formatMegabytes(facts.sizeBytes)}`
  if (facts.isStandby) {
    const remedy = 'Point DATABASE_URL to the primary.'
    return [{ level: 'FAULT', about, details: ['The database is a read-only standby.'], remedy }]
  }
  if (facts.encoding !== 'UTF8') {
    const remedy = 'Create a database with ENCODING UTF8 and restore a backup into it.'
    return [{ level: 'FAULT', about, details: [`Database encoding is ${facts.encoding}; UTF8 is required.`], remedy }]
  }
  if (facts.major < oldestPostgresql) {
    const remedy = `Use PostgreSQL ${oldestPostgresql} or newer: create a backup and restore it there.`
    return [{ level: 'FAULT', about, details: [`PostgreSQL ${oldestPostgresql} or newer is required.`], remedy }]
  }
  const findings: Finding[] = [{ level: 'ok', about }]
  if (!facts.isSynced) {
    findings.push({
      level: 'WARN',
      about: 'database: commits are durable',
      details: ['fsync or synchronous_commit is off: a power failure can lose confirmed donations.'],
      remedy: 'Turn both on.'
    })
  }
  const free = facts.connectionsMax - facts.connections
  if (facts.connectionsMax < connectionsNeeded * workers || free < connectionsNeeded / 4) {
    findings.push({
      level: 'WARN',
      about: `database: ${facts.connections} of ${facts.connectionsMax} connections in use`,
      remedy: `Raise max_connections: each server process needs up to ${connectionsNeeded}.`
    })
  }
  return findings
}

/** Checks that PostgreSQL has the known fixes, and for the embedded database also which binaries run. */
async function checkRelease(store: Store, facts: DatabaseFacts, { databaseUrl }: Settings): Promise<Finding> {
  // Only superusers can read this; the role of the embedded database is one.
  const folder =
    databaseUrl === undefined
      ? (
          await store.one<{ folder: string }>(sql`
          select setting as folder from pg_catalog.pg_config() where name = 'BINDIR'`)
        ).folder
      : undefined
  const about = `PostgreSQL release: ${facts.major}.${facts.minor}${folder === undefined ? '' : `, run from ${folder}`}`
  const newer = findNewerRelease(facts)
  if (newer === undefined) return { level: 'ok', about }
  return {
    level: 'WARN',
    about,
    details: [`${newer} is available and has fixes.`],
    remedy:
      folder === undefined
        ? 'Update the packages of the database server, and restart it.'
        : `Install PostgreSQL ${facts.major} from the packages of your system (apt install postgresql-${facts.major}) and restart: ` +
          'Kalends uses it where it is newer. See docs/operations.md, The database.'
  }
}

async function checkReplicaLag(store: Store, { databaseReplicaUrl }: Settings, log: Log): Promise<Finding[]> {
  if (databaseReplicaUrl === undefined) return []
  const found = await checkReplica(store, databaseReplicaUrl, log)
  const about = `replica: ${found}`
  if (found === 'in step') return [{ level: 'ok', about }]
  const remedy = 'Reads fall back to the primary (DATABASE_URL) until the replica has caught up.'
  return [{ level: 'WARN', about, remedy }]
}

function checkClock({ skewMs }: DatabaseFacts): Finding {
  if (skewMs < clockSkewMs) return { level: 'ok', about: 'clock: in sync with the database' }
  return {
    level: 'WARN',
    about: `clock: ${Math.round(skewMs / 1000)} s off from the database`,
    remedy: 'Synchronise the clocks of both machines with NTP.'
  }
}

async function checkTables(store: Store): Promise<Finding> {
  const [applied, known] = await Promise.all([findAppliedVersions(store), findKnownVersions(migrations)])
  const behind = Object.entries(known).filter(([part, number]) => (applied[part] ?? 0) < number)
  if (behind.length === 0) return { level: 'ok', about: 'migrations: up to date' }
  return {
    level: 'WARN',
    about: 'migrations: pending',
    details: behind.map(([part, number]) => `${part}: version ${applied[part] ?? 0}, latest ${number}`),
    remedy: 'Create a backup, then run kalends migrate (serve does it too). The data was not checked.'
  }
}

async function checkContents(
  store: Store,
  { name, run: look, remedy, isWarning }: (typeof checks)[number]
): Promise<Finding> {
  const details = await look(store)
  if (details.length === 0) return { level: 'ok', about: name }
  return { level: isWarning === true ? 'WARN' : 'FAULT', about: name, details, remedy }
}

/** Only for the embedded database: the free disk space of a database server is known only on its own machine. */
async function checkDisk(settings: Settings, { sizeBytes }: DatabaseFacts): Promise<Finding[]> {
  if (settings.databaseUrl !== undefined) return []
  const { bavail, bsize } = await statfs(settings.dataDir)
  const free = bavail * bsize
  const about = `disk: ${formatMegabytes(free)} free in ${settings.dataDir}`
  if (free >= gigabyte && free >= sizeBytes / 4) return [{ level: 'ok', about }]
  const level = free < gigabyte / 10 ? 'FAULT' : 'WARN'
  return [{ level, about, remedy: 'Free disk space: the database stops when the disk is full.' }]
}

/** Connects and authenticates, but sends no e-mail. */
async function checkMail(settings: Settings): Promise<Finding[]> {
  const route = getSmtpSettings(settings)
  if (route === undefined) return []
  const about = `email: sent by ${new URL(route.smtpUrl).host}`
  try {
    await verifyServer(route)
    return [{ level: 'ok', about }]
  } catch (error) {
    if (!(error instanceof EmailFailure)) throw error
    const remedy = 'Check SMTP_URL and network access. Queued emails are retried for two days.'
    return [{ level: 'WARN', about, details: [error.message], remedy }]
  }
}

/** Fetches the provider's discovery document. Whether the client is registered shows only at a sign-in. */
async function checkSingleSignOn({ openid }: Settings): Promise<Finding[]> {
  if (openid === undefined) return []
  const about = `single sign-on: ${openid.issuer}`
  const fault = await findProviderFault(openid)
  if (fault === undefined) return [{ level: 'ok', about }]
  const remedy = 'Check OIDC_ISSUER and network access. Sign-in with passwords still works.'
  return [{ level: 'WARN', about, details: [fault], remedy }]
}

function formatMegabytes(bytes: number): string {
  return `${new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 }).format(bytes / 1e6)} MB`
}
