import { parseIfMatch } from '#platform/http/etag.ts'
import type { RouteContext } from '#platform/http/service.ts'
import type { Language } from '#platform/language.ts'
import { buildText } from '#platform/messages/messages.ts'
import { findLanguageToRemove } from '../content/texts.ts'
import {
  newForbiddenProblem,
  newInvalidParamProblem,
  newPageNotFoundProblem,
  newPasswordRequiredProblem,
  newPostNotAccessibleProblem,
  newPostNotFoundProblem,
  newPostUnavailableProblem
} from '../contract/problems.ts'
import { buildListResult, parsePage } from '../contract/routing/paging.ts'
import {
  createOnce,
  defineRoute,
  type PathKey,
  type RequestContext,
  type RouteResult,
  type RouteTable
} from '../contract/routing/route.ts'
import { buildListSchema, eventSchema } from '../contract/shapes.ts'
import { canEdit, isHidden, writerRoles } from '../permissions/permissions.ts'
import { createEvent, removeEvent, removeEventText, trashEvent, updateEvent, type WrittenEvent } from './event.ts'
import type { EventRow } from './event-row.ts'
import { type ListedEvents, listEvents, listSharedEvents, toReader } from './list.ts'
import * as events from './queries.ts'
import { eventDeleteParams, eventListParams, eventReadParams, eventUpdateParams, newEventParams } from './schema.ts'
import type { SeriesActions } from './series-actions.ts'
import { buildSharedList, canShareEvents, shareEvent } from './shared-events.ts'
import { isPasswordLocked, toEventJson } from './wire.ts'

export function registerEventRoutes(scope: RouteContext, table: RouteTable, series: SeriesActions): void {
  defineRoute(scope, table, {
    methods: ['GET'],
    path: '/events',
    requires: 'public',
    summary: 'List events, ordered by start',
    description:
      'Without `start_date`, events that are not over yet. Filter by time, place, words, category, tag, venue and organizer; links to other pages keep the filters. Published events are public; authors also see their own drafts, editors everything.',
    problems: { 404: ['event-archive-page-not-found'] },
    params: eventListParams,
    response: buildListSchema('events', eventSchema),
    handler: async (context, values) => {
      const toResult = (items: object[], { total, filter }: ListedEvents) =>
        buildListResult(context, 'events', items, {
          page: parsePage(values),
          total,
          query: filter.query,
          beyond: () => newPageNotFoundProblem('event')
        })
      if (canShareEvents(context, values)) {
        const { events: shared, ...listed } = await listSharedEvents(context, values)
        return buildSharedList(context, toResult([], listed).body, shared)
      }
      const { rows, ...listed } = await listEvents(context, values)
      return toResult(
        rows.map(row => toEventJson(row, { context: context, password: values.password })),
        listed
      )
    }
  })

  defineRoute(scope, table, {
    methods: ['POST'],
    path: '/events',
    requires: writerRoles,
    summary: 'Create an event',
    description:
      'Venues and organizers can be named by id, or be created along with the event as objects. Dates are local times of `timezone`, or natural-language dates such as “next saturday 19:30”. Contributors create drafts. With `recurrence` it creates a series, of which the response has the first event.',
    problems: { 403: ['rest_forbidden'] },
    params: newEventParams,
    response: eventSchema,
    creates: true,
    handler: async (context, { recurrence, ...values }) => {
      const answer = await createOnce(context, async db => {
        const written =
          recurrence == null
            ? await createEvent(db, context, values)
            : await series.create(db, context, values, recurrence)
        return { ...(await buildWriterResult(context, db, written)), path: `/events/${written.id}` }
      })
      return { ...answer, language: (answer.body as { language: Language }).language }
    }
  })

  for (const path of ['/events/{id}', '/events/by-slug/{slug}']) {
    defineRoute(scope, table, {
      methods: ['GET'],
      path,
      requires: 'public',
      summary: 'Get an event',
      description:
        'A draft returns 403 to callers who may not see it; a protected event needs `password`. An event in the trash is 404.',
      problems: {
        403: ['event-not-accessible', 'event-password-protected'],
        404: ['event-no-longer-available', 'rest-event-not-found']
      },
      params: eventReadParams,
      response: eventSchema,
      handler: async (context, values, key) => {
        const get = async () => await getEvent(context, key, values)
        return canShareEvents(context, values) ? await shareEvent(context, key, get) : await get()
      }
    })

    defineRoute(scope, table, {
      methods: ['DELETE'],
      path,
      requires: writerRoles,
      summary: 'Move an event to the trash, or delete it or one of its translations permanently',
      description:
        'Moves it to the trash; with `force` it is deleted permanently. With `text_only` only the text in the given `language` is removed. For a series, `apply` selects the events; a deleted date is not created again. Authors may remove their own events, editors all.',
      problems: {
        403: ['rest_forbidden'],
        404: ['event-no-longer-available', 'rest-event-not-found'],
        410: ['event-is-in-trash']
      },
      params: { ...eventReadParams, ...eventDeleteParams },
      response: eventSchema,
      handler: async (context, values, key) => {
        const { force, apply = 'this' } = values
        const removed = findLanguageToRemove(context.requestedLanguage, values)
        const id = await resolveId(context, key)
        const before =
          force === true
            ? await buildWriterResult(context, context.db, { id, language: context.language }, 'any')
            : undefined
        const expected = parseIfMatch(context.request)
        if (removed !== undefined && apply !== 'this') throw newTextOnlyProblem()
        if (removed !== undefined) await removeEventText(context.db, context, id, { language: removed, expected })
        else if (apply !== 'this')
          await series.remove(context.db, context, id, { apply, force: force === true, expected })
        else if (force === true) await removeEvent(context.db, context, id, expected)
        else await trashEvent(context.db, context, id, expected)
        return before ?? (await buildWriterResult(context, context.db, { id, language: context.language }))
      }
    })

    defineRoute(scope, table, {
      methods: ['POST', 'PUT', 'PATCH'],
      path,
      requires: writerRoles,
      summary: 'Update an event; omitted fields are kept',
      description:
        'POST, PUT and PATCH do the same, as in The Events Calendar. Authors may change their own events, editors all. With `language` the text in that language is written. For a series, `apply` selects the events to change: only this one, which then differs from its series in the changed fields, this and the following ones, which become a series of their own, or all. Fields in which an event differs are kept. `recurrence` repeats a single event, or changes the rule of a series; null with `apply=all` turns it into single events.',
      problems: { 403: ['rest_forbidden'], 404: ['event-no-longer-available', 'rest-event-not-found'] },
      params: { ...eventUpdateParams, password: eventReadParams.password },
      response: eventSchema,
      handler: async (context, { recurrence, apply = 'this', ...changes }, key) => {
        const id = await resolveId(context, key)
        const update = { changes, expected: parseIfMatch(context.request) }
        const written =
          recurrence === undefined && apply === 'this'
            ? await updateEvent(context.db, context, id, update)
            : await series.update(context.db, context, id, { ...update, recurrence, apply })
        return await buildWriterResult(context, context.db, written)
      }
    })
  }
}

const newTextOnlyProblem = () => newInvalidParamProblem('apply', 'not-allowed', buildText('event-problems', 'textOnly'))

async function findByKey(context: RequestContext, key: PathKey): Promise<EventRow | undefined> {
  return key.slug === ''
    ? await events.find(context.db, key.id, toReader(context))
    : await events.findBySlug(context.db, key.slug, toReader(context))
}

/** Resolves the id; permissions are checked under the lock. A slug of a hidden event responds 404. */
async function resolveId(context: RequestContext, { id, slug }: PathKey): Promise<number> {
  if (slug === '') return id
  const found = await events.findBySlug(context.db, slug, toReader(context))
  if (found === undefined || isHidden(context, found)) throw newPostNotFoundProblem('event', slug)
  return found.id
}

async function getEvent(
  context: RequestContext,
  key: PathKey,
  { password, context: editContext }: { password?: string; context?: string }
): Promise<RouteResult> {
  const row = await findByKey(context, key)
  if (row === undefined) throw newPostNotFoundProblem('event', key.slug === '' ? key.id : key.slug)
  if (row.status === 'trash') throw newPostUnavailableProblem('event')
  // Slugs can be guessed from titles, so a hidden one responds 404. Ids respond as in The Events Calendar.
  if (isHidden(context, row))
    throw key.slug === '' ? newPostNotAccessibleProblem('event') : newPostNotFoundProblem('event', key.slug)
  const opened = editContext === 'edit' && canEdit(context.caller, row)
  if (isPasswordLocked(row, { password, opened })) throw newPasswordRequiredProblem('event')
  return {
    body: toEventJson(row, { context: context, password, opened, single: true }),
    version: row.version,
    language: row.language
  }
}

/** The event as its writer sees it. */
async function buildWriterResult(
  context: RequestContext,
  db: RequestContext['db'],
  { id, language }: WrittenEvent,
  which?: 'any'
): Promise<RouteResult> {
  const row = await events.find(db, id, toReader(context, language))
  if (row === undefined) throw newPostNotFoundProblem('event', id)
  if (which === 'any' && !canEdit(context.caller, row)) throw newForbiddenProblem()
  return { body: toEventJson(row, { context: context, opened: true }), version: row.version, language: row.language }
}
