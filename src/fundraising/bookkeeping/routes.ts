import type { FastifyReply } from 'fastify'
import { buildContentEtag, parseIfMatch } from '#platform/http/etag.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { changeBookkeeping } from './bookkeeping.ts'
import * as bookkeeping from './queries.ts'
import { Bookkeeping, BookkeepingChange } from './schema.ts'

/** Account numbers for the DATEV export. */
export function registerBookkeepingRoutes({ app, db }: RouteContext): void {
  app.get('/bookkeeping', {
    config: { requires: ['treasurer'] },
    schema: {
      summary: 'Get the bookkeeping account numbers',
      description:
        'The numbers with which payments are exported for DATEV. Without any change they follow the chart of accounts SKR 49.',
      response: { 200: Bookkeeping }
    },
    handler: async (_request, reply) => answer(await bookkeeping.find(db), reply)
  })

  app.patch('/bookkeeping', {
    config: { requires: ['treasurer'] },
    schema: {
      summary: 'Update the bookkeeping account numbers',
      description: 'Omitted fields are kept. All account numbers must have the same length.',
      problems: { 422: ['account-lengths'] },
      body: BookkeepingChange,
      response: { 200: Bookkeeping }
    },
    handler: async (request, reply) =>
      answer(await changeBookkeeping(db, { by: request.caller, expected: parseIfMatch(request) }, request.body), reply)
  })

  function answer(settings: Bookkeeping, reply: FastifyReply): Bookkeeping {
    reply.header('etag', buildContentEtag(JSON.stringify(settings), settings.version))
    return settings
  }
}
