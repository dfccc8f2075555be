import { once } from 'node:events'
import type { Settings } from '#platform/config.ts'
import { connectStore } from '#platform/database/postgres.ts'
import type { Log } from '#platform/log.ts'
import type { Server } from '#platform/server.ts'
import type { StartOptions } from '../server/lifecycle.ts'
import type { PrimaryMessage, WorkerMessage } from './primary.ts'

/** Serves in one of several processes on one port. Tables are made, and the store runs, before there is any of them. */
export async function runWorker(
  settings: Settings,
  log: Log,
  start: (options: StartOptions) => Promise<Server>
): Promise<void> {
  const tell = (message: WorkerMessage) => process.send?.(message)
  try {
    const opening = once(process, 'message').then(([{ connection }]) =>
      connectStore(connection, { noTimeouts: false, log })
    )
    // What came before would be lost.
    tell({ hears: true })
    const announce = (greeting: string) => tell({ greeting })
    const { metrics } = await start({ settings, log, opening, isPrepared: true, announce })

    const waiting = new Map<number, (text: string) => void>()
    let questions = 0
    process.on('message', async (message: PrimaryMessage) => {
      if ('question' in message) tell({ question: message.question, figures: await metrics.collect() })
      else if ('answer' in message) waiting.get(message.answer)?.(message.text)
    })
    metrics.aggregateWith(
      () =>
        new Promise(resolve => {
          questions += 1
          const question = questions
          waiting.set(question, text => {
            waiting.delete(question)
            resolve(text)
          })
          tell({ wants: question })
        })
    )
  } catch (error) {
    // Else the channel to the others would keep the process from ending.
    process.channel?.unref()
    throw error
  }
}
