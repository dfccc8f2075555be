import type { ImageRow } from '../content/post-columns.ts'
import type { Site } from '../contract/routing/site.ts'
import type { ImageJson } from '../contract/shapes.ts'

/** An image in the contract's format. */
export function toImageJson(row: ImageRow, site: Site): ImageJson {
  const full = row.sizes.find(({ size }) => size === 'full')
  if (full === undefined) throw new Error(`Image ${row.id} has no original.`)
  return {
    url: buildImageUrl(site, row, full),
    id: row.id,
    extension: full.extension,
    width: full.width,
    height: full.height,
    filesize: full.filesize,
    alt: row.alt,
    sizes: Object.fromEntries(
      row.sizes
        .filter(one => one !== full)
        .map(one => [
          one.size,
          {
            width: one.width,
            height: one.height,
            'mime-type': one.mimeType,
            filesize: one.filesize,
            url: buildImageUrl(site, row, one)
          }
        ])
    )
  }
}

/** The name in the URL is for people; id and token identify the file. */
function buildImageUrl(
  { origin }: Site,
  { id, name, token }: ImageRow,
  { size, extension }: ImageRow['sizes'][number]
): string {
  return `${origin}/media/${id}/${token}/${size}/${encodeURIComponent(name)}.${extension}`
}
