import { parseIfMatch } from '#platform/http/etag.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { newPageNotFoundProblem } from '../contract/problems.ts'
import { inferTotal, type Page, parsePage } from '../contract/routing/paging.ts'
import { defineRoute, type RequestContext, type RouteResult, type RouteTable } from '../contract/routing/route.ts'
import {
  subscribedEventsSchema,
  subscriptionRowsSchema,
  subscriptionRunsSchema,
  subscriptionSchema
} from '../contract/subscription-shapes.ts'
import { resolveConflict } from './conflicts.ts'
import { listEventValues } from './items/event-values.ts'
import { listLinkNames } from './items/link-names.ts'
import * as items from './items/queries.ts'
import { buildSubscriptionResult, requireSubscription } from './result.ts'
import * as runs from './run-queries.ts'
import { reportFilters, resolveParams, runFilters, subscribedEventFilters } from './schema.ts'
import { toRowJson, toRunJson, toSubscribedEventJson } from './wire.ts'

const editorRoles = ['editor'] as const

/** What runs of a subscription did, and conflicts that they left. */
export function registerSubscriptionReportRoutes(scope: RouteContext, table: RouteTable): void {
  defineRoute(scope, table, {
    methods: ['GET'],
    path: '/subscriptions/{id}/runs',
    requires: editorRoles,
    summary: 'List the runs of a subscription, newest first',
    description: 'Runs in a row that changed nothing, or failed for one reason, are one item. Kept for 30 days.',
    problems: { 404: ['rest-subscription-not-found', 'run-archive-page-not-found'] },
    params: runFilters,
    response: subscriptionRunsSchema,
    handler: async (context, values, { id }) => {
      const { db, language } = context
      await requireSubscription(db, id)
      return await buildPageResult(context, 'runs', parsePage(values), {
        kind: 'run',
        list: async page => (await runs.listPage(db, id, page)).map(run => toRunJson(run, language)),
        count: async () => await runs.count(db, id)
      })
    }
  })

  defineRoute(scope, table, {
    methods: ['GET'],
    path: '/subscriptions/{id}/rows',
    requires: editorRoles,
    summary: 'Get the report of a run (one row per event that was not the same)',
    description: 'Each row has the outcome of an event of the source and the reason.',
    problems: { 404: ['rest-subscription-not-found', 'row-archive-page-not-found'] },
    params: reportFilters,
    response: subscriptionRowsSchema,
    handler: async (context, { run, outcome, ...values }, { id }) => {
      const { db, language } = context
      await requireSubscription(db, id)
      const runId = (await runs.findReported(db, id, run)) ?? 0
      return await buildPageResult(context, 'rows', parsePage(values), {
        kind: 'row',
        list: async page => (await runs.listRows(db, runId, outcome, page)).map(row => toRowJson(row, language)),
        count: async () => await runs.countRows(db, runId, outcome)
      })
    }
  })

  defineRoute(scope, table, {
    methods: ['GET'],
    path: '/subscriptions/{id}/events',
    requires: editorRoles,
    summary: 'List the events of a subscription, with conflicts',
    description:
      'A conflict is a field that was edited here and has changed at the source since: with the value here and that of the source.',
    problems: { 404: ['event-archive-page-not-found', 'rest-subscription-not-found'] },
    params: subscribedEventFilters,
    response: subscribedEventsSchema,
    handler: async (context, { state, ...values }, { id }) => {
      await requireSubscription(context.db, id)
      const filter = { subscriptionId: id, state }
      return await buildPageResult(context, 'events', parsePage(values), {
        kind: 'event',
        list: async page => await listSubscribedEvents(context, filter, page),
        count: async () => await items.count(context.db, filter)
      })
    }
  })

  defineRoute(scope, table, {
    methods: ['POST'],
    path: '/subscriptions/{id}/resolve',
    requires: editorRoles,
    summary: 'Resolve the conflict of an event: use the values of its source, or keep the local ones',
    description: 'Applies to all fields of the event that are in conflict.',
    problems: { 404: ['rest-subscription-not-found'], 409: ['subscription-no-conflict'] },
    params: resolveParams,
    response: subscriptionSchema,
    handler: async (context, { event = 0, take = 'here' }, { id }) => {
      await resolveConflict(context.db, context, id, { event, take, expected: parseIfMatch(context.request) })
      return await buildSubscriptionResult(context, context.db, id)
    }
  })
}

/** A page of a list that is part of a subscription. */
async function buildPageResult(
  { reply }: RequestContext,
  member: 'runs' | 'rows' | 'events',
  page: Page,
  lists: { kind: 'run' | 'row' | 'event'; list(page: Page): Promise<object[]>; count(): Promise<number> }
): Promise<RouteResult> {
  const listed = await lists.list(page)
  const total = inferTotal(page, listed.length) ?? (await lists.count())
  const pages = Math.ceil(total / page.size)
  if (page.number > 1 && page.number > pages) throw newPageNotFoundProblem(lists.kind)
  reply.headers({ 'x-wp-total': total, 'x-wp-totalpages': pages })
  return { body: { [member]: listed, total, total_pages: pages } }
}

async function listSubscribedEvents(
  { db, site, language, now }: RequestContext,
  filter: { subscriptionId: number; state: items.SubscribedState },
  page: Page
): Promise<object[]> {
  const choice = { wanted: language, fallback: site.settings.defaultLanguage }
  const listed = await items.listPage(db, filter, choice, page)
  const inConflict = listed.filter(({ conflicts }) => conflicts !== null)
  const here = await listEventValues(
    db,
    inConflict.map(({ eventId }) => eventId),
    now
  )
  const shown = inConflict.flatMap(({ eventId, conflicts }) =>
    Object.entries(conflicts ?? {}).flatMap(([field, { value }]) => [
      { field, value },
      { field, value: here.get(eventId)?.values[field] }
    ])
  )
  const names = await listLinkNames(db, shown, choice)
  return listed.map(event => toSubscribedEventJson(event, { values: here.get(event.eventId), names, language }))
}
