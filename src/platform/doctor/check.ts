import type { Database } from '../database/database.ts'

/** A check of the database contents that `doctor` runs. */
export interface Check {
  /** The expected state. */
  name: string
  /** Returns the faults, one line each; empty if there are none. */
  run(db: Database): Promise<string[]>
  remedy: string
  /** Worth knowing, but nothing is broken. */
  isWarning?: boolean
}

/** The result of one check, with a remedy where it fails. */
export interface Finding {
  level: 'ok' | 'WARN' | 'FAULT'
  about: string
  details?: string[]
  remedy?: string
}

/** Remedy for faults that only a bug or manual changes to the tables can cause. */
export const reportAsBug = 'Create a backup now, and report this as a bug with the lines above.'
