import { buildText } from '#platform/messages/messages.ts'
import type { Reason } from '../sources/reason.ts'

/** Reasons that only a comparison gives. Those of the import itself are in its report. */
export const explanations = {
  imageNotFetched: (): Reason => ({ code: 'image-not-fetched', ...buildText('import-comparison', 'imageNotFetched') }),
  imageShared: (): Reason => ({ code: 'image-shared', ...buildText('import-comparison', 'imageShared') }),
  inlineImageStayed: (): Reason => ({
    code: 'inline-image-stayed',
    ...buildText('import-comparison', 'inlineImageStayed')
  }),
  fileStayed: (): Reason => ({ code: 'file-stayed', ...buildText('import-comparison', 'fileStayed') }),
  currency: (): Reason => ({ code: 'currency', ...buildText('import-comparison', 'currency') }),
  timezoneRenamed: (): Reason => ({ code: 'timezone-renamed', ...buildText('import-comparison', 'timezoneRenamed') }),
  slugChanged: (): Reason => ({ code: 'slug-changed', ...buildText('import-comparison', 'slugChanged') }),
  slugTaken: (): Reason => ({ code: 'slug-taken', ...buildText('import-comparison', 'slugTaken') }),
  recognised: (): Reason => ({ code: 'recognised', ...buildText('import-comparison', 'recognised') }),
  editedHere: (): Reason => ({ code: 'edited-here', ...buildText('import-comparison', 'editedHere') }),
  removedHere: (): Reason => ({ code: 'removed-here', ...buildText('import-comparison', 'removedHere') }),
  changedAtSource: (): Reason => ({ code: 'changed-at-source', ...buildText('import-comparison', 'changedAtSource') }),
  notImported: (): Reason => ({ code: 'not-imported', ...buildText('import-comparison', 'notImported') }),
  gone: (): Reason => ({ code: 'gone', ...buildText('import-comparison', 'gone') }),
  needsCredentials: (): Reason => ({ code: 'needs-credentials', ...buildText('import-comparison', 'needsCredentials') })
}
