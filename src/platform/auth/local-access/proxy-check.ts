import type { Settings } from '../../config.ts'
import type { Database } from '../../database/database.ts'
import { findProxySince } from './queries.ts'
import { proxyRemedy } from './untrusted-proxy.ts'

const dayMs = 24 * 60 * 60 * 1000
/** Long, because a process may go on running long after it recorded the proxy. */
const recentDays = 30

/** Reports an untrusted proxy that server processes have detected, unless TRUST_PROXY is set by now. */
export async function checkProxy(
  db: Database,
  { trustProxy }: Settings,
  now: Date
): Promise<{ level: 'WARN'; about: string; details: string[]; remedy: string }[]> {
  if (trustProxy !== false) return []
  const found = await findProxySince(db, new Date(now.getTime() - recentDays * dayMs))
  if (found === undefined) return []
  return [
    {
      level: 'WARN',
      about: 'proxy: requests come through a proxy that is not in TRUST_PROXY',
      details: [
        `On ${new Date(found.seenAt).toISOString().slice(0, 10)}: ${found.sign}.`,
        'All visitors share one rate limit, because they seem to have the same IP address.'
      ],
      remedy: proxyRemedy
    }
  ]
}
