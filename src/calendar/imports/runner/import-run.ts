import type { Settings } from '#platform/config.ts'
import type { Language } from '#platform/language.ts'
import type { Policy } from '../schema.ts'
import type { ContextFactory } from './write-item.ts'

/** The state of a running import. */
export interface ImportRun {
  id: number
  owner: string
  origin: string
  policy: Policy
  dryRun: boolean
  defaultLanguage: Language
  settings: Settings
  newContext: ContextFactory
  /** The last numbers assigned in the report and the undo log. */
  position: number
  number: number
}
