import type { Settings } from '../config.ts'
import type { Store } from '../database/database.ts'
import type { Log } from '../log.ts'
import { fetchBytes } from '../safe-fetch.ts'
import * as releases from './queries.ts'

const timeoutMs = 15_000
/** The description of one release has a few kilobytes. */
const bytesMax = 1_000_000

/**
 * Asks the registry of UPDATE_REGISTRY for the newest release, and stores it. Without that setting nothing is asked. The
 * request has no data of this site.
 */
export async function checkForRelease(
  db: Store,
  { updateRegistry, allowPrivateAddresses }: Pick<Settings, 'updateRegistry' | 'allowPrivateAddresses'>,
  log: Log
): Promise<void> {
  if (updateRegistry === undefined) return
  try {
    const { status, bytes } = await fetchBytes(`${updateRegistry}/kalends/latest`, {
      ...{ allowPrivate: allowPrivateAddresses, accept: 'application/json' },
      ...{ bytesMax, timeoutMs, redirectsMax: 3 }
    })
    if (status !== 200) throw new Error(`The registry answered ${status}.`)
    await releases.rememberNewest(db, parseVersion(bytes), new Date())
  } catch (error) {
    // Not an error of the job, which would be retried all day: the next run is tomorrow.
    log.warn({ err: error, registry: updateRegistry }, 'failed to find the newest release')
  }
}

function parseVersion(bytes: Buffer): string {
  const { version } = (JSON.parse(bytes.toString()) ?? {}) as { version?: unknown }
  if (typeof version !== 'string' || !isVersion(version)) throw new Error('The registry did not name a version.')
  return version
}

export function isVersion(text: string): boolean {
  return /^\d{1,9}\.\d{1,9}\.\d{1,9}(?:[-+][\w.+-]{1,100})?$/.test(text)
}

/** Compares the numbers; a pre-release is never newer than the release that it precedes. */
export function isNewer(one: string, other: string): boolean {
  const [numbers, others] = [one, other].map(text => (text.split('-')[0] ?? '').split('.').map(Number))
  const difference = [0, 1, 2].map(place => (numbers?.[place] ?? 0) - (others?.[place] ?? 0)).find(value => value !== 0)
  return (difference ?? 0) > 0
}
