import fastifyPlugin from 'fastify-plugin'
import { batchUntilImmediate } from '../../database/batch-until-immediate.ts'

/**
 * Sends the responses that are ready in one turn of the event loop at its end, one after the other. Sending wakes the
 * process that waits for the response, mostly a proxy on the same machine, which costs more than the rest of a cached
 * response; for the second and all others it is awake. Comes last, because it only waits.
 */
export const sendTogether = fastifyPlugin(async app => {
  app.addHook('onSend', (request, _reply, payload, next) => {
    // A page in the same process waits for it.
    if (request.isInternal) return next(null, payload)
    batchUntilImmediate(() => {
      try {
        next(null, payload)
      } catch (error) {
        // For example a header that cannot be sent: here, outside of the handler, it would be an uncaught error.
        next(error as Error)
      }
    })
  })
})
