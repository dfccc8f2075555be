import { buildText } from '#platform/messages/messages.ts'
import type { Reason } from '../sources/reason.ts'
import type { ItemKind } from '../sources/source.ts'

/** Reasons in the report, in both languages: others than the caller who ran the import read it, too. */
export const reasons = {
  removed: (): Reason => ({ code: 'removed-here', ...buildText('import-reasons', 'removed') }),
  inTrash: (): Reason => ({ code: 'removed-here', ...buildText('import-reasons', 'inTrash') }),
  isHere: (): Reason => buildText('import-reasons', 'isHere'),
  edited: (): Reason => ({ code: 'edited-here', ...buildText('import-reasons', 'edited') }),
  wasHere: (): Reason => ({ code: 'recognised', ...buildText('import-reasons', 'wasHere') }),
  gone: (): Reason => ({ code: 'gone', ...buildText('import-reasons', 'gone') }),
  recognised: (): Reason => ({ code: 'recognised', ...buildText('import-reasons', 'recognised') }),
  withoutImage: (): Reason => ({ code: 'image-not-fetched', ...buildText('import-reasons', 'withoutImage') }),
  inlineImageLost: (url: string): Reason => ({
    code: 'inline-image-stayed',
    ...buildText('import-reasons', 'inlineImageLost', { url: url.slice(0, 300) })
  }),
  imageFailed: (): Reason => ({ code: 'image-not-fetched', ...buildText('import-reasons', 'imageFailed') }),
  refused: (): Reason => buildText('import-reasons', 'refused'),
  tooOften: (): Reason => buildText('import-reasons', 'tooOften'),
  keptEdited: (): Reason => buildText('import-reasons', 'keptEdited'),
  keptUsed: (): Reason => buildText('import-reasons', 'keptUsed'),
  keptImpossible: (): Reason => buildText('import-reasons', 'keptImpossible'),
  missing: (kind: ItemKind, sourceId: string): Reason => ({
    code: 'linked-item-missing',
    ...buildText('import-reasons', 'missing', { kind, id: truncateId(sourceId) })
  })
} as const

/** The id of a source may have any length. */
const truncateId = (sourceId: string) => sourceId.slice(0, 100).toWellFormed()
