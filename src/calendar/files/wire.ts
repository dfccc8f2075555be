import { type Static, Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'
import { Nullable } from '#platform/http/nullable.ts'
import type { Site } from '../contract/routing/site.ts'
import type { FileRow } from './queries.ts'

/** A document that texts link to. */
export const fileSchema = NamedObject('File', {
  id: Type.Integer(),
  name: Type.String({ description: 'File name with extension.' }),
  mime_type: Type.String(),
  filesize: Type.Integer({ description: 'In bytes.' }),
  url: Type.String({ format: 'uri' }),
  source: Nullable(Type.String(), { description: 'The URL that it was copied from.' }),
  created_at: Type.String({ format: 'date-time' })
})
export type FileJson = Static<typeof fileSchema>

export function toFileJson(row: FileRow, site: Pick<Site, 'origin'>): FileJson {
  return {
    id: row.id,
    name: `${row.name}.${row.extension}`,
    mime_type: row.mimeType,
    filesize: row.size,
    url: buildFileUrl(row, site),
    source: row.source,
    created_at: row.createdAt
  }
}

/** The name in the URL is for people; id and token identify the file. */
export function buildFileUrl({ id, token, name, extension }: FileRow, { origin }: Pick<Site, 'origin'>): string {
  return `${origin}/files/${id}/${token}/${encodeURIComponent(name)}.${extension}`
}
