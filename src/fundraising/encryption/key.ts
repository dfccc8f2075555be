import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import { getKeyIds } from './iban-encryption.ts'
import type { KeyRow } from './queries.ts'
import * as encryption from './queries.ts'

/** The process cannot start: its key is not the one that encrypts IBANs and secrets. */
export class KeyError extends Error {}

/**
 * Loads the key that encrypts IBANs and secrets: from the settings, or from the data folder, where the first start
 * creates it. Rejects a key that the database does not know, because other processes could not read what it encrypts.
 */
export async function loadOrCreateKey(db: Database, settings: Settings): Promise<{ madeIn?: string }> {
  const before = await encryption.find(db)
  const made: { madeIn?: string } = {}
  if (!(await readKey(settings))) {
    if (before !== undefined) throw new KeyError(formatMissingKey(settings))
    made.madeIn = await createKeyFile(settings)
  }
  await reconcileKey(db, settings, before)
  return made
}

/** Checks the keys for `doctor`; loads and creates nothing. */
export async function checkEncryption(
  db: Database,
  settings: Settings
): Promise<{ level: 'ok' | 'WARN' | 'FAULT'; about: string; details?: string[]; remedy?: string }> {
  const about = 'IBANs, donor links, and secrets of webhooks and authenticator apps are encrypted with the current key'
  const row = await encryption.find(db)
  if (!(await readKey(settings))) {
    if (row === undefined) return { level: 'ok', about: 'encryption key: none yet, the first start generates one' }
    return { level: 'FAULT', about, details: ['The encryption key is missing.'], remedy: formatKeyHint(settings) }
  }
  const [current, ...old] = getKeyIds(settings)
  if (current === undefined) throw new Error('No encryption key is loaded.')
  const others = await encryption.countByOtherKeys(db, current)
  const isKnown = (keyId: Buffer) => old.some(id => id.equals(keyId))
  const words = ({ keyId, count }: { keyId: Buffer; count: number }) =>
    `${count} values use key ${keyId.toString('hex')}, which is ${isKnown(keyId) ? 'an old key' : 'missing'}`
  if (others.some(({ keyId }) => !isKnown(keyId))) {
    return { level: 'FAULT', about, details: others.map(words), remedy: formatKeyHint(settings) }
  }
  const plaintextCount = await encryption.countPlaintext(db)
  const details = [
    ...others.map(words),
    ...(plaintextCount === 0 ? [] : [`${plaintextCount} values are not encrypted yet`])
  ]
  if (details.length > 0) {
    const remedy =
      'The worker re-encrypts them within minutes, kalends rotate-key at once. Keep ENCRYPTION_KEY_OLD until then.'
    return { level: 'WARN', about, details, remedy }
  }
  return { level: 'ok', about: old.length === 0 ? about : `${about}; ENCRYPTION_KEY_OLD is no longer used` }
}

/** Reads the key from the data folder if the settings have none; returns false if there is none either. */
export async function readKey(settings: Settings): Promise<boolean> {
  if (settings.encryptionKey !== undefined) return true
  const path = getKeyFile(settings)
  try {
    const secret = (await readFile(path, 'utf8')).trim()
    if (secret.length < secretLengthMin) throw new KeyError(`${path} contains no key: ${formatKeyHint(settings)}`)
    settings.encryptionKey = secret
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return false
  }
}

export const getKeyFile = ({ dataDir }: Pick<Settings, 'dataDir'>) => join(dataDir, 'encryption.key')

const secretLengthMin = 32
const secretBytes = 32

/** Creates one file even if two processes start at once: the later process uses the key of the other. */
export async function createKeyFile(settings: Settings): Promise<string> {
  const path = getKeyFile(settings)
  const own = `${path}.${process.pid}-${randomBytes(4).toString('hex')}`
  try {
    await mkdir(settings.dataDir, { recursive: true, mode: 0o700 })
    const file = await open(own, 'wx', 0o600)
    try {
      await file.writeFile(`${randomBytes(secretBytes).toString('base64url')}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    try {
      await link(own, path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      await rm(own)
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new KeyError(
      `A key for account numbers and secrets cannot be kept in ${path} (${code}). Set ENCRYPTION_KEY to a secret of 32 characters or ` +
        'more (openssl rand -base64 32 makes one), or DATA_DIR to a folder that can be written to.'
    )
  }
  await readKey(settings)
  return path
}

/** Makes sure that database and process use the same key; accepts a new key if the previous one is known too. */
async function reconcileKey(db: Database, settings: Settings, before: KeyRow | undefined): Promise<void> {
  const [current, ...old] = getKeyIds(settings)
  if (current === undefined) throw new Error('No encryption key is loaded.')
  if (before?.isRotationComplete === true && before.keyId.equals(current) && old.length === 0) return
  await db.transaction(async tx => {
    await encryption.insert(tx, current)
    const row = await encryption.lock(tx)
    if (row === undefined) throw new Error('The row of the encryption settings is missing.')
    if (![current, ...old].some(id => id.equals(row.keyId))) throw new KeyError(formatWrongKey(settings, row.keyId))
    // With old keys configured we scan all values again: another process may have used an old key until now.
    const isRotationComplete = row.keyId.equals(current) && old.length === 0 && row.isRotationComplete
    if (!isRotationComplete) await requireKnownKeys(tx, settings)
    await encryption.update(tx, { keyId: current, isRotationComplete })
  })
}

/** Fails if an old key was removed before key rotation finished. */
async function requireKnownKeys(db: Database, settings: Settings): Promise<void> {
  const [current, ...old] = getKeyIds(settings)
  if (current === undefined) return
  const unknown = (await encryption.countByOtherKeys(db, current)).filter(
    ({ keyId }) => !old.some(id => id.equals(keyId))
  )
  if (unknown.length === 0) return
  const words = unknown.map(({ keyId, count }) => `${count} with key ${keyId.toString('hex')}`).join(', ')
  throw new KeyError(
    `Account numbers or secrets are still encrypted with a previous key (${words}).\n` +
      'Set ENCRYPTION_KEY_OLD to that key until kalends doctor reports that nothing uses it.'
  )
}

const formatMissingKey = (settings: Settings) =>
  `The account numbers and secrets in this database are encrypted, and there is no key to decrypt them: ENCRYPTION_KEY is not set and ` +
  `${getKeyFile(settings)} does not exist.\n${formatKeyHint(settings)}`

const formatWrongKey = (settings: Settings, keyId: Buffer) =>
  `The account numbers and secrets in this database are encrypted with another key (${keyId.toString('hex')}) than this process has ` +
  `(${getKeyIds(settings)
    .map(id => id.toString('hex'))
    .join(', ')}).\n${formatKeyHint(settings)}`

const formatKeyHint = (settings: Settings) =>
  `Set ENCRYPTION_KEY to the key that they were encrypted with, or restore the file ${getKeyFile(settings)}. To change keys, set ` +
  'ENCRYPTION_KEY to the new key and ENCRYPTION_KEY_OLD to the previous one. If the key is permanently lost, ' +
  'kalends rotate-key --lost-key discards account numbers and secrets, and nothing else.'
