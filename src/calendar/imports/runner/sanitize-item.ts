import { createHash } from 'node:crypto'
import { canParseUrl } from '#platform/url/parse-url.ts'
import type { Incoming } from '../sources/source.ts'
import { reasons } from './reasons.ts'

export const sourceIdLengthMax = 500
const imageUrlLengthMax = 2000

/** Removes characters that PostgreSQL rejects, and hashes ids that are too long for an index. */
export function sanitizeItem(item: Incoming): Incoming {
  const clean = stripInvalidText(item) as Incoming
  const { image, inlineImages, files, sourceId } = clean
  const isFetchable = image === undefined || isWebAddress(image.url)
  const { image: _image, ...rest } = clean
  return {
    ...rest,
    sourceId: sourceId.length <= sourceIdLengthMax ? sourceId : createHash('sha256').update(sourceId).digest('hex'),
    ...(image === undefined || !isFetchable ? {} : { image: { ...image, url: new URL(image.url).href } }),
    ...(inlineImages === undefined ? {} : { inlineImages: inlineImages.filter(({ url }) => isWebAddress(url)) }),
    ...(files === undefined ? {} : { files: files.filter(({ url }) => isWebAddress(url)) }),
    ...(isFetchable ? {} : { notes: [...(clean.notes ?? []), reasons.withoutImage] })
  }
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
