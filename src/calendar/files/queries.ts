import type { Database } from '#platform/database/database.ts'
import { emptySql, sql, toLiteral } from '#platform/database/sql.ts'
import type { Document } from './document.ts'

/** A file without its bytes. */
export interface FileRow {
  id: number
  name: string
  extension: string
  mimeType: string
  size: number
  source: string | null
  /** Part of the address: nobody can guess it. */
  token: string
  createdAt: string
}

const columns = sql`
  id, name, extension, source, mime_type as "mimeType", octet_length(bytes) as size,
  encode(substring(hash for 8), 'hex') as token, created_at as "createdAt"`

export async function find(db: Database, id: number): Promise<FileRow | undefined> {
  return await db.maybeOne(sql`select ${columns} from calendar.files where id = ${id}`)
}

/** Newest first. */
export async function list(
  db: Database,
  page: { size: number; offset: number }
): Promise<{ rows: FileRow[]; total: number }> {
  const rows = await db.all<FileRow>(sql`
    select ${columns}
    from calendar.files
    order by id desc
    limit ${toLiteral(page.size)} ${page.offset === 0 ? emptySql : sql`offset ${page.offset}`}`)
  const { total } = await db.one<{ total: number }>(sql`select count(*) as total from calendar.files`)
  return { rows, total }
}

export async function listByIds(db: Database, ids: number[]): Promise<FileRow[]> {
  if (ids.length === 0) return []
  return await db.all(sql`select ${columns} from calendar.files where id = any(${ids}::bigint[]) order by id`)
}

/** Files that were downloaded from these URLs. */
export async function listBySource(db: Database, sources: string[]): Promise<{ id: number; source: string }[]> {
  return await db.all(sql`
    select distinct on (source) id, source
    from calendar.files
    where source = any(${sources}::text[])
    order by source, id`)
}

/** The file that was downloaded from this path of any site. */
export async function findByUpload(db: Database, path: string): Promise<FileRow | undefined> {
  return await db.maybeOne(sql`
    select ${columns}
    from calendar.files
    where source is not null and substring(source from '/wp-content/uploads/.*$') = ${path}
    order by id
    limit 1`)
}

/** The file with exactly these bytes and this type. */
export async function findByHash(db: Database, hash: Buffer, extension: string): Promise<number | undefined> {
  const row = await db.maybeOne<{ id: number }>(sql`
    select id from calendar.files where hash = ${hash} and extension = ${extension} order by id limit 1`)
  return row?.id
}

export async function insert(
  tx: Database,
  file: { authorId: number; name: string; source: string | null; hash: Buffer },
  { extension, mimeType, bytes }: Document,
  now: Date
): Promise<number> {
  const { id } = await tx.one<{ id: number }>(sql`
    insert into calendar.files (author_id, name, extension, mime_type, source, hash, bytes, created_at)
    values (
      ${file.authorId}, ${file.name}, ${extension}, ${mimeType}, ${file.source}, ${file.hash}, ${bytes}, ${now}
    )
    returning id`)
  return id
}

export async function remove(tx: Database, id: number): Promise<boolean> {
  return (await tx.run(sql`delete from calendar.files where id = ${id}`)) === 1
}

export async function findContent(
  db: Database,
  id: number,
  token: string
): Promise<{ bytes: Buffer; mimeType: string; name: string; extension: string } | undefined> {
  return await db.maybeOne(sql`
    select bytes, name, extension, mime_type as "mimeType"
    from calendar.files
    where id = ${id} and encode(substring(hash for 8), 'hex') = ${token}`)
}
