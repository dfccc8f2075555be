import fastifyPlugin from 'fastify-plugin'
import type { Settings } from '../../config.ts'
import type { RateLimiter } from '../../rate-limit/limiter.ts'

/** Limits all requests of an address; comes before authentication, which costs more than counting. */
export const rateLimit = fastifyPlugin(
  async (app, { limiter, settings }: { limiter: RateLimiter; settings: Settings }) => {
    if (settings.rateLimit === 0) return
    const limit = { name: 'requests', perMinute: settings.rateLimit }
    app.addHook('onRequest', (request, reply, next) => {
      const counting = request.isInternal ? undefined : limiter.consume(request, reply, limit)
      if (counting === undefined) next()
      else counting.then(() => next(), next)
    })
  }
)

/** Limits requests to single routes, such as sign-in. */
export const routeRateLimit = fastifyPlugin(async (app, { limiter }: { limiter: RateLimiter }) => {
  app.addHook('onRequest', (request, reply, next) => {
    const limit = request.routeConfig.rateLimit
    const counting = limit === undefined ? undefined : limiter.consume(request, reply, limit)
    if (counting === undefined) next()
    else counting.then(() => next(), next)
  })
})
