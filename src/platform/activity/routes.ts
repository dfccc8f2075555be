import { Type } from 'typebox'
import { prefetchFirst, streamLines } from '../database/streaming.ts'
import { decodeCursor, encodeCursor, getFetchSize, parseNumber, sendPage } from '../http/paging.ts'
import type { RouteContext } from '../http/service.ts'
import { extendChain, listLines } from './chain/chain.ts'
import * as activity from './queries.ts'
import { Activity, ActivityQuery } from './schema.ts'

export function registerActivityRoutes({ app, db, settings }: RouteContext): void {
  app.get('/activity', {
    config: { requires: ['admin'] },
    schema: {
      summary: 'List activity log entries, newest first',
      description:
        'Every entry names the action, the resource and the actor. Filter by action, resource or time; pages go back in time.',
      querystring: ActivityQuery,
      response: { 200: Type.Array(Activity) }
    },
    handler: async (request, reply) => {
      const { limit, cursor, ...filter } = request.query
      const beforeId = decodeCursor(cursor, parseNumber)
      const [rows, total] = await Promise.all([
        activity.list(db, filter, { beforeId, rows: getFetchSize(limit) }),
        activity.count(db, filter)
      ])
      return sendPage(request, reply, settings, { rows, limit, total, cursorAfter: row => encodeCursor(row.id) })
    }
  })

  app.get('/activity.ndjson', {
    config: { requires: ['admin'] },
    schema: {
      summary: 'Export the activity log as a hash chain',
      description:
        'One record per line, oldest first. `previousHash` is the SHA-256 of the previous line without its line end. ' +
        'With the file one can verify that no record was changed, removed or inserted; an older ' +
        'export is the beginning of a newer one.',
      produces: 'application/x-ndjson',
      response: { 200: Type.String() }
    },
    handler: async (_request, reply) => {
      // Chain the newest records first, so that the export includes them.
      await extendChain(db, { all: false })
      const lines = await prefetchFirst(listLines(db))
      return reply
        .type('application/x-ndjson; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('content-disposition', 'attachment; filename="activity.ndjson"')
        .send(streamLines('', lines, line => `${line}\n`) as never)
    }
  })
}
