import { parseIfMatch, requireVersion } from '#platform/http/etag.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { createOnce, defineRoute, type RouteTable } from '../../contract/routing/route.ts'
import { writerRoles } from '../../permissions/permissions.ts'
import { requireAction, runBulkAction, undoBulkAction } from './bulk-action.ts'
import { type BulkActionJson, bulkActionSchema, bulkParams, bulkResultSchema } from './schema.ts'

/** Clients cannot edit an action, so its version never changes. */
const onlyVersion = 1

export function registerBulkRoutes(scope: RouteContext, table: RouteTable): void {
  defineRoute(scope, table, {
    methods: ['POST'],
    path: '/events/bulk',
    requires: writerRoles,
    summary: 'Change several events at once',
    description:
      'Moves up to 100 events to the trash, restores them with the status they had, publishes them, changes them to drafts, adds or removes a category or tag, sets the venue, or moves them in time; local times stay the same when clocks change. Each event is changed by itself: those that the caller may not edit, or that need no change, are listed in `unchanged`.',
    problems: { 403: ['rest_forbidden'] },
    params: bulkParams,
    response: bulkResultSchema,
    creates: true,
    handler: async (context, values) =>
      await createOnce(context, async db => {
        const result = await runBulkAction(db, context, values)
        return { body: result, path: `/events/bulk/${result.id}` }
      })
  })

  defineRoute(scope, table, {
    methods: ['GET'],
    path: '/events/bulk/{id}',
    requires: writerRoles,
    summary: 'Get a bulk action on events',
    description: 'What was done to which events. For editors and for the caller who ran it, for 30 days.',
    problems: { 403: ['rest_forbidden'], 404: ['rest-bulk-action-not-found'] },
    params: {},
    response: bulkActionSchema,
    handler: async (context, _values, { id }) => {
      const { action, authorId, at, undoneAt, changes } = await requireAction(context.db, context, id)
      const body: BulkActionJson = {
        id,
        action,
        author: String(authorId),
        created_at: at,
        undone_at: undoneAt,
        changed: changes.map(change => change.id)
      }
      return { body, version: onlyVersion }
    }
  })

  defineRoute(scope, table, {
    methods: ['POST'],
    path: '/events/bulk/{id}/undo',
    requires: writerRoles,
    summary: 'Undo a bulk action on events',
    description:
      'Restores the version that each event had before. Events that were changed in the meantime are kept and listed in `unchanged`. An action can be undone once.',
    problems: {
      403: ['rest_forbidden'],
      404: ['rest-bulk-action-not-found'],
      409: ['bulk-action-already-undone']
    },
    params: {},
    response: bulkResultSchema,
    handler: async (context, _values, { id }) => {
      requireVersion(parseIfMatch(context.request), onlyVersion)
      return { body: await undoBulkAction(context.db, context, id) }
    }
  })
}
