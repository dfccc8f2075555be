import { Type } from 'typebox'
import { ifMatch, refuseStale, versionTag } from '#platform/conditional.ts'
import { once } from '#platform/idempotency.ts'
import { cursorOf, numberIn, readCursor, rowsToFetch, sendPage } from '#platform/paging.ts'
import type { Scope } from '#platform/service.ts'
import { createRule, deleteRule } from './payer-rule.ts'
import type { PayerRuleRow } from './queries.ts'
import * as rules from './queries.ts'
import { NewPayerRule, PayerRule, PayerRuleQuery } from './schema.ts'
import { toRuleJson } from './wire.ts'

/** A rule is never edited: a new one takes its place. */
const onlyVersion = 1

/** What becomes of payments of some payers whenever they come: for treasurers. */
export function payerRuleRoutes(scope: Scope): void {
  const { app, db, settings } = scope
  const needs = ['treasurer'] as const

  app.get('/payer-rules', {
    config: { needs },
    schema: {
      summary: 'List the rules for payers, newest first',
      querystring: PayerRuleQuery,
      response: { 200: Type.Array(PayerRule) }
    },
    handler: async (request, reply) => {
      const { limit, cursor } = request.query
      const beforePosition = readCursor(cursor, numberIn)
      const [rows, total] = await Promise.all([
        rules.list(db, { beforePosition, rows: rowsToFetch(limit) }),
        rules.count(db)
      ])
      const cursorAfter = (row: PayerRuleRow) => cursorOf(row.position)
      reply.header('cache-control', 'private, no-store')
      return sendPage(request, reply, settings, { rows, limit, total, cursorAfter }).map(row =>
        toRuleJson(row, settings)
      )
    }
  })

  app.post('/payer-rules', {
    config: { needs, creates: true },
    schema: {
      summary: 'Create a rule for a payer: preselect a campaign, or ignore their payments',
      description:
        'Payers are known by their IBAN, which has one rule: a new one replaces it. Rules apply to bank statements that are imported from now on; what names a donation is never ignored.',
      body: NewPayerRule,
      response: { 201: PayerRule }
    },
    handler: async (request, reply) =>
      await once(scope, request, reply, async tx => {
        const row = await createRule(tx, { by: request.caller, settings, now: new Date() }, request.body)
        return {
          location: `/payer-rules/${row.id}`,
          body: toRuleJson(row, settings),
          etag: versionTag(onlyVersion)
        }
      })
  })

  app.delete('/payer-rules/:ruleId', {
    config: { needs },
    schema: {
      summary: 'Delete a rule for a payer; what it was applied to stays',
      params: Type.Object({ ruleId: Type.String({ format: 'uuid' }) }),
      response: { 204: Type.Null() }
    },
    handler: async (request, reply) => {
      refuseStale(ifMatch(request), onlyVersion)
      await deleteRule(db, request.caller, request.params.ruleId)
      return reply.code(204).send(null)
    }
  })
}
