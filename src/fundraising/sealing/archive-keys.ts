import type { Archive } from '#platform/archive/restore.ts'
import { CannotRestore } from '#platform/archive/restore.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database.ts'
import { keyIds } from '../vault.ts'
import { keyFile, readKey } from './key.ts'
import * as vault from './queries.ts'
import { sealedColumns } from './queries.ts'

/** The keys that account numbers and secrets in an archive are sealed with. An archive never holds the keys themselves. */
export async function keysIn(archive: Archive): Promise<string[]> {
  const found = new Set<string>()
  for (const { table, sealed } of sealedColumns) {
    const entry = archive.manifest.tables.find(({ name }) => name === table)
    const column = entry?.columns.indexOf(sealed) ?? -1
    if (entry === undefined || column < 0) continue
    for await (const rows of archive.rowsOf(entry)) {
      for (const row of rows.toString().split('\n')) {
        // The form, and behind it the key's id, as PostgreSQL's COPY writes bytes.
        const [, id] = /^\\\\x01([0-9a-f]{8})/.exec(row.split('\t')[column] ?? '') ?? []
        if (id !== undefined) found.add(id)
      }
    }
  }
  return [...found].sort()
}

/** Says so before anything is replaced: what is restored without its key can be read by nobody. */
export async function refuseWithoutKeys(keys: string[], settings: Settings): Promise<void> {
  const known = await knownKeys(settings)
  const missing = keys.filter(key => !known.includes(key))
  if (missing.length === 0) return
  throw new CannotRestore(
    `Account numbers, links of donors, and secrets of webhooks and authenticator apps in this archive are sealed with a key that is not here (${missing.join(', ')}). Set ENCRYPTION_KEY to it, or ` +
      `bring the file encryption.key of that time to ${keyFile(settings)}; if another key is to stay in use, set ENCRYPTION_KEY_OLD ` +
      'to it. If that key is lost for good, say --lost-key to restore everything else: account numbers are gone then, letters have no link any more ' +
      '(links that donors have still work), webhooks stay off until they get a new secret, and people with an authenticator app need a recovery code. Nothing was changed.'
  )
}

/** An instance without anything sealed belongs to no key: the next start takes its own. */
export async function forgetUnusedKey(db: Database, keys: string[], settings: Settings): Promise<void> {
  const row = await vault.find(db)
  if (row === undefined || keys.length > 0) return
  if (!(await knownKeys(settings)).includes(row.keyId.toString('hex'))) await vault.remove(db)
}

async function knownKeys(settings: Settings): Promise<string[]> {
  return (await readKey(settings)) ? keyIds(settings).map(id => id.toString('hex')) : []
}
