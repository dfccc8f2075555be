import type { EncryptionKeys, EncryptionPurpose } from './encryption.ts'

/** Kept answers and the passwords of imports are deleted so soon that key rotation leaves them alone. */
export type EncryptedColumnPurpose = Exclude<EncryptionPurpose, 'kept answers' | 'import passwords'>

/** A column with encrypted secrets. The list of them lets key rotation and key loss handle every column. */
export interface EncryptedColumn {
  table: string
  /** The primary key: a number, or a number and a uuid. */
  key: [string] | [string, string]
  encrypted: string
  purpose: EncryptedColumnPurpose
  /** The column with values from before encryption, until they are encrypted. */
  plaintext?: { column: string; isText: boolean }
  /**
   * The column with the fingerprint to look rows up by, and how to compute it. A keyed one is useless without its key.
   */
  fingerprint?: { column: string; isKeyed: boolean; from: (settings: EncryptionKeys, value: Buffer) => Buffer }
}
