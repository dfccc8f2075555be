import type { Settings } from '../config.ts'
import { noHosts, normalizeHost, type OwnHosts } from './html.ts'

const ownHosts = new Map<string, OwnHosts>()

/** Only the configured host: the one of a request is what the caller wrote. */
export function buildOwnHosts({ publicUrl }: Pick<Settings, 'publicUrl'>): OwnHosts {
  if (publicUrl === undefined) return noHosts
  const known = ownHosts.get(publicUrl) ?? new Set([normalizeHost(new URL(publicUrl).host)])
  ownHosts.set(publicUrl, known)
  return known
}
