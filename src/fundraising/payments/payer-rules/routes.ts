import { Type } from 'typebox'
import { buildVersionEtag, parseIfMatch, requireVersion } from '#platform/http/etag.ts'
import { withIdempotency } from '#platform/http/idempotency.ts'
import { decodeCursor, encodeCursor, getFetchSize, parseNumber, sendPage } from '#platform/http/paging.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { createRule, deleteRule } from './payer-rule.ts'
import type { PayerRuleRow } from './queries.ts'
import * as rules from './queries.ts'
import { NewPayerRule, PayerRule, PayerRuleQuery } from './schema.ts'
import { toRuleJson } from './wire.ts'

/** A rule is replaced, never edited, so it has no versions. */
const onlyVersion = 1

/** Rules for recurring payments of known payers, for treasurers. */
export function registerPayerRuleRoutes(scope: RouteContext): void {
  const { app, db, settings } = scope
  const needs = ['treasurer'] as const

  app.get('/payer-rules', {
    config: { requires: needs },
    schema: {
      summary: 'List payer rules, newest first',
      description: 'Rules preselect a campaign for a payer, or ignore their payments.',
      querystring: PayerRuleQuery,
      response: { 200: Type.Array(PayerRule) }
    },
    handler: async (request, reply) => {
      const { limit, cursor } = request.query
      const beforePosition = decodeCursor(cursor, parseNumber)
      const [rows, total] = await Promise.all([
        rules.list(db, { beforePosition, rows: getFetchSize(limit) }),
        rules.count(db)
      ])
      const cursorAfter = (row: PayerRuleRow) => encodeCursor(row.position)
      reply.header('cache-control', 'private, no-store')
      return sendPage(request, reply, settings, { rows, limit, total, cursorAfter }).map(row =>
        toRuleJson(row, settings)
      )
    }
  })

  app.post('/payer-rules', {
    config: { requires: needs, creates: true },
    schema: {
      summary: 'Create a payer rule: preselect a campaign, or ignore payments',
      description:
        'One rule per IBAN; a new rule replaces the previous one. Rules apply to bank statements imported later; payments that name a donation are never ignored.',
      problems: {
        422: ['campaign-missing', 'campaign-not-found', 'campaign-not-used', 'payer-missing', 'payer-without-iban']
      },
      body: NewPayerRule,
      response: { 201: PayerRule }
    },
    handler: async (request, reply) =>
      await withIdempotency(scope, request, reply, async tx => {
        const row = await createRule(tx, { by: request.caller, settings, now: new Date() }, request.body)
        return {
          location: `/payer-rules/${row.id}`,
          body: toRuleJson(row, settings),
          etag: buildVersionEtag(onlyVersion)
        }
      })
  })

  app.delete('/payer-rules/:ruleId', {
    config: { requires: needs },
    schema: {
      summary: 'Delete a payer rule; earlier applications are kept',
      description: 'The rule no longer applies to later bank statements.',
      problems: { 404: ['payer-rule-not-found'] },
      params: Type.Object({ ruleId: Type.String({ format: 'uuid' }) }),
      response: { 204: Type.Null() }
    },
    handler: async (request, reply) => {
      requireVersion(parseIfMatch(request), onlyVersion)
      await deleteRule(db, request.caller, request.params.ruleId)
      return reply.code(204).send(null)
    }
  })
}
