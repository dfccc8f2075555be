import { Type } from 'typebox'
import { cursorOf, numberIn, readCursor, rowsToFetch, sendPage } from '../paging.ts'
import type { Scope } from '../service.ts'
import * as activity from './queries.ts'
import { Activity, ActivityQuery } from './schema.ts'

export function activityRoutes({ app, db, settings }: Scope): void {
  app.get('/activity', {
    config: { needs: ['admin'] },
    schema: {
      summary: 'List what happened, newest first',
      querystring: ActivityQuery,
      response: { 200: Type.Array(Activity) }
    },
    handler: async (request, reply) => {
      const { limit, cursor, ...filter } = request.query
      const beforeId = readCursor(cursor, numberIn)
      const [rows, total] = await Promise.all([
        activity.list(db, filter, { beforeId, rows: rowsToFetch(limit) }),
        activity.count(db, filter)
      ])
      return sendPage(request, reply, settings, { rows, limit, total, cursorAfter: row => cursorOf(row.id) })
    }
  })
}
