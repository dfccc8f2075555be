import type { ImageRow } from '../columns.ts'
import type { Site } from '../tec.ts'

/** An image as the contract spells it. */
export interface Image {
  url: string
  id: number
  extension: string
  width: number
  height: number
  filesize: number
  alt: string
  sizes: Record<string, { width: number; height: number; 'mime-type': string; filesize: number; url: string }>
}

export function imageToWire(row: ImageRow, site: Site): Image {
  const full = row.sizes.find(({ size }) => size === 'full')
  if (full === undefined) throw new Error(`Image ${row.id} has no original.`)
  return {
    url: imageUrl(site, row, full),
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
            url: imageUrl(site, row, one)
          }
        ])
    )
  }
}

/** The name is for people; the rest finds the file. */
function imageUrl(
  { origin }: Site,
  { id, name, token }: ImageRow,
  { size, extension }: ImageRow['sizes'][number]
): string {
  return `${origin}/media/${id}/${token}/${size}/${encodeURIComponent(name)}.${extension}`
}
