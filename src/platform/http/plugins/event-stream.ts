import fastifyPlugin from 'fastify-plugin'
import type { Hub } from '../../event-stream/hub.ts'

/** Wakes the event stream after each write, so that listeners get the change at once. */
export const eventStream = fastifyPlugin(async (app, { hub }: { hub: Pick<Hub, 'pollSoon'> }) => {
  app.addHook('onSend', (request, _reply, payload, next) => {
    if (!['GET', 'HEAD', 'OPTIONS'].includes(request.method)) hub.pollSoon()
    next(null, payload)
  })
})
