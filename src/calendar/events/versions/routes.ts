import { listActors } from '#platform/activity/queries.ts'
import { parseIfMatch } from '#platform/http/etag.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { newForbiddenProblem, newPageNotFoundProblem, newPostNotFoundProblem } from '../../contract/problems.ts'
import { pagingParams, parsePage } from '../../contract/routing/paging.ts'
import { defineRoute, type RequestContext, type RouteTable } from '../../contract/routing/route.ts'
import { canEdit, writerRoles } from '../../permissions/permissions.ts'
import type { EventRow } from '../event-row.ts'
import { toReader } from '../list.ts'
import * as events from '../queries.ts'
import { toEventJson } from '../wire.ts'
import type { Version } from './queries.ts'
import * as versions from './queries.ts'
import { newVersionNotFoundProblem, restoreVersion } from './restore.ts'
import { restoredSchema, versionListSchema, versionSchema } from './schema.ts'
import { toFullVersionJson, toVersionSummaryJson } from './wire.ts'

export function registerVersionRoutes(scope: RouteContext, table: RouteTable): void {
  defineRoute(scope, table, {
    methods: ['GET'],
    path: '/events/{id}/versions',
    requires: writerRoles,
    summary: 'List the versions of an event, newest first',
    description:
      'The current version and up to 50 earlier ones: when and by whom each was saved, and which fields it changed. For callers who may edit the event, which may be in the trash.',
    problems: { 403: ['rest_forbidden'], 404: ['rest-event-not-found', 'version-archive-page-not-found'] },
    params: pagingParams,
    response: versionListSchema,
    handler: async (context, values, { id }) => {
      await findEditable(context, id)
      const page = parsePage(values)
      const [found, total] = await Promise.all([
        versions.listVersions(context.db, id, page),
        versions.countVersions(context.db, id)
      ])
      const pages = Math.ceil(total / page.size)
      if (page.number > pages) throw newPageNotFoundProblem('version')
      context.reply.headers({ 'x-wp-total': total, 'x-wp-totalpages': pages })
      const named = await addAuthors(context, id, found)
      return {
        body: {
          versions: named.map(toVersionSummaryJson),
          total,
          total_pages: pages
        }
      }
    }
  })

  defineRoute(scope, table, {
    methods: ['GET'],
    path: '/events/{id}/versions/{version}',
    requires: writerRoles,
    summary: 'Get a version of an event, and how it differs from the current one',
    description:
      'All fields as they were, with texts in all languages and ids of linked items, which may have been deleted since. `differences` lists the fields that have another value now. Passwords are not part of versions.',
    problems: { 403: ['rest_forbidden'], 404: ['event-version-not-found', 'rest-event-not-found'] },
    params: {},
    response: versionSchema,
    handler: async (context, _values, { id, version }) => {
      await findEditable(context, id)
      const found = await versions.findVersion(context.db, id, toStoredInteger(version))
      if (found === undefined) throw newVersionNotFoundProblem(version)
      const [named = found] = await addAuthors(context, id, [found])
      return { body: toFullVersionJson(named, context.site) }
    }
  })

  defineRoute(scope, table, {
    methods: ['POST'],
    path: '/events/{id}/versions/{version}/restore',
    requires: writerRoles,
    summary: 'Restore an earlier version of an event as a new version',
    description:
      'All fields, texts and links get the values of that version, the status included. Links to items that were deleted since are left out and listed in `left_out`, and so are an author that the caller may not set and the password, which is not changed. Takes If-Match.',
    problems: { 403: ['rest_forbidden'], 404: ['event-version-not-found', 'rest-event-not-found'] },
    params: {},
    response: restoredSchema,
    handler: async (context, _values, { id, version }) => {
      const expected = parseIfMatch(context.request)
      const restored = await restoreVersion(context.db, context, id, { version: toStoredInteger(version), expected })
      const row = await events.find(context.db, id, toReader(context, context.requestedLanguage ?? restored.language))
      if (row === undefined) throw newPostNotFoundProblem('event', id)
      return {
        body: { event: toEventJson(row, { context, opened: true }), left_out: restored.leftOut },
        version: row.version,
        language: row.language
      }
    }
  })
}

async function findEditable(context: RequestContext, id: number): Promise<EventRow> {
  const row = await events.find(context.db, id, toReader(context))
  if (row === undefined) throw newPostNotFoundProblem('event', id)
  if (!canEdit(context.caller, row)) throw newForbiddenProblem()
  return row
}

const integerMax = 2 ** 31 - 1

/** No event has a version beyond the type of the column, which such a number would not fit. */
const toStoredInteger = (version: number) => Math.min(version, integerMax)

/** Adds who saved a version that has none stored before it, from the activity log. */
async function addAuthors<Row extends Version>({ db }: RequestContext, id: number, found: Row[]): Promise<Row[]> {
  const unknown = found.filter(({ savedBy }) => savedBy === null)
  if (unknown.length === 0) return found
  const actors = await listActors(db, { subject: 'event', id, times: unknown.map(({ savedAt }) => savedAt) })
  const findActor = ({ version, savedAt }: Version) =>
    actors.find(({ at, action }) => (version === 1 ? action === 'event.created' : at === savedAt))?.actor ?? null
  return found.map(one => (one.savedBy === null ? { ...one, savedBy: findActor(one) } : one))
}
