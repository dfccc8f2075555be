import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type pg from 'pg'
import { record } from '../activity/activity.ts'
import type { Caller } from '../caller.ts'
import type { Database } from '../database/database.ts'
import { findKnownVersions, type Migrations, migrateInTransaction } from '../database/migrate.ts'
import { sql } from '../database/sql.ts'
import { version } from '../version.ts'
import { copyIn } from './copy.ts'
import { toFileError } from './file-error.ts'
import { type Manifest, readManifest, type TableEntry } from './manifest.ts'
import { type ArchiveSession, applicationName, withArchiveSession } from './session.ts'
import { type ArchivedTable, listTables, quoteIdentifier } from './tables.ts'
import { IncompleteArchiveError, listMembers, readMember, type TarMember } from './tar.ts'

/** The restore is impossible; the message says what to do instead. Nothing was changed. */
export class RestoreError extends Error {}

/** An archive whose checksums have been verified. */
export interface Archive {
  manifest: Manifest
  /** Streams the rows of a table. */
  readRows(table: TableEntry): AsyncGenerator<Buffer>
  close(): Promise<void>
}

/** Far above the largest part: rows are collected up to 8 MB, and a row holds one picture at most. */
const partBytesMax = 1024 * 1024 * 1024
/** PostgreSQL still lists the connection of a command that has just ended for a moment. */
const disconnectGraceMs = 4000
const pollMs = 100

const decompress = promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip)

/** Reads the whole file and verifies every checksum. */
export async function openArchive(path: string): Promise<Archive> {
  const file = await open(path, 'r').catch(error => {
    throw toFileError(error, path)
  })
  return await readArchive(file, path)
}

/** The same for an open file, which is closed with the archive. `name` is for messages. */
export async function readArchive(file: FileHandle, name: string): Promise<Archive> {
  try {
    const members = await verifyChecksums(file)
    const manifest = readManifest(await readMember(file, requireMember(members, 'manifest.json')))
    for (const table of manifest.tables) for (const part of table.parts) requireMember(members, part)
    return {
      manifest,
      readRows: async function* ({ parts }) {
        for (const part of parts) {
          yield await decompress(await readMember(file, requireMember(members, part)), {
            maxOutputLength: partBytesMax
          })
        }
      },
      close: async () => await file.close()
    }
  } catch (error) {
    await file.close()
    if (!(error instanceof IncompleteArchiveError)) throw toFileError(error, name)
    throw new RestoreError(`${name} cannot be restored: ${error.message}. Nothing was changed. Use another backup.`)
  }
}

async function verifyChecksums(file: FileHandle): Promise<Map<string, TarMember>> {
  const members = new Map((await listMembers(file)).map(member => [member.name, member]))
  const sums = members.get('SHA256SUMS')
  if (sums === undefined) throw new IncompleteArchiveError('it is not an archive of Kalends, or it is truncated')
  const listed = new Map<string, string>()
  for (const line of (await readMember(file, sums)).toString().split('\n')) {
    const [, sum, name] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? []
    if (sum !== undefined && name !== undefined) listed.set(name, sum)
    else if (line !== '') throw new IncompleteArchiveError('its list of checksums is damaged')
  }
  for (const [name, sum] of listed) {
    const hash = createHash('sha256').update(await readMember(file, requireMember(members, name)))
    if (hash.digest('hex') !== sum) throw new IncompleteArchiveError(`${name} is damaged`)
  }
  const isListed = (name: string) => listed.has(name) || name === 'SHA256SUMS'
  const stranger = [...members.keys()].find(name => !isListed(name))
  if (stranger !== undefined) throw new IncompleteArchiveError(`${stranger} has no checksum`)
  return members
}

function requireMember(members: Map<string, TarMember>, name: string): TarMember {
  const member = members.get(name)
  if (member === undefined) throw new IncompleteArchiveError(`${name} is missing`)
  return member
}

/** Tables that already have rows, and how many. */
export type ExistingRows = { name: string; rows: number }[]

/**
 * Restores everything in one transaction: the schema at the archive's version, rows and sequences, then newer
 * migrations. Removes existing rows only if `mayReplace` agrees.
 */
export async function restoreArchive(
  connection: pg.ClientConfig,
  { manifest, readRows }: Archive,
  parts: Migrations[],
  {
    mayReplace,
    recordedAs,
    onProgress = () => {}
  }: {
    /** Called before existing rows are removed. */
    mayReplace: (existing: ExistingRows) => Promise<boolean>
    /** The caller for the activity log; without one the instance is exactly what the archive holds. */
    recordedAs?: Caller
    /** Called with the share of the rows that were loaded, from 0 to 1. */
    onProgress?: (share: number) => void
  }
): Promise<void> {
  await requireKnownVersions(manifest, parts)
  await withArchiveSession(connection, 'writing', async session => {
    const { db, client } = session
    await refuseInUse(db)
    const schemas = parts.map(({ part }) => part)
    const existing = await listExisting(session, parts)
    if (existing.length > 0 && !(await mayReplace(existing))) throw newNotEmptyError(existing)

    await db.script(`drop schema if exists ${schemas.map(quoteIdentifier).join(', ')} cascade`)
    await migrateInTransaction(db, parts, manifest.migrations)
    const tables = await listTables(db, schemas)
    refuseOtherTables(manifest, tables)
    // Migrations may have inserted rows.
    await db.script(`truncate ${formatTableNames(tables)} cascade`)
    const rowCount = manifest.tables.reduce((sum, { rows }) => sum + rows, 0)
    let loaded = 0
    for (const table of tables) {
      const entry = manifest.tables.find(({ name }) => name === table.name)
      if (entry === undefined) continue
      await withZeroTransactionIds(db, table, () => loadTable(client, entry, readRows(entry)))
      loaded += entry.rows
      onProgress(loaded / Math.max(1, rowCount))
    }
    for (const { name, value, isCalled } of manifest.sequences) {
      await db.run(sql`select setval(${quoteIdentifier(name)}::regclass, ${value}, ${isCalled})`)
    }
    await migrateInTransaction(db, parts)
    await db.script(`analyze ${formatTableNames(await listTables(db, schemas))}`)
    if (recordedAs !== undefined) {
      const { takenAt = null, program } = manifest
      const details = { takenAt, program }
      await record(db, { by: recordedAs, now: new Date() }, 'backup.restored', {
        subject: 'backup',
        id: takenAt ?? 'instance',
        details
      })
    }
  })
}

const formatTableNames = (tables: ArchivedTable[]) => tables.map(({ name }) => quoteIdentifier(name)).join(', ')

/** Refuses an archive of a later program. Several builds may have the same version number, so the tables decide. */
export async function requireKnownVersions({ migrations, program }: Manifest, parts: Migrations[]): Promise<void> {
  const known = await findKnownVersions(parts)
  const newer = Object.entries(migrations).filter(([part, number]) => number > (known[part] ?? 0))
  if (newer.length === 0) return
  const tables = newer.map(([part, number]) => `${part} ${number} (this program: ${known[part] ?? 0})`).join(', ')
  const writer =
    program === version ? `a later build of Kalends ${program}, which this program is, too` : `Kalends ${program}`
  throw new RestoreError(
    `This archive has newer tables than this program: ${tables}. It was written by ${writer}. ` +
      'Update this program to the newest release or commit and run npm ci (containers: build or pull the image again), then restore. Nothing was changed.'
  )
}

/** A running server would keep serving cached data of rows that are gone. */
async function refuseInUse(db: Database): Promise<void> {
  const deadline = Date.now() + disconnectGraceMs
  for (;;) {
    const { count } = await db.one<{ count: number }>(sql`
      select count(*) as count from pg_catalog.pg_stat_activity as activity
      where activity.datname = current_database() and activity.pid <> pg_backend_pid()
        and activity.application_name like 'kalends%' and activity.application_name <> ${applicationName}`)
    if (count === 0) return
    if (Date.now() > deadline) {
      throw new RestoreError(
        `A Kalends is using this database (connections: ${count}). Stop it first, then restore. Nothing was changed.`
      )
    }
    await sleep(pollMs)
  }
}

/** Ignores initial rows that were never modified: some tables have a row from the start. */
async function listExisting({ db, client }: ArchiveSession, parts: Migrations[]): Promise<ExistingRows> {
  const existing: ExistingRows = []
  const touched = Object.assign({}, ...parts.map(part => part.modifiedWhen)) as Record<string, string>
  const schemas = parts.map(({ part }) => part)
  for (const { name } of await listTables(db, schemas)) {
    const untouched = touched[name] === undefined ? '' : ` where ${touched[name]}`
    const { rows } = await client.query<{ rows: number }>(
      `select count(*) as rows from ${quoteIdentifier(name)}${untouched}`
    )
    if (rows[0] !== undefined && rows[0].rows > 0) existing.push({ name, rows: rows[0].rows })
  }
  return existing
}

function newNotEmptyError(existing: ExistingRows): RestoreError {
  return new RestoreError(
    `This database is not empty: it holds ${describeExisting(existing)}. ` +
      'Restore into an empty one, or say --replace to have all of that removed. Nothing was changed.'
  )
}

export function describeExisting(existing: ExistingRows): string {
  const words = existing.map(({ name, rows }) => `${rows} ${rows === 1 ? 'row' : 'rows'} of ${name}`)
  return new Intl.ListFormat('en-GB').format(words)
}

/** Table names come from the file: refuse any that this program does not know. */
function refuseOtherTables(manifest: Manifest, known: ArchivedTable[]): void {
  const columnsOf = (tables: { name: string; columns: string[] }[]) =>
    tables.flatMap(({ name, columns }) => columns.map(column => `${name}.${column}`))
  const [expected, found] = [new Set(columnsOf(known)), new Set(columnsOf(manifest.tables))]
  const unlike = [...expected].find(name => !found.has(name)) ?? [...found].find(name => !expected.has(name))
  if (unlike === undefined) return
  throw new RestoreError(
    `The tables of this archive are not those of Kalends ${manifest.program}: ${unlike} is in one and not in the other. ` +
      'Nothing was changed.'
  )
}

/** Restored rows get transaction id 0, because no transaction of this database wrote them. */
async function withZeroTransactionIds(db: Database, table: ArchivedTable, work: () => Promise<void>): Promise<void> {
  const setDefault = async (column: string, value: string | null) =>
    await db.script(
      `alter table ${quoteIdentifier(table.name)} alter column ${quoteIdentifier(column)} ${value === null ? 'drop default' : `set default ${value}`}`
    )
  for (const { column } of table.transactions) await setDefault(column, "'0'")
  await work()
  for (const { column, default: value } of table.transactions) await setDefault(column, value)
}

async function loadTable(
  client: pg.Client,
  { name, columns, rows, sha256 }: TableEntry,
  lines: AsyncGenerator<Buffer>
): Promise<void> {
  const hash = createHash('sha256')
  async function* hashed() {
    for await (const chunk of lines) {
      hash.update(chunk)
      yield chunk
    }
  }
  const statement = `copy ${quoteIdentifier(name)} (${columns.map(quoteIdentifier).join(', ')}) from stdin`
  const loaded = await copyIn(client, statement, hashed())
  if (loaded !== rows || hash.digest('hex') !== sha256) {
    throw new RestoreError(`${name} should have ${rows} rows and has ${loaded}. Nothing was changed.`)
  }
}
