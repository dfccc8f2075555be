import { Type } from 'typebox'
import type { Caller } from '#platform/caller.ts'
import { buildContentEtag, parseIfMatch, requireVersion } from '#platform/http/etag.ts'
import { withIdempotency } from '#platform/http/idempotency.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { newAccountRequestNotFoundProblem } from '../problems/account-requests.ts'
import {
  canConfirm,
  confirmAccountRequest,
  createAccountRequest,
  endAccountRequest,
  findOpenRequest,
  isOwnRequest,
  listOpenRequests
} from './account-request.ts'
import type { AccountRequestRow } from './queries.ts'
import { AccountRequest, NewAccountRequest } from './schema.ts'
import { toRequestJson } from './wire.ts'

/** Requests have no versions: they are confirmed, rejected or withdrawn, never edited. */
const onlyVersion = 1

const RequestParams = Type.Object({ requestId: Type.Integer() })

/** Account changes that a second person has to confirm. */
export function registerAccountRequestRoutes(scope: RouteContext): void {
  const { app, db, settings, enqueueSoon } = scope
  const needs = ['editor', 'treasurer'] as const
  const toWire = (row: AccountRequestRow, caller: Caller) =>
    toRequestJson(row, { isOwn: isOwnRequest(caller, row), canConfirm: canConfirm(caller, row) })

  // The allowed actions depend on the caller, so the ETag covers the content.
  const tagOf = (body: AccountRequest) => buildContentEtag(JSON.stringify(body), onlyVersion)

  app.get('/account-requests', {
    config: { requires: needs },
    schema: {
      summary: 'List open account change requests, oldest first',
      description: 'Requests that wait for a second person, if the site requires one. A request expires after 14 days.',
      response: { 200: Type.Array(AccountRequest) }
    },
    handler: async ({ caller }, reply) => {
      reply.header('cache-control', 'private, no-store')
      return (await listOpenRequests(db)).map(row => toWire(row, caller))
    }
  })

  app.post('/account-requests', {
    config: { requires: needs, creates: true, requiresConfirmation: true },
    schema: {
      summary: 'Create an account change request, to be confirmed by a second person',
      description:
        'campaign_account needs the campaign and the account; site_account (default account of new campaigns, admins only) the account; turn_off (admins only) disables the confirmation by a second person. One open request per account. It expires after 14 days, or when the user who made it is deleted.',
      problems: {
        404: ['campaign-not-found'],
        409: ['account-request-open', 'account-unchanged', 'second-person-is-off'],
        422: ['iban-check', 'not-expected', 'required']
      },
      body: NewAccountRequest,
      response: { 201: AccountRequest }
    },
    handler: async (request, reply) => {
      const made = await withIdempotency(scope, request, reply, async tx => {
        const row = await createAccountRequest(tx, request.caller, { input: request.body, settings })
        const body = toWire(row, request.caller)
        return { location: `/account-requests/${row.id}`, body, etag: tagOf(body) }
      })
      enqueueSoon('send-emails')
      return made
    }
  })

  app.get('/account-requests/:requestId', {
    config: { requires: needs },
    schema: {
      summary: 'Get an account change request',
      description: 'The requested change, the requester, and the time until which it can be confirmed.',
      problems: { 404: ['account-request-not-found'] },
      params: RequestParams,
      response: { 200: AccountRequest }
    },
    handler: async ({ params, caller }, reply) => {
      const row = await findOpenRequest(db, params.requestId)
      if (row === undefined) throw newAccountRequestNotFoundProblem()
      const body = toWire(row, caller)
      reply.header('cache-control', 'private, no-store').header('etag', tagOf(body))
      return body
    }
  })

  app.post('/account-requests/:requestId/confirm', {
    config: { requires: ['treasurer'], requiresConfirmation: true },
    schema: {
      summary: 'Confirm an account change request as the second person',
      description:
        'Applies the change. Only a signed-in user can confirm, not an API key, and not the user who made the request (a key counts as its creator).',
      problems: {
        403: ['own-account-request', 'person-needed'],
        404: ['account-request-not-found', 'campaign-not-found'],
        409: ['account-request-outdated', 'second-person-needed', 'too-few-people']
      },
      params: RequestParams,
      response: { 204: Type.Null() }
    },
    handler: async ({ caller, params }, reply) => {
      await confirmAccountRequest(db, caller, { id: params.requestId, settings })
      enqueueSoon('send-emails')
      return reply.code(204).send(null)
    }
  })

  app.delete('/account-requests/:requestId', {
    config: { requires: needs },
    schema: {
      summary: 'Withdraw your account change request, or reject one (treasurer, admin)',
      description: 'Nothing is changed; the request can be created again.',
      problems: { 404: ['account-request-not-found'] },
      params: RequestParams,
      response: { 204: Type.Null() }
    },
    handler: async (request, reply) => {
      requireVersion(parseIfMatch(request), onlyVersion)
      await endAccountRequest(db, request.caller, request.params.requestId)
      return reply.code(204).send(null)
    }
  })
}
