import { parseIfMatch } from '#platform/http/etag.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { newSeriesNotFoundProblem } from '../contract/problems.ts'
import { defineRoute, type RequestContext, type RouteResult, type RouteTable } from '../contract/routing/route.ts'
import { seriesPreviewSchema, seriesSchema } from '../contract/series-shapes.ts'
import { type Viewer, writerRoles } from '../permissions/permissions.ts'
import { previewSeries } from './preview.ts'
import * as series from './queries.ts'
import { previewParams, seriesChangeParams, seriesDeleteParams } from './schema.ts'
import { removeWholeSeries, updateWholeSeries } from './whole-series.ts'
import { toPreviewJson, toSeriesJson } from './wire.ts'

export function registerSeriesRoutes(scope: RouteContext, table: RouteTable): void {
  defineRoute(scope, table, {
    methods: ['POST'],
    path: '/series/preview',
    requires: writerRoles,
    summary: 'List the dates of a recurrence without creating events',
    description: 'The first 60 dates, how many there are, and the recurrence in words.',
    params: previewParams,
    response: seriesPreviewSchema,
    handler: async (context, values) => ({ body: toPreviewJson(previewSeries(context, values), context.language) })
  })

  defineRoute(scope, table, {
    methods: ['GET'],
    path: '/series/{id}',
    requires: 'public',
    summary: 'Get a series',
    description: 'The rule of events that repeat. `GET /events?series={id}` lists its events.',
    problems: { 404: ['rest-series-not-found'] },
    params: {},
    response: seriesSchema,
    handler: async (context, _values, { id }) => await getSeries(context, id)
  })

  defineRoute(scope, table, {
    methods: ['PATCH'],
    path: '/series/{id}',
    requires: writerRoles,
    summary: 'Change all events of a series, or its rule',
    description:
      'Takes the fields of events; `start_date` and `end_date` are those of the first event, and the others move by the same difference. Fields in which an event differs from its series are kept. With a new `recurrence`, events whose dates remain are kept, missing ones are created, and superfluous future ones are moved to the trash; null turns the series into single events. Needs the permission to edit all of its events.',
    problems: { 403: ['rest_forbidden'], 404: ['rest-series-not-found'] },
    params: seriesChangeParams,
    response: seriesSchema,
    handler: async (context, { recurrence, ...changes }, { id }) => {
      const before = recurrence === null ? await getSeries(context, id, editorViewer) : undefined
      await updateWholeSeries(context.db, context, id, {
        changes,
        recurrence,
        expected: parseIfMatch(context.request)
      })
      return before ?? (await getSeries(context, id))
    }
  })

  defineRoute(scope, table, {
    methods: ['DELETE'],
    path: '/series/{id}',
    requires: writerRoles,
    summary: 'Move all events of a series to the trash, or delete them permanently',
    description: 'Responds with the series as it was. Needs the permission to edit all of its events.',
    problems: { 403: ['rest_forbidden'], 404: ['rest-series-not-found'] },
    params: seriesDeleteParams,
    response: seriesSchema,
    handler: async (context, { force }, { id }) => {
      const before = await getSeries(context, id, editorViewer)
      await removeWholeSeries(context.db, context, id, {
        force: force === true,
        expected: parseIfMatch(context.request)
      })
      return before
    }
  })
}

/** For a series that is about to be removed: the response is sent only if the caller may edit all of its events. */
const editorViewer: Viewer = { visibility: 'all', authorId: 0 }

async function getSeries(context: RequestContext, id: number, viewer = context.viewer): Promise<RouteResult> {
  const row = await series.find(context.db, id, { viewer, now: context.now })
  if (row === undefined) throw newSeriesNotFoundProblem(id)
  return { body: toSeriesJson(row, context), version: row.version }
}
