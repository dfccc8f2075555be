import { parseIfMatch } from '#platform/http/etag.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { newPageNotFoundProblem } from '../contract/problems.ts'
import { buildListResult, inferTotal, parsePage } from '../contract/routing/paging.ts'
import { createOnce, defineRoute, type RequestContext, type RouteTable } from '../contract/routing/route.ts'
import { buildListSchema } from '../contract/shapes.ts'
import { subscriptionSchema } from '../contract/subscription-shapes.ts'
import * as subscriptions from './queries.ts'
import { buildSubscriptionResult } from './result.ts'
import {
  applyParams,
  subscriptionChangeParams,
  subscriptionDeleteParams,
  subscriptionFilters,
  subscriptionParams
} from './schema.ts'
import {
  applySubscription,
  createSubscription,
  deleteSubscription,
  refreshSubscription,
  type SubscriptionContext,
  updateSubscription
} from './subscription.ts'
import { toSubscriptionJson } from './wire.ts'

const editorRoles = ['editor'] as const
const notFound = { 404: ['rest-subscription-not-found'] }

export function registerSubscriptionRoutes(scope: RouteContext, table: RouteTable): void {
  defineRoute(scope, table, {
    methods: ['GET'],
    path: '/subscriptions',
    requires: editorRoles,
    summary: 'List the subscriptions to other calendars, by name',
    description: 'With the last result, the next fetch, and conflicts to resolve.',
    problems: { 404: ['subscription-archive-page-not-found'] },
    params: subscriptionFilters,
    response: buildListSchema('subscriptions', subscriptionSchema),
    handler: async (context, { event, stopped, ...values }) => {
      const page = parsePage(values)
      const found = await subscriptions.listPage(context.db, { event, stopped }, page)
      const total = inferTotal(page, found.length) ?? (await subscriptions.count(context.db, { event, stopped }))
      const listed = found.map(one => toSubscriptionJson(one, context.language))
      return buildListResult(context, 'subscriptions', listed, {
        page,
        total,
        query: { event, stopped },
        beyond: () => newPageNotFoundProblem('subscription')
      })
    }
  })

  defineRoute(scope, table, {
    methods: ['POST'],
    path: '/subscriptions',
    requires: editorRoles,
    summary: 'Subscribe to a calendar (iCalendar, or a site with The Events Calendar)',
    description:
      'A background job fetches it at once and then at regular intervals. Fields that were edited here are not overwritten.',
    problems: { 409: ['subscription-exists', 'too-many-subscriptions'] },
    params: subscriptionParams,
    response: subscriptionSchema,
    creates: true,
    handler: async (context, values) =>
      await createOnce(context, async db => {
        const id = await createSubscription(db, toSubscriptionContext(context), values)
        return { ...(await buildSubscriptionResult(context, db, id)), path: `/subscriptions/${id}` }
      })
  })

  defineRoute(scope, table, {
    methods: ['GET'],
    path: '/subscriptions/{id}',
    requires: editorRoles,
    summary: 'Get a subscription',
    description: 'Status, last and next fetch, and the number of its events.',
    problems: notFound,
    params: {},
    response: subscriptionSchema,
    handler: async (context, _values, { id }) => await buildSubscriptionResult(context, context.db, id)
  })

  defineRoute(scope, table, {
    methods: ['PATCH'],
    path: '/subscriptions/{id}',
    requires: editorRoles,
    summary: 'Change, pause or resume a subscription',
    description: 'Omitted fields are kept. A new URL is fetched at once; `category` and `status` apply to new events.',
    problems: { ...notFound, 409: ['subscription-exists'] },
    params: subscriptionChangeParams,
    response: subscriptionSchema,
    handler: async (context, changes, { id }) => {
      const expected = parseIfMatch(context.request)
      await updateSubscription(context.db, toSubscriptionContext(context), id, { changes, expected })
      return await buildSubscriptionResult(context, context.db, id)
    }
  })

  defineRoute(scope, table, {
    methods: ['DELETE'],
    path: '/subscriptions/{id}',
    requires: editorRoles,
    summary: 'Delete a subscription; its events stay or go to the trash',
    description: 'Returns the subscription as it was. With `events=trash` a job moves its events to the trash.',
    problems: notFound,
    params: subscriptionDeleteParams,
    response: subscriptionSchema,
    handler: async (context, { events = 'keep' }, { id }) => {
      const before = await buildSubscriptionResult(context, context.db, id)
      const expected = parseIfMatch(context.request)
      await deleteSubscription(context.db, toSubscriptionContext(context), id, { events, expected })
      return before
    }
  })

  defineRoute(scope, table, {
    methods: ['POST'],
    path: '/subscriptions/{id}/refresh',
    requires: editorRoles,
    summary: 'Fetch a subscription now',
    description: 'It runs as a background job.',
    problems: { ...notFound, 409: ['subscription-paused'] },
    params: {},
    response: subscriptionSchema,
    accepted: true,
    handler: async (context, _values, { id }) => {
      await refreshSubscription(context.db, toSubscriptionContext(context), id, parseIfMatch(context.request))
      return await buildSubscriptionResult(context, context.db, id)
    }
  })

  defineRoute(scope, table, {
    methods: ['POST'],
    path: '/subscriptions/{id}/apply',
    requires: editorRoles,
    summary: 'Apply a calendar that was stopped because it looked damaged',
    description:
      'For a subscription with a `problem` other than `failing`: apply it as it is, or recognise events with new ids by title and start. It runs as a background job.',
    problems: { ...notFound, 409: ['subscription-not-stopped', 'subscription-paused'] },
    params: applyParams,
    response: subscriptionSchema,
    accepted: true,
    handler: async (context, { how = 'anyway' }, { id }) => {
      const expected = parseIfMatch(context.request)
      await applySubscription(context.db, toSubscriptionContext(context), id, { how, expected })
      return await buildSubscriptionResult(context, context.db, id)
    }
  })
}

function toSubscriptionContext({ caller, site, now, requestedLanguage }: RequestContext): SubscriptionContext {
  return { caller, site, now, language: requestedLanguage ?? site.settings.defaultLanguage }
}
