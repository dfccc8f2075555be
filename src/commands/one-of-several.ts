import { once } from 'node:events'
import type { Settings } from '#platform/config.ts'
import { connectTo } from '#platform/database-server.ts'
import type { Log } from '#platform/log.ts'
import type { Server } from '#platform/service.ts'
import type { FromOne, ToOne } from './processes.ts'
import type { Starting } from './serve.ts'

/** Serves in one of several processes on one port. Tables are made, and the store runs, before there is any of them. */
export async function serveAmongOthers(
  settings: Settings,
  log: Log,
  start: (options: Starting) => Promise<Server>
): Promise<void> {
  const tell = (message: FromOne) => process.send?.(message)
  try {
    const opening = once(process, 'message').then(([{ connection }]) => connectTo(connection, { patient: false, log }))
    // What came before would be lost.
    tell({ hears: true })
    const announce = (greeting: string) => tell({ greeting })
    const { metrics } = await start({ settings, log, opening, isPrepared: true, announce })

    const waiting = new Map<number, (text: string) => void>()
    let questions = 0
    process.on('message', async (message: ToOne) => {
      if ('question' in message) tell({ question: message.question, figures: await metrics.figures() })
      else if ('answer' in message) waiting.get(message.answer)?.(message.text)
    })
    metrics.askForAll(
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
