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
  const { send, receive, request } = connectToPrimary()
  try {
    const opening = receive('connection').then(({ connection }) => connectStore(connection, { noTimeouts: false, log }))
    send({ type: 'started' })
    const { metrics } = await start({
      settings,
      log,
      opening,
      isPrepared: true,
      announce: greeting => send({ type: 'serving', greeting }),
      beforeListen: async () => {
        const released = receive('listen')
        send({ type: 'ready-to-listen' })
        await released
      },
      // The primary stops all processes, including this one.
      startRestore: async (wanted, { port }) => {
        const answer = await request('restore-started', id => ({
          type: 'restore-request',
          ...{ id, request: wanted, port }
        }))
        return answer.isStarted
      }
    })

    process.on('message', async (message: PrimaryMessage) => {
      if (message.type === 'metrics-request') {
        send({ type: 'metrics', id: message.id, metrics: await metrics.collect() })
      }
    })
    metrics.aggregateWith(async () => (await request('all-metrics', id => ({ type: 'all-metrics-request', id }))).text)
  } catch (error) {
    // Otherwise the open IPC channel would keep the process alive.
    process.channel?.unref()
    throw error
  }
}

type Received<Type> = Extract<PrimaryMessage, { type: Type }>

/** Call `receive` before the message that is answered is sent: an earlier answer would be lost. */
function connectToPrimary() {
  const waiting = new Set<(message: PrimaryMessage) => void>()
  let requestCount = 0
  process.on('message', (message: PrimaryMessage) => {
    for (const deliver of waiting) deliver(message)
  })

  const send = (message: WorkerMessage) => void process.send?.(message)

  async function receive<Type extends PrimaryMessage['type']>(
    type: Type,
    isExpected: (message: Received<Type>) => boolean = () => true
  ): Promise<Received<Type>> {
    return await new Promise(resolve => {
      const deliver = (message: PrimaryMessage) => {
        if (message.type !== type || !isExpected(message as Received<Type>)) return
        waiting.delete(deliver)
        resolve(message as Received<Type>)
      }
      waiting.add(deliver)
    })
  }

  /** Sends a message with an id, and returns the answer to it. */
  async function request<Type extends 'all-metrics' | 'restore-started'>(
    type: Type,
    build: (id: number) => WorkerMessage
  ): Promise<Received<Type>> {
    requestCount += 1
    const id = requestCount
    const answered = receive(type, message => 'id' in message && message.id === id)
    send(build(id))
    return await answered
  }

  return { send, receive, request }
}
