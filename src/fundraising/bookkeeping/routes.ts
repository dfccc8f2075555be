import type { FastifyReply } from 'fastify'
import { contentTag, ifMatch } from '#platform/conditional.ts'
import type { Scope } from '#platform/service.ts'
import { changeBookkeeping } from './bookkeeping.ts'
import * as bookkeeping from './queries.ts'
import { Bookkeeping, BookkeepingChange } from './schema.ts'

/** Account numbers for the DATEV export. */
export function bookkeepingRoutes({ app, db }: Scope): void {
  app.get('/bookkeeping', {
    config: { needs: ['treasurer'] },
    schema: { summary: 'Read the account numbers of the bookkeeping', response: { 200: Bookkeeping } },
    handler: async (_request, reply) => answer(await bookkeeping.find(db), reply)
  })

  app.patch('/bookkeeping', {
    config: { needs: ['treasurer'] },
    schema: {
      summary: 'Change the account numbers of the bookkeeping',
      body: BookkeepingChange,
      response: { 200: Bookkeeping }
    },
    handler: async (request, reply) =>
      answer(await changeBookkeeping(db, request.caller, request.body, ifMatch(request)), reply)
  })

  function answer(settings: Bookkeeping, reply: FastifyReply): Bookkeeping {
    reply.header('etag', contentTag(JSON.stringify(settings), settings.version))
    return settings
  }
}
