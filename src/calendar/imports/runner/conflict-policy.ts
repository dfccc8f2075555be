import { createHash } from 'node:crypto'
import type { Outcome, Policy } from '../schema.ts'
import type { Reason } from '../sources/reason.ts'
import type { Incoming, IncomingFile } from '../sources/source.ts'
import { reasons } from './reasons.ts'
import type { ImportedItem, ItemState } from './undo-log.ts'

/** The action for an incoming item, or the outcome and reasons if it is not written. */
export function chooseAction(
  policy: Policy,
  item: Pick<Incoming, 'problems' | 'skipped'>,
  hash: Buffer,
  { known, state }: { known: ImportedItem | undefined; state: ItemState | undefined }
): 'make' | 'change' | { outcome: Outcome; reasons: Reason[] } {
  if (item.problems.length > 0) return { outcome: 'problem', reasons: item.problems }
  if (item.skipped !== undefined) return { outcome: 'skipped', reasons: item.skipped }
  if (known === undefined) return 'make'
  const skipped = (reason: Reason) => ({ outcome: 'skipped' as const, reasons: [reason] })
  if (state === undefined) return policy === 'overwrite' ? 'make' : skipped(reasons.removed())
  if (state.isTrashed) return policy === 'overwrite' ? 'change' : skipped(reasons.inTrash())
  const isEdited = state.version !== known.version
  const isSame = hash.equals(known.hash)
  if (isSame && (policy !== 'overwrite' || !isEdited || known.version === 0)) return { outcome: 'same', reasons: [] }
  if (policy === 'skip') return skipped(reasons.isHere())
  return isEdited && policy === 'keep' ? skipped(known.version === 0 ? reasons.wasHere() : reasons.edited()) : 'change'
}

/** Our copies of images and files by their URL at the source; undefined if the download failed. */
export type ImageCopies = Map<string, { id: number; url: string } | undefined>

/** URLs missing from the map were not needed (unchanged item) or are not fetched (dry run): they count as present. */
export function hasCopy({ url }: IncomingFile, images: ImageCopies | undefined): boolean {
  return images === undefined || !images.has(url) || images.get(url) !== undefined
}

/** Hash of the item's content, so that unchanged items are not written again. */
export function hashItem(item: Incoming, images?: ImageCopies): Buffer {
  const { kind, texts, fields, image, inlineImages, files, series } = item
  const written = {
    kind,
    texts,
    fields,
    image: image !== undefined && hasCopy(image, images) ? image : undefined,
    inlineImages: inlineImages?.filter(one => hasCopy(one, images)),
    files: files?.filter(one => hasCopy(one, images)),
    series: series === undefined ? undefined : { ...series, from: undefined }
  }
  return createHash('sha256').update(JSON.stringify(written, sortContent)).digest()
}

/**
 * Makes the hash independent of the order of members, and of categories and tags: WordPress returns terms of the same name
 * in any order.
 */
function sortContent(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return name === 'categories' || name === 'tags' ? [...value].sort() : value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}
