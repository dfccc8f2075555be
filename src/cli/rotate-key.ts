import { parseArgs } from 'node:util'
import { createKeyFile, loadOrCreateKey, readKey } from '#fundraising/encryption/key.ts'
import { discardUnreadable, rotateKeys } from '#fundraising/encryption/rotate.ts'
import type { Settings } from '#platform/config.ts'
import type { Store } from '#platform/database/database.ts'
import { commandLineCaller, withStore } from './support/store.ts'

/** The background worker rotates keys too; this command does it now and shows when it is done. */
export async function run(words: string[]): Promise<void> {
  const { values } = parseArgs({ args: words, options: { 'lost-key': { type: 'boolean' } } })
  await withStore(async (store, settings) => {
    if (values['lost-key'] === true) await discardUnreadableSecrets(store, settings)
    await loadOrCreateKey(store, settings)
    const count = await rotateKeys(store, settings)
    console.log(
      `Re-encrypted ${count} values (IBANs, donor links, secrets of webhooks and authenticator apps). All values now use the current key.`
    )
  })
}

/** Deletes unreadable secrets of donors, payers and webhooks; all other data about them stays. */
export async function discardUnreadableSecrets(store: Store, settings: Settings): Promise<void> {
  if (!(await readKey(settings))) await createKeyFile(settings)
  const given = await discardUnreadable(store, commandLineCaller, settings)
  console.log(
    `Discarded values that could not be decrypted: ${given.accounts} IBANs, ${given['donor links']} donor links in emails, ` +
      `${given['webhook secrets']} secrets of webhooks, ${given['second factors']} authenticator apps. Links that donors have still work; a webhook without its ` +
      'secret is disabled until it gets a new one; users with an authenticator app sign in with a recovery code and set up the app again.'
  )
}
