import { createHash } from 'node:crypto'
import { canParseUrl } from '#platform/url/parse-url.ts'
import type { Incoming } from '../sources/source.ts'
import { reasons } from './reasons.ts'

export const sourceIdLengthMax = 500
const imageUrlLengthMax = 2000

/** Removes characters that PostgreSQL rejects, and hashes ids that are too long for an index. */
export function sanitizeItem(item: Incoming): Incoming {
  const clean = stripInvalidText(item) as Incoming
  const { inlineImages, files, sourceId, series } = clean
  const changes = series?.changes ?? []
  const isFetchable = [clean, ...changes].every(({ image }) => image === undefined || isWebAddress(image.url))
  return {
    ...sanitizeImage(clean),
    sourceId: sourceId.length <= sourceIdLengthMax ? sourceId : createHash('sha256').update(sourceId).digest('hex'),
    ...(inlineImages === undefined ? {} : { inlineImages: inlineImages.filter(({ url }) => isWebAddress(url)) }),
    ...(files === undefined ? {} : { files: files.filter(({ url }) => isWebAddress(url)) }),
    ...(series === undefined ? {} : { series: { ...series, changes: changes.map(sanitizeImage) } }),
    ...(isFetchable ? {} : { notes: [...(clean.notes ?? []), reasons.withoutImage()] })
  }
}

/** Removes an image that cannot be fetched. */
function sanitizeImage<Item extends Pick<Incoming, 'image'>>({ image, ...rest }: Item) {
  return image === undefined || !isWebAddress(image.url)
    ? rest
    : { ...rest, image: { ...image, url: new URL(image.url).href } }
}

function isWebAddress(url: string): boolean {
  return /^https?:\/\//i.test(url) && canParseUrl(url) && new URL(url).href.length <= imageUrlLengthMax
}

function stripInvalidText(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed()
  if (Array.isArray(value)) return value.map(stripInvalidText)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, stripInvalidText(inner)]))
}
