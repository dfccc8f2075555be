import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { parseIfMatch } from '#platform/http/etag.ts'
import { withIdempotency } from '#platform/http/idempotency.ts'
import { decodeCursor, encodeCursor, getFetchSize, parseUuid, sendPage } from '#platform/http/paging.ts'
import type { RouteContext } from '#platform/http/service.ts'
import * as donations from '../../donations/queries.ts'
import { isDonorToken } from '../../encryption/donor-token.ts'
import { newDonationTokenNotFoundProblem } from '../../problems/donations.ts'
import { newReceiptGoneProblem, newReceiptNotFoundProblem } from '../../problems/receipts.ts'
import { buildFile, issueReceipt, withdrawReceipt } from '../issuing/issue.ts'
import { buildSimplifiedProof } from '../issuing/simplified-proof.ts'
import * as receiptList from '../list-queries.ts'
import type { ReceiptRow } from '../queries.ts'
import * as receipts from '../queries.ts'
import { NewReceipt, Receipt, ReceiptFilter, Withdrawal } from '../schema.ts'
import { buildReceiptEtag, toWire } from '../wire.ts'

const ReceiptParams = Type.Object({ receiptId: Type.String({ format: 'uuid' }) })
const TokenParams = Type.Object({ token: Type.String() })

export function registerReceiptRoutes(scope: RouteContext): void {
  const { app, db, settings, enqueueSoon } = scope

  app.get('/receipts', {
    config: { requires: ['treasurer'] },
    schema: {
      summary: 'List receipts, newest first',
      description: 'Filter by year of issue, status, and a number or part of a name.',
      querystring: ReceiptFilter,
      response: { 200: Type.Array(Receipt) }
    },
    handler: async (request, reply) => {
      const { query } = request
      const page = { beforeId: decodeCursor(query.cursor, parseUuid), rows: getFetchSize(query.limit) }
      const [rows, total] = await Promise.all([receiptList.list(db, query, page), receiptList.count(db, query)])
      const cursorAfter = (row: ReceiptRow) => encodeCursor(row.id)
      return sendPage(request, reply, settings, { rows, limit: query.limit, total, cursorAfter }).map(toWire)
    }
  })

  app.post('/receipts', {
    config: { requires: ['treasurer'], creates: true },
    schema: {
      summary: 'Issue a receipt for received donations',
      description:
        'For one donation (`single`), or for all donations of a donor in a year (`collective`). The number is assigned in order and without gaps, and the PDF is stored as it was issued. A donation has at most one valid receipt.',
      problems: {
        404: ['donation-not-found'],
        409: [
          'donation-has-receipt',
          'must-be-signed-by-hand',
          'not-signed-by-machine',
          'organisation-incomplete',
          'receipt-period-taken'
        ],
        422: [
          'donation-is-sample',
          'donation-not-received',
          'donor-not-known',
          'donor-not-printable',
          'fee-not-deductible',
          'gift-in-kind-needs-own-receipt',
          'no-donations-in-year',
          'receipt-needs-euro',
          'too-many-donations'
        ],
        503: ['receipts-are-busy']
      },
      body: NewReceipt,
      response: { 201: Receipt }
    },
    handler: async (request, reply) => {
      const issuing = { by: request.caller, settings, now: new Date() }
      const answer = await issueReceipt(db, issuing, request.body, async write =>
        withIdempotency(scope, request, reply, async tx => {
          const row = await write(tx)
          return { location: `/receipts/${row.id}`, body: toWire(row), etag: buildReceiptEtag(row) }
        })
      )
      enqueueSoon('send-emails')
      return answer
    }
  })

  app.get('/receipts/:receiptId', {
    config: { requires: ['treasurer'] },
    schema: {
      summary: 'Get a receipt',
      description: 'Number, kind, amount, donor and status. The document itself is `GET /receipts/{receiptId}.pdf`.',
      problems: { 404: ['receipt-not-found'] },
      params: ReceiptParams,
      response: { 200: Receipt }
    },
    handler: async ({ params }, reply) => {
      const row = await known(params.receiptId)
      reply.header('etag', buildReceiptEtag(row))
      return toWire(row)
    }
  })

  app.get('/receipts/:receiptId.pdf', {
    config: { requires: ['treasurer'] },
    schema: {
      summary: 'Download a receipt as PDF, as issued',
      description: 'The bytes never change. After the retention period the file is deleted, and the response is 410.',
      problems: { 404: ['receipt-not-found'], 410: ['receipt-is-gone'] },
      params: ReceiptParams,
      querystring: Type.Object({
        copy: Type.Optional(
          Type.Unsafe<'true' | 'false'>({
            type: 'string',
            enum: ['true', 'false'],
            description: 'Whether to mark the file as a duplicate.'
          })
        )
      }),
      produces: 'application/pdf',
      response: { 200: Type.String({ format: 'binary' }) }
    },
    handler: async ({ params, query }, reply) =>
      await sendFile(reply, await known(params.receiptId), query.copy === 'true')
  })

  app.post('/receipts/:receiptId/withdraw', {
    config: { requires: ['treasurer'] },
    schema: {
      summary: 'Withdraw a receipt; its donations can be receipted again',
      description: 'The reason is stored with it. The number is not used again.',
      problems: { 404: ['receipt-not-found'], 409: ['receipt-is-withdrawn'] },
      params: ReceiptParams,
      body: Withdrawal,
      response: { 200: Receipt }
    },
    handler: async (request, reply) => {
      const { caller, params, body } = request
      const row = await withdrawReceipt(
        db,
        { by: caller, expected: parseIfMatch(request) },
        params.receiptId,
        body.reason
      )
      reply.header('etag', buildReceiptEtag(row))
      return toWire(row)
    }
  })

  app.get('/donations/by-token/:token/receipts/:receiptId.pdf', {
    config: { requires: 'public' },
    schema: {
      summary: 'Download a receipt for your donation (PDF, donor token)',
      description: 'Only receipts for the donation with this token. After the retention period the response is 410.',
      problems: { 404: ['donation-not-found', 'receipt-not-found'], 410: ['receipt-is-gone'] },
      params: Type.Object({ ...TokenParams.properties, ...ReceiptParams.properties }),
      produces: 'application/pdf',
      response: { 200: Type.String({ format: 'binary' }) }
    },
    handler: async ({ params }, reply) => {
      const donation = await ownDonation(params.token)
      const own = await receipts.listOfDonation(db, donation)
      const row = own.find(one => one.id === params.receiptId && one.state === 'issued')
      if (row === undefined) throw newReceiptNotFoundProblem()
      return await sendFile(reply, row, false)
    }
  })

  app.get('/donations/by-token/:token/simplified-proof.pdf', {
    config: { requires: 'public' },
    schema: {
      summary: 'Download the simplified proof of donation (PDF, donor token)',
      description:
        'For amounts up to the legal limit for simplified proof, where the organisation has given its tax details.',
      problems: { 404: ['donation-not-found'], 409: ['no-simplified-proof', 'organisation-incomplete'] },
      params: TokenParams,
      produces: 'application/pdf',
      response: { 200: Type.String({ format: 'binary' }) }
    },
    handler: async ({ params }, reply) => {
      const file = await buildSimplifiedProof(db, settings, await ownDonation(params.token))
      return sendPdf(reply, file, 'spendennachweis')
    }
  })

  async function known(id: string): Promise<ReceiptRow> {
    const row = await receipts.find(db, id)
    if (row === undefined) throw newReceiptNotFoundProblem()
    return row
  }

  async function ownDonation(token: string) {
    const row = isDonorToken(token) ? await donations.findByToken(db, token) : undefined
    if (row === undefined) throw newDonationTokenNotFoundProblem()
    return row
  }

  async function sendFile(reply: FastifyReply, row: ReceiptRow, isCopy: boolean): Promise<never> {
    if (row.erasedAt !== null) throw newReceiptGoneProblem()
    const file = isCopy ? await buildFile(db, row.content, true) : await receipts.findFile(db, row.id)
    if (file === null) throw newReceiptGoneProblem()
    return sendPdf(reply, file, isCopy ? `${row.number}-copy` : row.number)
  }
}

/** No cache between us and the reader may store the file. */
function sendPdf(reply: FastifyReply, file: Buffer, name: string): never {
  return reply
    .type('application/pdf')
    .header('content-disposition', `inline; filename="${name}.pdf"`)
    .header('cache-control', 'private, no-store')
    .serializer((bytes: Buffer) => bytes as never)
    .send(file as never) as never
}
