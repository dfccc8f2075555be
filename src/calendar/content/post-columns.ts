import { type Sql, sql } from '#platform/database/sql.ts'

/** A timestamp in the site's zone, in the contract's format; null if that is UTC, which needs no conversion. */
function buildSiteTime(moment: Sql, zone: string): Sql {
  return zone === 'UTC' ? sql`null` : sql`to_char(${moment} at time zone ${zone}, 'YYYY-MM-DD HH24:MI:SS')`
}

/** Formats a timestamp of the database in UTC. */
export function formatUtc(moment: string): string {
  return `${moment.slice(0, 10)} ${moment.slice(11, 19)}`
}

/** Publication and modification dates, as in every response. */
export function toPostDates(row: PostRow) {
  return {
    date: row.siteDate ?? formatUtc(row.publishedAt ?? row.createdAt),
    date_utc: row.publishedAt === null ? '0000-00-00 00:00:00' : formatUtc(row.publishedAt),
    modified: row.siteModified ?? formatUtc(row.modifiedAt),
    modified_utc: formatUtc(row.modifiedAt)
  }
}

/** Columns that events, venues and organizers share; the row alias is the name of the kind. Fits json_agg, too. */
export interface PostRow {
  id: number
  version: number
  authorId: number
  status: string
  publishedAt: string | null
  createdAt: string
  modifiedAt: string
  siteDate: string | null
  siteModified: string | null
  password: string | null
  image: ImageRow | null
  language: 'en' | 'de'
  translations: ('en' | 'de')[]
  description: string
  slug: string
}

export function buildPostColumns(row: Sql, zone: string): Sql {
  return sql`
    ${row}.id, ${row}.version, ${row}.status, ${row}.password,
    ${row}.author_id as "authorId",
    ${row}.published_at as "publishedAt",
    ${row}.created_at as "createdAt",
    ${row}.modified_at as "modifiedAt",
    ${buildSiteTime(sql`coalesce(${row}.published_at, ${row}.created_at)`, zone)} as "siteDate",
    ${buildSiteTime(sql`${row}.modified_at`, zone)} as "siteModified",
    ${buildImageColumn(sql`${row}.image_id`)} as image,
    text.language, text.description, text.slug`
}

/** A stored image without its bytes. */
export interface ImageRow {
  id: number
  name: string
  alt: string
  /** Makes the URL of the image unguessable. */
  token: string
  sizes: { size: string; width: number; height: number; mimeType: string; extension: string; filesize: number }[]
}

export function buildImageColumn(id: Sql): Sql {
  return sql`case when ${id} is not null then (
    select json_build_object('id', stored.id, 'name', stored.name, 'alt', stored.alt,
      'token', encode(substring(stored.hash for 8), 'hex'), 'sizes', (
      select json_agg(json_build_object(
        'size', size, 'width', width, 'height', height, 'mimeType', mime_type, 'extension', extension,
        'filesize', octet_length(bytes)
      ) order by width)
      from calendar.media_sizes where media_id = stored.id
    ))
    from calendar.media as stored where stored.id = ${id}
  ) end`
}
