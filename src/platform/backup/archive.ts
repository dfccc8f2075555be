import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type pg from 'pg'
import { findAppliedVersions, type Migrations } from '../database/migrate.ts'
import { sql } from '../database/sql.ts'
import { version } from '../version.ts'
import { copyOut } from './copy.ts'
import { formatVersion, type Manifest, type TableEntry } from './manifest.ts'
import { readme } from './readme.ts'
import { type ArchiveSession, withArchiveSession } from './session.ts'
import { type ArchivedTable, listSequences, listTables, quoteIdentifier } from './tables.ts'
import { buildTarMember, tarEnd } from './tar.ts'

export interface WrittenArchive {
  manifest: Manifest
  rows: number
  bytes: number
}

/** Memory limit: rows are buffered up to this size, plus one row. */
const partBytes = 8 * 1024 * 1024
/** Fast rather than small: the server needs the CPU at the same time. */
const compression = { level: 3 }

const compress = promisify<Buffer, { level: number }, Buffer>(gzip)

/** Writes a consistent snapshot of every table, while others go on writing. */
export async function writeArchive(
  connection: pg.ClientConfig,
  parts: Migrations[],
  to: (piece: Buffer) => Promise<void>,
  kind: 'backup' | 'instance'
): Promise<WrittenArchive> {
  try {
    return await withArchiveSession(connection, 'reading', async session => await writeAll(session, parts, to, kind))
  } catch (error) {
    // The migrations table does not exist, so nothing is installed.
    throw ['42P01', '3F000'].includes(String((error as { code?: unknown }).code)) ? new NoInstallationError() : error
  }
}

async function writeAll(
  session: ArchiveSession,
  parts: Migrations[],
  to: (piece: Buffer) => Promise<void>,
  kind: 'backup' | 'instance'
): Promise<WrittenArchive> {
  const { db } = session
  const migrations = await findAppliedVersions(db)
  const schemas = parts.map(({ part }) => part)
  const moment = await db.one<{ takenAt: string; postgresql: string }>(sql`
      select now() as "takenAt", current_setting('server_version') as postgresql`)
  const file = newTarWriter(to, kind === 'backup' ? new Date(moment.takenAt) : new Date(0))

  await file.add('README.txt', Buffer.from(readme))
  const tables: TableEntry[] = []
  for (const table of await listTables(db, schemas)) tables.push(await writeTable(session, table, file.add))
  const manifest: Manifest = {
    format: 'kalends-archive',
    version: formatVersion,
    program: version,
    ...(kind === 'backup' ? moment : {}),
    migrations,
    tables,
    sequences: await listSequences(db, schemas)
  }
  await file.add('manifest.json', Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`))
  const bytes = await file.end()
  return { manifest, bytes, rows: tables.reduce((sum, { rows }) => sum + rows, 0) }
}

export class NoInstallationError extends Error {
  constructor() {
    super('This database holds no Kalends, so there is nothing to take.')
  }
}

async function writeTable(
  { client }: ArchiveSession,
  table: ArchivedTable,
  add: (name: string, content: Buffer) => Promise<void>
): Promise<TableEntry> {
  const hash = createHash('sha256')
  const parts: string[] = []
  let rows = 0
  let buffered: Buffer[] = []
  let bufferedBytes = 0
  async function flush(): Promise<void> {
    const text = Buffer.concat(buffered)
    buffered = []
    bufferedBytes = 0
    hash.update(text)
    const name = `${table.name}/${String(parts.length + 1).padStart(6, '0')}.copy.gz`
    parts.push(name)
    await add(name, await compress(text, compression))
  }

  // PostgreSQL sends one row per message, so every part ends with a whole line.
  for await (const row of copyOut(client, buildCopyOutStatement(table))) {
    rows += 1
    buffered.push(row)
    bufferedBytes += row.length
    if (bufferedBytes >= partBytes) await flush()
  }
  if (bufferedBytes > 0) await flush()
  return { name: table.name, columns: table.columns, rows, parts, sha256: hash.digest('hex') }
}

/**
 * Text format, because it is the same in every version of PostgreSQL. Byte order (collation C), whatever the database's
 * collation is.
 */
function buildCopyOutStatement({ name, columns, key }: ArchivedTable): string {
  if (key.length === 0) throw new Error(`${name} has no primary key, so its rows have no order.`)
  const order = key.map(({ column, isText }) => quoteIdentifier(column) + (isText ? ' collate "C"' : ''))
  return `copy (select ${columns.map(quoteIdentifier).join(', ')} from ${quoteIdentifier(name)} order by ${order.join(', ')}) to stdout`
}

/** Writes files one after the other, and their checksums as the last file. */
function newTarWriter(to: (piece: Buffer) => Promise<void>, modified: Date) {
  const sums: string[] = []
  let bytes = 0
  async function write(buffers: Buffer[]): Promise<void> {
    for (const buffer of buffers) {
      bytes += buffer.length
      await to(buffer)
    }
  }
  async function add(name: string, content: Buffer): Promise<void> {
    sums.push(`${createHash('sha256').update(content).digest('hex')}  ${name}\n`)
    await write(buildTarMember(name, content, modified))
  }
  return {
    add,
    end: async () => {
      await write([...buildTarMember('SHA256SUMS', Buffer.from(sums.join('')), modified), tarEnd])
      return bytes
    }
  }
}
