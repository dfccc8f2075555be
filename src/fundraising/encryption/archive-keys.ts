import type { Archive } from '#platform/backup/restore.ts'
import { RestoreError } from '#platform/backup/restore.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import { getKeyIds } from './iban-encryption.ts'
import { getKeyFile, readKey } from './key.ts'
import * as encryption from './queries.ts'
import { encryptedColumns } from './queries.ts'

/** The ids of the keys that encrypt IBANs and secrets in an archive. An archive never contains the keys themselves. */
export async function listArchiveKeys(archive: Archive): Promise<string[]> {
  const found = new Set<string>()
  for (const { table, encrypted } of encryptedColumns) {
    const entry = archive.manifest.tables.find(({ name }) => name === table)
    const column = entry?.columns.indexOf(encrypted) ?? -1
    if (entry === undefined || column < 0) continue
    for await (const rows of archive.readRows(entry)) {
      for (const row of rows.toString().split('\n')) {
        // The format byte followed by the key id, as PostgreSQL's COPY writes bytea.
        const [, id] = /^\\\\x01([0-9a-f]{8})/.exec(row.split('\t')[column] ?? '') ?? []
        if (id !== undefined) found.add(id)
      }
    }
  }
  return [...found].sort()
}

/** Fails before anything is replaced: values restored without their key are unreadable. */
export async function requireArchiveKeys(keys: string[], settings: Settings): Promise<void> {
  const known = await listKnownKeys(settings)
  const missing = keys.filter(key => !known.includes(key))
  if (missing.length === 0) return
  throw new RestoreError(
    `Account numbers, links of donors, and secrets of webhooks and authenticator apps in this archive are encrypted with a key that this instance does not have (${missing.join(', ')}). Set ENCRYPTION_KEY to that key, or ` +
      `copy its file encryption.key to ${getKeyFile(settings)}. To keep using another key, set ENCRYPTION_KEY_OLD to that key. ` +
      'If the key is permanently lost, use --lost-key to restore everything else: account numbers are then lost, new emails contain no donor link ' +
      '(links that donors already have still work), webhooks stay off until they get a new secret, and users with an authenticator app need a recovery code. Nothing was changed.'
  )
}

/** A database without encrypted values is bound to no key; the next start uses its own. */
export async function deleteUnusedKey(db: Database, keys: string[], settings: Settings): Promise<void> {
  const row = await encryption.find(db)
  if (row === undefined || keys.length > 0) return
  if (!(await listKnownKeys(settings)).includes(row.keyId.toString('hex'))) await encryption.remove(db)
}

async function listKnownKeys(settings: Settings): Promise<string[]> {
  return (await readKey(settings)) ? getKeyIds(settings).map(id => id.toString('hex')) : []
}
