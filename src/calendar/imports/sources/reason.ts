import type { Text } from '#platform/language.ts'
import { buildText } from '#platform/messages/messages.ts'

/** Why an item differs from its source on purpose. docs/imports.md explains each code. */
export const explainedCodes = [
  'embed-became-link',
  'markup-removed',
  'status-reason-in-text',
  'image-not-fetched',
  'image-shared',
  'inline-image-stayed',
  'file-stayed',
  'price-misread',
  'currency',
  'value-left-out',
  'timezone-renamed',
  'slug-changed',
  'slug-taken',
  'linked-item-missing',
  'recognised',
  'rejected',
  'password-protected',
  'needs-credentials',
  'edited-here',
  'removed-here'
] as const

/** Differences that the next import would remove, or that a person has to decide about. */
export const unexplainedCodes = ['changed-at-source', 'not-imported', 'gone', 'unreadable'] as const

export const reasonCodes = [...explainedCodes, ...unexplainedCodes] as const
export type ReasonCode = (typeof reasonCodes)[number]

/** A sentence of the report. Reasons with a code can be counted and filtered. */
export interface Reason extends Text {
  code?: ReasonCode
  /** The field that it is about, where it is about one. */
  field?: string
}

const explained: ReadonlySet<string> = new Set(explainedCodes)

export const isExplained = ({ code }: Reason): boolean => code !== undefined && explained.has(code)

export const newFileStayedReason = (url: string): Reason => ({
  code: 'file-stayed',
  ...buildText('import-source-reasons', 'fileStayed', { url: url.slice(0, 300) })
})
