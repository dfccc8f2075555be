import type { Database } from '#platform/database/database.ts'
import { emptySql, type Sql, sql, toLiteral } from '#platform/database/sql.ts'
import type { Picture } from '#platform/images/image.ts'
import { buildImageColumn, type ImageRow } from '../content/post-columns.ts'
import type { Viewer } from '../permissions/permissions.ts'

export interface MediaRow {
  authorId: number
  image: ImageRow
}

const columns = sql`media.author_id as "authorId", ${buildImageColumn(sql`media.id`)} as image`

export async function find(db: Database, id: number): Promise<MediaRow | undefined> {
  return await db.maybeOne(sql`select ${columns} from calendar.media as media where media.id = ${id}`)
}

export async function listByIds(db: Database, ids: number[]): Promise<MediaRow[]> {
  if (ids.length === 0) return []
  return await db.all(sql`
    select ${columns} from calendar.media as media where media.id = any(${ids}::bigint[]) order by media.id`)
}

/** Newest first: all images, or only the caller's own. */
export async function list(
  db: Database,
  viewer: Viewer,
  page: { size: number; offset: number }
): Promise<{ rows: MediaRow[]; total: number }> {
  const rows = await db.all<MediaRow & { total: number }>(sql`
    select ${columns}, (select count(*) from calendar.media as media where ${buildOwnedCondition(viewer)}) as total
    from calendar.media as media
    where ${buildOwnedCondition(viewer)}
    order by media.id desc
    limit ${toLiteral(page.size)} ${page.offset === 0 ? emptySql : sql`offset ${page.offset}`}`)
  return { rows, total: rows[0]?.total ?? (page.offset === 0 ? 0 : await count(db, viewer)) }
}

async function count(db: Database, viewer: Viewer): Promise<number> {
  const { total } = await db.one<{ total: number }>(sql`
    select count(*) as total from calendar.media as media where ${buildOwnedCondition(viewer)}`)
  return total
}

function buildOwnedCondition({ visibility, authorId }: Viewer): Sql {
  return visibility === 'all' ? sql`true` : sql`media.author_id = ${authorId}`
}

export async function lock(tx: Database, id: number): Promise<{ authorId: number } | undefined> {
  return await tx.maybeOne(sql`select author_id as "authorId" from calendar.media where id = ${id} for update`)
}

export async function findBySource(db: Database, source: string): Promise<number | undefined> {
  const row = await db.maybeOne<{ id: number }>(sql`
    select id from calendar.media where source = ${source} order by id limit 1`)
  return row?.id
}

/** Images that were downloaded from these URLs. */
export async function listBySource(db: Database, sources: string[]): Promise<{ id: number; source: string }[]> {
  return await db.all(sql`
    select distinct on (source) id, source
    from calendar.media
    where source = any(${sources}::text[])
    order by source, id`)
}

/** The image with exactly these bytes. */
export async function findByHash(db: Database, hash: Buffer): Promise<number | undefined> {
  const row = await db.maybeOne<{ id: number }>(sql`
    select id from calendar.media where hash = ${hash} order by id limit 1`)
  return row?.id
}

export async function insert(
  tx: Database,
  media: { authorId: number; name: string; alt: string; source: string | null; hash: Buffer },
  sizes: Record<string, Picture>,
  now: Date
): Promise<number> {
  const { id } = await tx.one<{ id: number }>(sql`
    insert into calendar.media (author_id, name, alt, source, hash, created_at)
    values (${media.authorId}, ${media.name}, ${media.alt}, ${media.source}, ${media.hash}, ${now})
    returning id`)
  for (const [size, picture] of Object.entries(sizes)) {
    await tx.run(sql`
      insert into calendar.media_sizes (media_id, size, width, height, mime_type, extension, bytes)
      values (
        ${id}, ${size}, ${picture.width}, ${picture.height}, ${picture.mimeType}, ${picture.extension}, ${picture.bytes}
      )`)
  }
  return id
}

/** Gives an image without an alternative text this one. */
export async function fillAlt(db: Database, id: number, alt: string): Promise<void> {
  if (alt !== '') await db.run(sql`update calendar.media set alt = ${alt} where id = ${id} and alt = ''`)
}

export async function remove(tx: Database, id: number): Promise<void> {
  await tx.run(sql`delete from calendar.media where id = ${id}`)
}

export async function findFile(
  db: Database,
  id: number,
  token: string,
  size: string
): Promise<{ bytes: Buffer; mimeType: string } | undefined> {
  return await db.maybeOne(sql`
    select file.bytes, file.mime_type as "mimeType"
    from calendar.media_sizes as file
    join calendar.media as media on media.id = file.media_id
    where media.id = ${id} and file.size = ${size} and encode(substring(media.hash for 8), 'hex') = ${token}`)
}
