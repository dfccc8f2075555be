import type { Database } from '../database/database.ts'

/** What `doctor` looks at in the contents of the database. */
export interface Check {
  /** How it should be. */
  name: string
  /** What is wrong, a line each; nothing where all is well. */
  run(db: Database): Promise<string[]>
  /** What to do about it. */
  remedy: string
  /** Worth knowing, but nothing is broken. */
  isWarning?: boolean
}

/** For what only a mistake of the program, or somebody's work on the tables by hand, can have done. */
export const reportAsBug = 'Take a backup now, and report this with the lines above: the program keeps these itself.'
