// Every route that a server registers, as Fastify reports them: a crawl of them misses none.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'

export interface RegisteredRoute {
  /** Without HEAD, which Fastify adds to each GET. */
  method: string
  /** As Fastify writes it, such as `/events/:id`. */
  url: string
  /** Belongs to the pages, which the OpenAPI document does not describe. */
  isPage: boolean
  /** Another shape of a documented resource, which the OpenAPI document leaves out. */
  isUndocumented: boolean
}

/** Starts a server and records its routes. */
export async function recordRegisteredRoutes<Started>(
  start: () => Promise<Started>
): Promise<{ started: Started; routes: RegisteredRoute[] }> {
  const routes: RegisteredRoute[] = []
  const record = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', function ({ method: methods, url, config }) {
      // Only refuses methods that the path does not have.
      if (config?.refusesMethod === true) return
      for (const method of [methods].flat().filter(one => one !== 'HEAD')) {
        const isUndocumented = config?.isUndocumented === true
        routes.push({ method, url, isPage: this.service.rendersHtml === true, isUndocumented })
      }
    })
  }
  subscribe('fastify.initialization', record)
  const started = await start()
  unsubscribe('fastify.initialization', record)
  return { started, routes }
}
