import fastifyPlugin from 'fastify-plugin'
import { isPublicRead, type ReadRouter } from '../../database/replica/read-replica.ts'

/** Lets routes that every visitor may read use a replica. Pages do not read the database themselves. */
export const readReplica = fastifyPlugin(async (app, { readRouter }: { readRouter: ReadRouter }) => {
  app.addHook('onRoute', function (route) {
    if (this.service.rendersHtml !== true && isPublicRead(route)) route.handler = readRouter.routeReads(route.handler)
  })
})
