import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { buildUrl } from '#platform/http/links.ts'
import { decodeCursor, encodeCursor, getFetchSize, sendPage } from '#platform/http/paging.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { negotiateLanguage } from '#platform/language.ts'
import { toLocalDay } from '../../dates.ts'
import * as organisation from '../../organisation/queries.ts'
import { newReceiptRunNotFoundProblem } from '../../problems/receipts.ts'
import * as candidates from '../issuing/eligible-payments.ts'
import { buildIssuer } from '../issuing/issuer.ts'
import { previewNameless, previewNames } from './plan.ts'
import * as runs from './queries.ts'
import { startRun } from './receipt-run.ts'
import { NewReceiptRun, PreviewQuery, ReceiptRun, ReceiptRunPreview } from './schema.ts'
import { toPreviewJson, toWire } from './wire.ts'

export function registerReceiptRunRoutes({ app, db, settings }: RouteContext): void {
  const languageOf = (request: FastifyRequest) =>
    negotiateLanguage(request.headers['accept-language'], settings.defaultLanguage)

  app.get('/receipt-runs', {
    config: { requires: ['treasurer'] },
    schema: {
      summary: 'List receipt runs, newest first',
      description: 'Each with its year, progress and outcome.',
      response: { 200: Type.Array(ReceiptRun) }
    },
    handler: async request => {
      const language = languageOf(request)
      return (await runs.listLatest(db)).map(run => toWire(run, language))
    }
  })

  app.post('/receipt-runs', {
    config: { requires: ['treasurer'] },
    schema: {
      summary: 'Start a receipt run: issue receipts for the payments of a year',
      description: 'Runs in the background. Donations that are already receipted are skipped.',
      problems: {
        409: ['not-signed-by-machine', 'organisation-incomplete', 'receipt-run-goes-on'],
        422: ['year-not-over']
      },
      body: NewReceiptRun,
      response: { 202: ReceiptRun }
    },
    handler: async (request, reply) => {
      const issuing = { by: request.caller, settings, now: new Date() }
      const run = await startRun(db, issuing, request.body)
      reply.code(202).header('location', buildUrl(request, settings, `/receipt-runs/${run.id}`))
      return toWire(run, languageOf(request))
    }
  })

  app.get('/receipt-runs/preview', {
    config: { requires: ['treasurer'] },
    schema: {
      summary: 'Preview a receipt run: receipts to be issued, and donors skipped with the reason',
      description: 'Donors by name, paged. Nothing is issued.',
      problems: { 409: ['organisation-incomplete'] },
      querystring: PreviewQuery,
      response: { 200: ReceiptRunPreview }
    },
    handler: async (request, reply) => {
      const { year, language = null, limit = 50, cursor } = request.query
      const issuing = { by: request.caller, settings, now: new Date() }
      const today = toLocalDay(issuing.now, settings.timezone)
      buildIssuer(await organisation.find(db), today)
      const after = decodeCursor(cursor, parseNameCursor) ?? ''
      const [rows, total] = await Promise.all([
        candidates.listNames(db, { year, after, rows: getFetchSize(limit) }),
        candidates.countNames(db, year)
      ])
      const names = sendPage(request, reply, settings, { rows, limit, total, cursorAfter: formatNameCursor })
      const plans = await previewNames(db, issuing, { year, language, send: false }, names)
      const nameless = rows.length > limit ? [] : await previewNameless(db, year)
      reply.header('cache-control', 'private, no-store')
      return toPreviewJson([...plans, ...nameless], { year, today })
    }
  })

  app.get('/receipt-runs/:runId', {
    config: { requires: ['treasurer'] },
    schema: {
      summary: 'Get the progress and result of a receipt run',
      description: 'Numbers of receipts issued and sent, and donors without a receipt with the reason.',
      problems: { 404: ['receipt-run-not-found'] },
      params: Type.Object({ runId: Type.String({ format: 'uuid' }) }),
      response: { 200: ReceiptRun }
    },
    handler: async (request, reply) => {
      const run = await runs.find(db, request.params.runId)
      if (run === undefined) throw newReceiptRunNotFoundProblem()
      reply.header('cache-control', 'private, no-store')
      return toWire(run, languageOf(request))
    }
  })
}

/** The cursor of a list of names; the prefix distinguishes it from other cursors. */
const formatNameCursor = (name: string) => encodeCursor(`name ${name}`)

const parseNameCursor = (text: string) => (text.startsWith('name ') ? text.slice('name '.length) : undefined)
