import type { TObject } from 'typebox'
import { withIdempotency } from '#platform/http/idempotency.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { buildText } from '#platform/messages/messages.ts'
import { findLanguageToRemove } from '../content/texts.ts'
import { makeOptional, type ParamDefs, type ParamValues } from '../contract/param-definition.ts'
import {
  newInvalidParamProblem,
  newPageNotFoundProblem,
  newPostNotAccessibleProblem,
  newPostNotFoundProblem,
  newPostUnavailableProblem
} from '../contract/problems.ts'
import { buildListResult, inferTotal, parsePage } from '../contract/routing/paging.ts'
import {
  defineRoute,
  type PathKey,
  type RequestContext,
  type RouteResult,
  type RouteTable
} from '../contract/routing/route.ts'
import { buildRestUrl } from '../contract/routing/site.ts'
import { buildListSchema } from '../contract/shapes.ts'
import { isHidden, writerRoles } from '../permissions/permissions.ts'
import { buildLinkedPostFilter, toLanguageChoice } from './filter.ts'
import {
  createLinkedPost,
  removeLinkedPost,
  removeLinkedPostText,
  trashLinkedPost,
  updateLinkedPost
} from './linked-post.ts'
import type { LinkedPostKey } from './queries.ts'
import * as queries from './queries.ts'
import { withImageId } from './resolve-links.ts'
import {
  type LinkedPostChanges,
  type LinkedPostListValues,
  type LinkedPostRow,
  type LinkedPostType,
  linkedDeleteParams,
  linkedPostListParams,
  linkedReadParams
} from './schema.ts'
import type { LinkedPostView } from './wire.ts'

/** Further options of the routes. */
export interface LinkedRouteOptions<Own extends object, Fields extends ParamDefs> {
  fields: Fields
  toJson(row: LinkedPostRow & Own, view: LinkedPostView): object
  /** The response schema of an item. */
  response: TObject
}

/** All routes of a kind: list, create, and read, update and delete by id or slug. */
export function registerLinkedRoutes<Own extends object, Fields extends ParamDefs>(
  scope: RouteContext,
  table: RouteTable,
  linked: LinkedPostType<Own, ParamValues<Fields> & LinkedPostChanges>,
  { fields, toJson, response }: LinkedRouteOptions<Own, Fields>
): void {
  const { kind, collection } = linked
  const article = kind === 'venue' ? 'a venue' : 'an organizer'

  function answerOf(
    context: RequestContext,
    row: LinkedPostRow & Own,
    view: Partial<LinkedPostView> = {}
  ): RouteResult {
    const { site, viewer, now } = context
    return { body: toJson(row, { site, viewer, now, ...view }), version: row.version, language: row.language }
  }

  defineRoute(scope, table, {
    methods: ['GET'],
    path: `/${collection}`,
    requires: 'public',
    summary: `List ${collection}, newest first`,
    description:
      'Filter by words, event and status. Published items are public; authors also see their own drafts, editors everything.',
    problems: { 404: [`${kind}-archive-page-not-found`] },
    params: linkedPostListParams,
    response: buildListSchema(collection, response),
    handler: async (context, values) =>
      await listPosts(context, linked, values, row => answerOf(context, row, { password: values.password }).body)
  })

  defineRoute(scope, table, {
    methods: ['POST'],
    path: `/${collection}`,
    requires: writerRoles,
    summary: `Create ${article}`,
    description: 'Only the name is required. Contributors create drafts.',
    problems: { 403: ['rest_forbidden'] },
    params: fields,
    response: response,
    creates: true,
    handler: async (context, values) => {
      const { db, site, request, reply } = context
      const changes = (await withImageId(context, values)) as ParamValues<Fields> & LinkedPostChanges
      return await withIdempotency({ db, settings: site.settings }, request, reply, async tx => {
        const row = await createLinkedPost(tx, context, linked, changes)
        const location = buildRestUrl(site, `/${collection}/${row.id}`).slice(site.origin.length)
        return { location, body: answerOf(context, row) }
      })
    }
  })

  const byId = { path: `/${collection}/{id}`, keyOf: ({ id }: PathKey): LinkedPostKey => ({ id }) }
  const bySlug = { path: `/${collection}/by-slug/{slug}`, keyOf: ({ slug }: PathKey): LinkedPostKey => ({ slug }) }
  for (const { path, keyOf } of [byId, bySlug]) {
    defineRoute(scope, table, {
      methods: ['GET'],
      path,
      requires: 'public',
      summary: `Get ${article}`,
      description:
        'By its id or its slug. A draft returns 403 to callers who may not see it; an item in the trash returns 404.',
      problems: { 403: [`${kind}-not-accessible`], 404: [`${kind}-no-longer-available`, `rest-${kind}-not-found`] },
      params: linkedReadParams,
      response: response,
      handler: async (context, { password }, key) =>
        answerOf(context, await getPost(context, linked, keyOf(key)), { password, single: true })
    })

    defineRoute(scope, table, {
      methods: ['DELETE'],
      path,
      requires: writerRoles,
      summary: `Move ${article} to the trash, or delete it or one of its translations permanently`,
      description:
        'Moves it to the trash; with `force` it is deleted permanently. With `text_only` only the text in the given `language` is removed. Events that named it keep everything else.',
      problems: {
        403: ['rest_forbidden'],
        404: [`${kind}-no-longer-available`, `rest-${kind}-not-found`],
        410: [`${kind}-is-in-trash`]
      },
      params: linkedDeleteParams,
      response: response,
      handler: async (context, values, key) => {
        const removed = findLanguageToRemove(context.requestedLanguage, values)
        const row =
          removed === undefined
            ? await (values.force === true ? removeLinkedPost : trashLinkedPost)(context, linked, keyOf(key))
            : await removeLinkedPostText(context, linked, keyOf(key), removed)
        return answerOf(context, row)
      }
    })

    defineRoute(scope, table, {
      methods: ['POST', 'PUT', 'PATCH'],
      path,
      requires: writerRoles,
      summary: `Update ${article}; omitted fields are kept`,
      description:
        'POST, PUT and PATCH do the same, as in The Events Calendar. With `language` the text in that language is written.',
      problems: { 403: ['rest_forbidden'], 404: [`${kind}-no-longer-available`, `rest-${kind}-not-found`] },
      params: makeOptional(fields),
      response: response,
      handler: async (context, values, key) => {
        const changes = (await withImageId(context, values)) as ParamValues<Fields> & LinkedPostChanges
        return answerOf(context, await updateLinkedPost(context, linked, keyOf(key), changes))
      }
    })
  }
}

async function listPosts<Own extends object, Changes extends LinkedPostChanges>(
  context: RequestContext,
  linked: LinkedPostType<Own, Changes>,
  values: LinkedPostListValues,
  toItem: (row: LinkedPostRow & Own) => object
): Promise<RouteResult> {
  const { db, zone } = context
  const page = parsePage(values)
  const filter = buildLinkedPostFilter(context, linked, values)
  const rows = await queries.listPage(db, linked, filter, { page, choice: toLanguageChoice(context), zone })
  const short = inferTotal(page, rows.length)
  // An empty result may also mean that the event does not exist.
  const mustAsk = short === undefined || (values.event !== undefined && rows.length === 0)
  const counted = mustAsk ? await queries.count(db, linked, filter) : { total: short, eventIsKnown: true }
  if (!counted.eventIsKnown) {
    throw newInvalidParamProblem('event', 'unknown', buildText('calendar-problems', 'unknownEvent'))
  }
  return buildListResult(context, linked.collection, rows.map(toItem), {
    page,
    total: counted.total,
    query: filter.query,
    beyond: () => newPageNotFoundProblem(linked.kind)
  })
}

async function getPost<Own extends object, Changes extends LinkedPostChanges>(
  context: RequestContext,
  linked: LinkedPostType<Own, Changes>,
  key: LinkedPostKey
): Promise<LinkedPostRow & Own> {
  const row = await queries.find(context.db, linked, key, { choice: toLanguageChoice(context), zone: context.zone })
  if (row === undefined) throw newPostNotFoundProblem(linked.kind, 'id' in key ? key.id : key.slug)
  if (row.status === 'trash') throw newPostUnavailableProblem(linked.kind)
  // Slugs can be guessed from names, so a hidden one responds 404.
  if (isHidden(context, row))
    throw 'id' in key ? newPostNotAccessibleProblem(linked.kind) : newPostNotFoundProblem(linked.kind, key.slug)
  return row
}
