import type { Settings } from '#platform/config.ts'
import type { Subscription } from './schema.ts'

/** The same for addresses of one calendar: without scheme, `www.`, fragment and a slash at the end. */
export function buildUrlKey(url: string): string {
  const { pathname, search } = new URL(url)
  return getSiteName(url) + pathname.replace(/(?<!\/)\/+$/, '') + search
}

/** Whether the address is one of this site. */
export function isOwnAddress(url: string, settings: Pick<Settings, 'publicUrl'>, origin?: string): boolean {
  const own = [settings.publicUrl, origin].flatMap(one => (one === undefined ? [] : getSiteName(one)))
  return own.includes(getSiteName(url))
}

/** Host and port. */
function getSiteName(url: string): string {
  return new URL(url).host.toLowerCase().replace(/^www\./, '')
}

/** The name that an editor gave it, its own, or its site. */
export function getSubscriptionName({ name, feedName, url }: Pick<Subscription, 'name' | 'feedName' | 'url'>): string {
  return name || feedName || new URL(url).host
}
