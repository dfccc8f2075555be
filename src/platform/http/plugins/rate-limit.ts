import fastifyPlugin from 'fastify-plugin'
import type { Settings } from '../../config.ts'
import type { RateLimiter } from '../../rate-limit/limiter.ts'
import { isInternal } from '../internal-client.ts'

/** Limits all requests of an address; comes before authentication, which costs more than counting. */
export const rateLimit = fastifyPlugin(
  async (app, { limiter, settings }: { limiter: RateLimiter; settings: Settings }) => {
    if (settings.rateLimit === 0) return
    const limit = { name: 'requests', perMinute: settings.rateLimit }
    app.addHook('onRequest', async (request, reply) => {
      if (!isInternal(request)) await limiter.consume(request, reply, limit)
    })
  }
)

/** Limits requests to single routes, such as sign-in. */
export const routeRateLimit = fastifyPlugin(async (app, { limiter }: { limiter: RateLimiter }) => {
  app.addHook('onRequest', (request, reply, next) => {
    const limit = request.routeOptions.config.rateLimit
    if (limit === undefined) return next()
    limiter.consume(request, reply, limit).then(() => next(), next)
  })
})
