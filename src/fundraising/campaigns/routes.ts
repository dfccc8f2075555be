import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { requireRole } from '#platform/caller.ts'
import { newCsvWriter } from '#platform/csv/csv.ts'
import {
  defaultBatchRows,
  fetchBatches,
  jsonLinesType,
  streamJsonArray,
  streamJsonLines,
  streamLines
} from '#platform/database/streaming.ts'
import { parseIfMatch } from '#platform/http/etag.ts'
import { withIdempotency } from '#platform/http/idempotency.ts'
import { decodeCursor, encodeCursor, getFetchSize, parseNumber, sendPage } from '#platform/http/paging.ts'
import { jsonOrMergePatch } from '#platform/http/plugins/body-parsers.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { type Language, negotiateLanguage } from '#platform/language.ts'
import { normalizeIban } from '../money/iban.ts'
import { newCampaignNotFoundProblem } from '../problems/campaigns.ts'
import {
  createCampaign,
  deleteCampaign,
  getVisibility,
  isAccountInUse,
  patchCampaign,
  replaceCampaign,
  restoreCampaign
} from './campaign.ts'
import type { CampaignRow } from './queries.ts'
import * as campaigns from './queries.ts'
import { Campaign, CampaignPaging, CampaignPatch, CampaignReplacement, NewCampaign } from './schema.ts'
import * as wire from './wire.ts'

const CampaignParams = Type.Object({ campaignId: Type.Integer() })

export function registerCampaignRoutes(scope: RouteContext): void {
  const { app, db, settings } = scope
  const toWire = (row: CampaignRow) => wire.toWire(row, settings.defaultLanguage)
  const sayLanguages = (reply: FastifyReply, found: (Language | null)[]) => {
    const language = wire.toContentLanguage(found, settings.defaultLanguage)
    if (language !== undefined) reply.header('content-language', language)
  }
  /** Responds with one campaign and its headers. */
  const answer = (reply: FastifyReply, row: CampaignRow) => {
    sayLanguages(reply, [row.language])
    reply.header('etag', wire.buildCampaignEtag(row))
    return toWire(row)
  }
  const inALanguage = (input: NewCampaign): NewCampaign => ({ language: settings.defaultLanguage, ...input })

  app.get('/campaigns', {
    config: { requires: 'public', cache: { tags: ['fundraising', 'campaigns'] } },
    schema: {
      summary: 'List campaigns, oldest first',
      description:
        'Open and closed campaigns are public; editors and treasurers also see drafts. Without `limit` all campaigns are returned. `deleted=true` lists deleted ones, for admins.',
      problems: { 401: ['credentials-missing'], 403: ['forbidden'] },
      querystring: CampaignPaging,
      response: { 200: Type.Array(Campaign) }
    },
    handler: async (request, reply) => {
      const { limit, cursor, deleted } = request.query
      if (deleted === 'true') requireRole(request.caller, ['admin'])
      const visible = deleted === 'true' ? 'deleted' : getVisibility(request.caller)
      if (limit !== undefined || cursor !== undefined) {
        const afterId = decodeCursor(cursor, parseNumber) ?? 0
        const range = { afterId, rows: getFetchSize(limit) }
        const [rows, positionsBefore] = await Promise.all([
          campaigns.listPage(db, visible, range),
          afterId === 0 ? [] : campaigns.listIdsBefore(db, visible, range)
        ])
        const total = rows[0]?.total ?? (await campaigns.count(db, visible))
        const cursorAfter = (row: CampaignRow) => encodeCursor(row.id)
        const page = sendPage(request, reply, settings, { rows, limit, total, cursorAfter, positionsBefore })
        sayLanguages(
          reply,
          page.map(({ language }) => language)
        )
        return page.map(toWire)
      }

      const listFrom = (after: CampaignRow | undefined) =>
        campaigns.list(db, visible, { afterId: after?.id ?? 0, rows: defaultBatchRows })
      const all = await listFrom(undefined)
      if (all.length < defaultBatchRows) {
        sayLanguages(
          reply,
          all.map(({ language }) => language)
        )
        return all.map(toWire)
      }
      sayLanguages(reply, await campaigns.listLanguages(db, visible))
      // Computed before the rows are read: a concurrent change can make the ETag stale, never the content.
      reply.header('etag', `"${await campaigns.getFingerprint(db, visible)}"`)
      return reply.type('application/json').send(streamJsonArray(fetchBatches(listFrom), toWire) as never)
    }
  })

  /** Exports the whole list as a file, with the same visibility as the list. */
  async function listAll(
    request: FastifyRequest,
    reply: FastifyReply,
    { form, type, mark = form }: { form: string; type: string; mark?: string }
  ) {
    const visible = getVisibility(request.caller)
    reply
      .type(type)
      .header('etag', `"${mark}-${await campaigns.getFingerprint(db, visible)}"`)
      .header('content-disposition', `attachment; filename="campaigns.${form}"`)
      .serializer(String)
    return fetchBatches<CampaignRow>(after =>
      campaigns.list(db, visible, { afterId: after?.id ?? 0, rows: defaultBatchRows })
    )
  }

  app.get('/campaigns.csv', {
    config: { requires: 'public', isExport: true },
    schema: {
      summary: 'Export campaigns as CSV, oldest first',
      description: 'With `Accept-Language: de` the file has the format that German spreadsheets expect.',
      produces: 'text/csv',
      response: { 200: Type.String() }
    },
    handler: async (request, reply) => {
      const language = negotiateLanguage(request.headers['accept-language'], settings.defaultLanguage)
      const csv = newCsvWriter(language)
      const rows = await listAll(request, reply, { form: 'csv', type: 'text/csv; charset=utf-8', mark: language })
      reply.header('content-language', language).header('vary', 'Accept-Language')
      return reply.send(
        streamLines(csv.formatHeader(wire.buildCsvHeader(language)), rows, row =>
          csv.formatRow(wire.toCsvCells(toWire(row)))
        ) as never
      )
    }
  })

  app.get('/campaigns.jsonl', {
    config: { requires: 'public', isExport: true },
    schema: {
      summary: 'Export campaigns as JSON Lines, oldest first',
      description:
        'Each line is a campaign as in `GET /campaigns`, with the same visibility. The response is streamed.',
      produces: 'application/jsonl',
      response: { 200: Type.String() }
    },
    handler: async (request, reply) => {
      const rows = await listAll(request, reply, { form: 'jsonl', type: jsonLinesType })
      return reply.send(streamJsonLines(rows, toWire) as never)
    }
  })

  app.post('/campaigns', {
    config: { requires: ['editor', 'treasurer'], creates: true, requiresConfirmation: bringsAccount },
    schema: {
      summary: 'Create a campaign',
      description:
        'Default status: open. Donations go to `account`. The texts are in `language`; `translations` has the other one.',
      problems: {
        400: ['ends-before-start', 'not-ascending', 'too-many'],
        409: ['second-person-needed'],
        422: ['preset-too-small']
      },
      body: NewCampaign,
      response: { 201: Campaign }
    },
    handler: async (request, reply) => {
      const created = await withIdempotency(scope, request, reply, async tx => {
        const row = await createCampaign(tx, { by: request.caller }, inALanguage(request.body), settings.currency)
        return { location: `/campaigns/${row.id}`, body: toWire(row), etag: wire.buildCampaignEtag(row) }
      })
      sayLanguages(reply, [created.language])
      return created
    }
  })

  app.get('/campaigns/:campaignId', {
    config: { requires: 'public', cache: { tags: ['fundraising', 'campaign :campaignId'] } },
    schema: {
      summary: 'Get a campaign',
      description: 'With its totals. A draft returns 404 except to editors and treasurers, a deleted campaign always.',
      problems: { 404: ['campaign-not-found'] },
      params: CampaignParams,
      response: { 200: Campaign }
    },
    handler: async ({ params, caller }, reply) => {
      const row = await campaigns.find(db, params.campaignId, getVisibility(caller))
      if (row === undefined) throw newCampaignNotFoundProblem(params.campaignId)
      return answer(reply, row)
    }
  })

  app.put('/campaigns/:campaignId', {
    config: { requires: ['editor', 'treasurer'], requiresConfirmation: changesAccount },
    schema: {
      summary: 'Replace a campaign',
      description:
        'Replaces name, donationMinimum, targetAmount and account, which are required. Other omitted fields, id, donations and totals are kept.',
      problems: {
        400: ['ends-before-start', 'not-ascending', 'too-many'],
        404: ['campaign-not-found'],
        409: ['second-person-needed'],
        422: ['preset-too-small']
      },
      params: CampaignParams,
      body: CampaignReplacement,
      response: { 200: Campaign }
    },
    handler: async (request, reply) => {
      const { caller, params, body } = request
      const update = { id: params.campaignId, input: body, expected: parseIfMatch(request), settings }
      return answer(reply, await replaceCampaign(db, caller, update))
    }
  })

  app.patch('/campaigns/:campaignId', {
    config: { requires: ['editor', 'treasurer'], consumes: jsonOrMergePatch, requiresConfirmation: changesAccount },
    schema: {
      summary: 'Update a campaign',
      description:
        'JSON merge patch (RFC 7396): omitted fields are kept, also inside account and translations; null clears optional fields.',
      problems: {
        400: ['ends-before-start', 'not-ascending', 'too-many'],
        404: ['campaign-not-found'],
        409: ['second-person-needed'],
        422: ['preset-too-small', 'translation-without-name']
      },
      params: CampaignParams,
      body: CampaignPatch,
      response: { 200: Campaign }
    },
    handler: async (request, reply) => {
      const { caller, params, body } = request
      const update = { id: params.campaignId, input: body, expected: parseIfMatch(request), settings }
      return answer(reply, await patchCampaign(db, caller, update))
    }
  })

  /** A new campaign can also bring a new account. */
  async function bringsAccount({ body }: FastifyRequest): Promise<boolean> {
    const { iban } = (body as NewCampaign).account
    return !(await isAccountInUse(db, normalizeIban(iban) ?? iban))
  }

  /** A thief would change the account that receives the money. */
  async function changesAccount({ params, body, caller }: FastifyRequest): Promise<boolean> {
    const { account } = body as CampaignPatch
    if (account?.iban === undefined) return false
    const before = await campaigns.find(db, (params as { campaignId: number }).campaignId, getVisibility(caller))
    return before !== undefined && account.iban.replace(/\s/g, '').toUpperCase() !== before.iban
  }

  app.delete('/campaigns/:campaignId', {
    config: { requires: ['editor', 'treasurer'] },
    schema: {
      summary: 'Delete a campaign; its donations are kept',
      description: 'It is no longer listed and accepts no donations. An admin can restore it.',
      problems: { 404: ['campaign-not-found'] },
      params: CampaignParams,
      response: { 204: Type.Null() }
    },
    handler: async (request, reply) => {
      await deleteCampaign(db, { by: request.caller, expected: parseIfMatch(request) }, request.params.campaignId)
      return reply.code(204).send(null)
    }
  })

  app.post('/campaigns/:campaignId/restore', {
    config: { requires: ['admin'] },
    schema: {
      summary: 'Restore a deleted campaign',
      description: 'Restores it with its donations and totals.',
      problems: { 404: ['campaign-not-found'] },
      params: CampaignParams,
      response: { 200: Campaign }
    },
    handler: async ({ caller, params }, reply) => {
      const row = await restoreCampaign(db, caller, params.campaignId)
      return answer(reply, row)
    }
  })
}
