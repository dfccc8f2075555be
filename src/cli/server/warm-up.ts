import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { requestInternally } from '#platform/http/internal-client.ts'
import type { Service } from '#platform/http/service.ts'
import type { Log } from '#platform/log.ts'

/** PostgreSQL and V8 prepare most of what is used again at its second use. */
const rounds = 3

/** Requests that clients sent while the process started are answered first. */
const delayMs = 250

interface WarmUpOptions {
  app: Pick<FastifyInstance, 'inject'>
  services: Pick<Service, 'warmUpPaths'>[]
  /** The host of the site's own URL: pages redirect from others. */
  host: string
  log: Pick<Log, 'warn'>
}

/**
 * Requests what visitors request first, one path after the other: schemas are compiled, messages read and connections
 * opened at their first use, for which the first visitor would wait otherwise. `stop` waits for the request in flight.
 */
export function startWarmUp({ app, services, host, log }: WarmUpOptions): {
  done: Promise<void>
  stop(): Promise<void>
} {
  const stopping = new AbortController()
  const paths = services.flatMap(({ warmUpPaths = [] }) => warmUpPaths)
  async function run(): Promise<void> {
    await sleep(delayMs, undefined, stopping).catch(() => undefined)
    for (let round = 1; round <= rounds; round += 1) {
      for (const path of paths) {
        if (stopping.signal.aborted) return
        const status = await requestInternally(app, path, host)
        if (status >= 400) log.warn({ path, status }, 'a page that visitors request first failed after the start')
      }
    }
  }
  const done = run().catch((error: unknown) =>
    log.warn({ err: error }, 'the requests that prepare the first pages failed')
  )
  return {
    done,
    stop: async () => {
      stopping.abort()
      await done
    }
  }
}
