import type { RouteContext } from '#platform/http/service.ts'
import { buildText } from '#platform/messages/messages.ts'
import { daysSchema } from '../../contract/day-shapes.ts'
import { newInvalidParamProblem } from '../../contract/problems.ts'
import { defineRoute, type RouteTable } from '../../contract/routing/route.ts'
import { countDaysBetween } from '../../time/time.ts'
import { loadDays } from './load-days.ts'
import type { DayRange } from './queries.ts'
import { type DayValues, dayParams, daysMax, perDayDefault } from './schema.ts'

export function registerDayRoutes(scope: RouteContext, table: RouteTable): void {
  defineRoute(scope, table, {
    methods: ['GET'],
    path: '/days',
    requires: 'public',
    summary: 'List events grouped by day',
    description:
      'Days are those of the time zone of the site. `per_day` limits the events of a day; `total` counts all of them. Takes the filters of `GET /events`.',
    params: dayParams,
    response: daysSchema,
    isObjectForPages: true,
    handler: async (context, values) => ({ body: await loadDays(context, values, parseRange(values)) })
  })
}

function parseRange({ from = '', to = '', per_day = perDayDefault }: DayValues): DayRange {
  const length = countDaysBetween(from, to) + 1
  if (length < 1 || length > daysMax) {
    throw newInvalidParamProblem('to', 'range', buildText('event-problems', 'range', { daysMax }))
  }
  return { from, to, perDay: per_day }
}
