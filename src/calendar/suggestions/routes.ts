import { normalizeEmail } from '#platform/email-address.ts'
import { parseIfMatch } from '#platform/http/etag.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { newChallenge } from '#platform/proof-of-work/proof-of-work.ts'
import { ProofOfWork } from '#platform/proof-of-work/schema.ts'
import * as site from '#platform/site/queries.ts'
import { newPageNotFoundProblem } from '../contract/problems.ts'
import { buildListResult, inferTotal, parsePage } from '../contract/routing/paging.ts'
import {
  createOnce,
  defineRoute,
  type RequestContext,
  type RouteResult,
  type RouteTable
} from '../contract/routing/route.ts'
import { buildListSchema } from '../contract/shapes.ts'
import { suggestionReceiptSchema, suggestionSchema } from '../contract/suggestion-shapes.ts'
import type { EventRow } from '../events/event-row.ts'
import { toReader } from '../events/list.ts'
import * as events from '../events/queries.ts'
import { acceptSuggestion, declineSuggestion, eraseSender } from './decide.ts'
import { findDuplicates } from './duplicates.ts'
import { buildSuggestionFeed } from './feed.ts'
import { notifyJob } from './notify.ts'
import { newSuggestionNotFoundProblem } from './problems.ts'
import type { SuggestionRow } from './queries.ts'
import * as suggestions from './queries.ts'
import { acceptParams, confirmationParams, declineParams, suggestionFields, suggestionListParams } from './schema.ts'
import {
  admitSuggestion,
  confirmSuggestion,
  getSuggestionRateLimit,
  isProofRequired,
  suggestEvent,
  suggestionProof
} from './suggest.ts'
import { toSuggestionJson } from './wire.ts'

const editorRoles = ['editor'] as const
const feedSize = 50

export function registerSuggestionRoutes(scope: RouteContext, table: RouteTable): void {
  const { settings } = scope
  const rateLimit = getSuggestionRateLimit(settings)
  /** Email to the sender, and to the editors about what came into the queue. */
  const sendEmailsSoon = (isInQueue: boolean) => {
    if (settings.smtpUrl === undefined) return
    scope.enqueueSoon('send-emails')
    if (isInQueue) scope.enqueueSoon(notifyJob)
  }

  defineRoute(scope, table, {
    methods: ['POST'],
    path: '/suggestions',
    requires: 'public',
    summary: 'Suggest an event',
    description:
      'Public, unless the site has disabled suggestions. A suggestion is not public until an editor accepts it. If SMTP is configured, the sender has to confirm the email address first: state `unconfirmed`. A venue is named by id, or by name and address.',
    problems: {
      403: ['suggestions-are-off'],
      422: ['not-a-person', 'proof-of-work'],
      429: ['too-many-from-sender', 'too-many-suggestions']
    },
    params: suggestionFields,
    response: suggestionReceiptSchema,
    creates: true,
    rateLimit,
    handler: async (context, values) => {
      const limits = await admitSuggestion(context, context.request)
      const answer = await createOnce(context, async db => {
        const { id, state } = await suggestEvent(db, context, values, limits)
        return { body: { state }, path: `/suggestions/${id}` }
      })
      sendEmailsSoon((answer.body as { state: string }).state === 'open')
      return answer
    }
  })

  defineRoute(scope, table, {
    methods: ['GET'],
    path: '/suggestions/challenge',
    requires: 'public',
    summary: 'Get a proof-of-work challenge for a suggestion, if enabled',
    description:
      'The solution goes into proof_of_work of the suggestion: {"challenge", "solution": {"counter", "derivedKey"}} as base64-encoded JSON (altcha format).',
    params: {},
    response: ProofOfWork,
    isUncached: true,
    handler: async ({ db, reply, now }) => {
      reply.header('cache-control', 'no-store')
      const required = await isProofRequired(db)
      return { body: { required, challenge: required ? await newChallenge(settings, suggestionProof, now) : null } }
    }
  })

  defineRoute(scope, table, {
    methods: ['POST'],
    path: '/suggestions/confirm',
    requires: 'public',
    summary: 'Confirm a suggestion with the token from the email',
    description: 'Puts the suggestion into the queue of the editors. The link works for 48 hours.',
    problems: { 410: ['link-ended'] },
    params: confirmationParams,
    response: suggestionReceiptSchema,
    rateLimit,
    handler: async (context, { token = '' }) => {
      await confirmSuggestion(context.db, context, token)
      sendEmailsSoon(true)
      return { body: { state: 'open' } }
    }
  })

  defineRoute(scope, table, {
    methods: ['GET'],
    path: '/suggestions',
    requires: editorRoles,
    summary: 'List suggestions: the queue, or what was decided',
    description:
      'Open suggestions, the oldest first, or decided ones, the newest first. With `email`, everything that is stored about one sender.',
    problems: { 404: ['suggestion-archive-page-not-found'] },
    params: suggestionListParams,
    response: buildListSchema('suggestions', suggestionSchema),
    handler: async (context, values) => {
      const page = parsePage(values)
      const email = values.email === undefined ? undefined : normalizeEmail(values.email.trim())
      const filter = { state: values.state ?? (email === undefined ? 'open' : undefined), email }
      const rows = await suggestions.listPage(context.db, filter, page)
      const total = inferTotal(page, rows.length) ?? (await suggestions.count(context.db, filter))
      const loaded = await loadEvents(context, rows)
      const duplicates =
        values.with_duplicates === true ? await findDuplicates(context.db, listOpenIds(rows)) : undefined
      const items = loaded.map(({ row, event }) =>
        toSuggestionJson(row, context, { event, duplicates: duplicates && (duplicates.get(row.eventId ?? 0) ?? []) })
      )
      return buildListResult(context, 'suggestions', items, {
        page,
        total,
        query: { state: values.state, email: values.email, with_duplicates: values.with_duplicates },
        beyond: () => newPageNotFoundProblem('suggestion')
      })
    }
  })

  defineRoute(scope, table, {
    methods: ['GET'],
    path: '/suggestions.atom',
    requires: editorRoles,
    summary: 'Get the queue as an Atom feed',
    description:
      'Open suggestions, the newest first, without the data of senders. Feed readers send an API key as the password of Basic authentication.',
    params: {},
    response: { type: 'string' },
    produces: 'application/atom+xml',
    handler: async context => {
      const rows = await suggestions.listNewest(context.db, feedSize)
      const { name } = await site.find(context.db)
      return buildSuggestionFeed(await loadEvents(context, rows), {
        site: context.site,
        siteName: name,
        language: context.language
      })
    }
  })

  defineRoute(scope, table, {
    methods: ['GET'],
    path: '/suggestions/{id}',
    requires: editorRoles,
    summary: 'Get a suggestion',
    description: 'The event, its sender, and possible duplicates.',
    problems: { 404: ['rest-suggestion-not-found'] },
    params: {},
    response: suggestionSchema,
    handler: async (context, _values, { id }) => await buildSuggestionResult(context, id)
  })

  defineRoute(scope, table, {
    methods: ['POST'],
    path: '/suggestions/{id}/accept',
    requires: editorRoles,
    summary: 'Accept a suggestion: publish its event',
    description:
      'Fields of the event can be changed at the same time. The sender gets an email with the URL of the event. A second call changes nothing.',
    problems: { 404: ['rest-suggestion-not-found'], 409: ['suggestion-is-declined'] },
    params: acceptParams,
    response: suggestionSchema,
    handler: async (context, values, { id }) => {
      await acceptSuggestion(context.db, context, id, { changes: values, expected: parseIfMatch(context.request) })
      sendEmailsSoon(false)
      return await buildSuggestionResult(context, id)
    }
  })

  defineRoute(scope, table, {
    methods: ['POST'],
    path: '/suggestions/{id}/decline',
    requires: editorRoles,
    summary: 'Decline a suggestion: move its event to the trash',
    description: 'The sender gets an email, with `message` if there is one. A second call changes nothing.',
    problems: { 404: ['rest-suggestion-not-found'], 409: ['suggestion-is-accepted'] },
    params: declineParams,
    response: suggestionSchema,
    handler: async (context, values, { id }) => {
      await declineSuggestion(context.db, context, id, { ...values, expected: parseIfMatch(context.request) })
      sendEmailsSoon(false)
      return await buildSuggestionResult(context, id)
    }
  })

  defineRoute(scope, table, {
    methods: ['DELETE'],
    path: '/suggestions/{id}/sender',
    requires: editorRoles,
    summary: 'Erase the data of the sender',
    description:
      'Name, email address and messages, in all suggestions of the same email address. This cannot be undone.',
    problems: { 404: ['rest-suggestion-not-found'] },
    params: {},
    response: suggestionSchema,
    handler: async (context, _values, { id }) => {
      await eraseSender(context.db, context, id, parseIfMatch(context.request))
      return await buildSuggestionResult(context, id)
    }
  })
}

interface LoadedSuggestion {
  row: SuggestionRow
  event: EventRow | undefined
}

async function loadEvents(context: RequestContext, rows: SuggestionRow[]): Promise<LoadedSuggestion[]> {
  const ids = rows.flatMap(({ eventId }) => (eventId === null ? [] : [eventId]))
  const found = ids.length === 0 ? [] : await events.listByIds(context.db, ids, toReader(context))
  const byId = new Map(found.map(event => [event.id, event]))
  return rows.map(row => ({ row, event: row.eventId === null ? undefined : byId.get(row.eventId) }))
}

const listOpenIds = (rows: SuggestionRow[]) =>
  rows.flatMap(({ state, eventId }) => (state === 'open' && eventId !== null ? [eventId] : []))

async function buildSuggestionResult(context: RequestContext, id: number): Promise<RouteResult> {
  const row = await suggestions.find(context.db, id)
  if (row === undefined) throw newSuggestionNotFoundProblem(id)
  const [loaded] = await loadEvents(context, [row])
  const duplicates = await findDuplicates(context.db, listOpenIds([row]))
  const event = loaded?.event
  return {
    body: toSuggestionJson(row, context, { event, duplicates: duplicates.get(row.eventId ?? 0) ?? [] }),
    ...(event === undefined ? {} : { version: event.version })
  }
}
