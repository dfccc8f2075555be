import { once } from 'node:events'
import type { Settings } from '#platform/config.ts'
import { connectStore } from '#platform/database/postgres.ts'
import type { Log } from '#platform/log.ts'
import type { Server } from '#platform/server.ts'
import type { StartOptions } from '../server/lifecycle.ts'
import type { PrimaryMessage, WorkerMessage } from './primary.ts'

/** Runs one of several processes on one port. The primary has started the database and migrated it before. */
export async function runWorker(
  settings: Settings,
  log: Log,
  start: (options: StartOptions) => Promise<Server>
): Promise<void> {
  const send = (message: WorkerMessage) => process.send?.(message)
  try {
    const opening = once(process, 'message').then(([{ connection }]) =>
      connectStore(connection, { noTimeouts: false, log })
    )
    // Sent only after the listener is attached: an earlier message from the primary would be lost.
    send({ type: 'started' })
    const announce = (greeting: string) => send({ type: 'serving', greeting })
    const { metrics } = await start({ settings, log, opening, isPrepared: true, announce })

    const waiting = new Map<number, (text: string) => void>()
    let requestCount = 0
    process.on('message', async (message: PrimaryMessage) => {
      if (message.type === 'metrics-request') {
        send({ type: 'metrics', id: message.id, metrics: await metrics.collect() })
      } else if (message.type === 'all-metrics') waiting.get(message.id)?.(message.text)
    })
    metrics.aggregateWith(
      () =>
        new Promise(resolve => {
          requestCount += 1
          const id = requestCount
          waiting.set(id, text => {
            waiting.delete(id)
            resolve(text)
          })
          send({ type: 'all-metrics-request', id })
        })
    )
  } catch (error) {
    // Otherwise the open IPC channel would keep the process alive.
    process.channel?.unref()
    throw error
  }
}
