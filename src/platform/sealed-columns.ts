import type { Keys, Purpose } from './encryption.ts'

export type SealedPurpose = Exclude<Purpose, 'kept answers'>

/** Where secrets are encrypted, so that a new key and a lost one reach every column. */
export interface SealedColumns {
  table: string
  /** A number, or a number and a uuid. */
  key: [string] | [string, string]
  /** The column of the encrypted value. */
  sealed: string
  purpose: SealedPurpose
  /** The column that values from before they were encrypted stand in, until they are. */
  before?: { column: string; isText: boolean }
  /** The column that rows are found by, and what stands in it. A keyed one is worth nothing without its key. */
  found?: { column: string; isKeyed: boolean; from: (settings: Keys, value: Buffer) => Buffer }
}
