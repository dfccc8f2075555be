import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { ifMatch } from '#platform/conditional.ts'
import { once } from '#platform/idempotency.ts'
import { cursorOf, readCursor, rowsToFetch, sendPage, uuidIn } from '#platform/paging.ts'
import type { Scope } from '#platform/service.ts'
import * as donations from '../donations/queries.ts'
import { isDonorToken } from '../donor-token.ts'
import { noDonationForToken } from '../problems.ts'
import { receiptIsGone, receiptNotFound } from '../receipt-problems.ts'
import type { ReceiptRow } from './queries.ts'
import * as receipts from './queries.ts'
import { fileOf, issueReceipt, withdrawReceipt } from './receipt.ts'
import { NewReceipt, Receipt, ReceiptFilter, Withdrawal } from './schema.ts'
import { simplifiedProof } from './simplified-proof.ts'
import { tagOf, toWire } from './wire.ts'

const OneReceipt = Type.Object({ receiptId: Type.String({ format: 'uuid' }) })
const OfToken = Type.Object({ token: Type.String() })

export function receiptRoutes(scope: Scope): void {
  const { app, db, settings, soon } = scope

  app.get('/receipts', {
    config: { needs: ['treasurer'] },
    schema: {
      summary: 'List receipts, newest first',
      querystring: ReceiptFilter,
      response: { 200: Type.Array(Receipt) }
    },
    handler: async (request, reply) => {
      const { query } = request
      const page = { beforeId: readCursor(query.cursor, uuidIn), rows: rowsToFetch(query.limit) }
      const [rows, total] = await Promise.all([receipts.list(db, query, page), receipts.count(db, query)])
      const cursorAfter = (row: ReceiptRow) => cursorOf(row.id)
      return sendPage(request, reply, settings, { rows, limit: query.limit, total, cursorAfter }).map(toWire)
    }
  })

  app.post('/receipts', {
    config: { needs: ['treasurer'], creates: true },
    schema: {
      summary: 'Issue a receipt for money that has come',
      body: NewReceipt,
      response: { 201: Receipt }
    },
    handler: async (request, reply) => {
      const issuing = { by: request.caller, settings, now: new Date() }
      const answer = await issueReceipt(db, issuing, request.body, async write =>
        once(scope, request, reply, async tx => {
          const row = await write(tx)
          return { location: `/receipts/${row.id}`, body: toWire(row), etag: tagOf(row) }
        })
      )
      soon('send-mail')
      return answer
    }
  })

  app.get('/receipts/:receiptId', {
    config: { needs: ['treasurer'] },
    schema: { summary: 'Read a receipt', params: OneReceipt, response: { 200: Receipt } },
    handler: async ({ params }, reply) => {
      const row = await known(params.receiptId)
      reply.header('etag', tagOf(row))
      return toWire(row)
    }
  })

  app.get('/receipts/:receiptId.pdf', {
    config: { needs: ['treasurer'] },
    schema: {
      summary: 'The receipt itself, as it was issued',
      params: OneReceipt,
      querystring: Type.Object({
        copy: Type.Optional(
          Type.Unsafe<'true' | 'false'>({
            type: 'string',
            enum: ['true', 'false'],
            description: 'One that says that it is a duplicate.'
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
    config: { needs: ['treasurer'] },
    schema: {
      summary: 'Take a receipt back: its number stays, and its donations are free for another one',
      params: OneReceipt,
      body: Withdrawal,
      response: { 200: Receipt }
    },
    handler: async (request, reply) => {
      const { caller, params, body } = request
      const row = await withdrawReceipt(db, caller, params.receiptId, body.reason, ifMatch(request))
      reply.header('etag', tagOf(row))
      return toWire(row)
    }
  })

  app.get('/donations/by-token/:token/receipts/:receiptId.pdf', {
    config: { needs: 'nothing' },
    schema: {
      summary: 'A receipt for an own donation, with the token that came when it was made',
      params: Type.Object({ ...OfToken.properties, ...OneReceipt.properties }),
      produces: 'application/pdf',
      response: { 200: Type.String({ format: 'binary' }) }
    },
    handler: async ({ params }, reply) => {
      const donation = await ownDonation(params.token)
      const own = await receipts.listOfDonation(db, donation)
      const row = own.find(one => one.id === params.receiptId && one.state === 'issued')
      if (row === undefined) throw receiptNotFound()
      return await sendFile(reply, row, false)
    }
  })

  app.get('/donations/by-token/:token/simplified-proof.pdf', {
    config: { needs: 'nothing' },
    schema: {
      summary:
        'What proves a small donation together with the bank statement, with the token that came when it was made',
      params: OfToken,
      produces: 'application/pdf',
      response: { 200: Type.String({ format: 'binary' }) }
    },
    handler: async ({ params }, reply) => {
      const file = await simplifiedProof(db, settings, await ownDonation(params.token))
      return sendPdf(reply, file, 'spendennachweis')
    }
  })

  async function known(id: string): Promise<ReceiptRow> {
    const row = await receipts.find(db, id)
    if (row === undefined) throw receiptNotFound()
    return row
  }

  async function ownDonation(token: string) {
    const row = isDonorToken(token) ? await donations.findByToken(db, token) : undefined
    if (row === undefined) throw noDonationForToken()
    return row
  }

  async function sendFile(reply: FastifyReply, row: ReceiptRow, isCopy: boolean): Promise<never> {
    if (row.forgottenAt !== null) throw receiptIsGone()
    const file = isCopy ? await fileOf(db, row.content, true) : await receipts.findFile(db, row.id)
    if (file === null) throw receiptIsGone()
    return sendPdf(reply, file, isCopy ? `${row.number}-copy` : row.number)
  }
}

/** Nothing between us and whoever may read it keeps it. */
function sendPdf(reply: FastifyReply, file: Buffer, name: string): never {
  return reply
    .type('application/pdf')
    .header('content-disposition', `inline; filename="${name}.pdf"`)
    .header('cache-control', 'private, no-store')
    .serializer((bytes: Buffer) => bytes as never)
    .send(file as never) as never
}
