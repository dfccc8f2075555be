import type { EncryptionKeys, EncryptionPurpose } from './encryption.ts'

export type EncryptedColumnPurpose = Exclude<EncryptionPurpose, 'kept answers'>

/** Where secrets are encrypted, so that a new key and a lost one reach every column. */
export interface EncryptedColumn {
  table: string
  /** A number, or a number and a uuid. */
  key: [string] | [string, string]
  /** The column of the encrypted value. */
  encrypted: string
  purpose: EncryptedColumnPurpose
  /** The column that values from before they were encrypted stand in, until they are. */
  plaintext?: { column: string; isText: boolean }
  /** The column that rows are found by, and what stands in it. A keyed one is worth nothing without its key. */
  fingerprint?: { column: string; isKeyed: boolean; from: (settings: EncryptionKeys, value: Buffer) => Buffer }
}
