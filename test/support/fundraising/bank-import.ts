import assert from 'node:assert/strict'
import { type Client, type Start, startCampaigns, type TestResponse } from '../services.ts'
import { buildStatement, type StatementBooking, type StatementOptions } from './bank-statements.ts'

/** Starts the campaign service with a treasurer who imports bank statements. */
export async function startBankImports(start: Start = {}) {
  const started = await startCampaigns(start)
  const treasurer = await started.withRole('treasurer')

  async function upload(
    bytes: Buffer | string,
    { by = treasurer, headers = {} }: { by?: Client; headers?: Record<string, string> } = {}
  ): Promise<TestResponse> {
    const type = { 'content-type': 'application/xml' }
    return await by.send({ method: 'POST', url: '/bank-statements', headers: { ...type, ...headers }, payload: bytes })
  }

  async function readEntries(id: number, query = ''): Promise<TestResponse['body']> {
    const response = await treasurer.get(`/bank-statements/${id}/entries?limit=200${query}`)
    assert.equal(response.status, 200, response.text)
    return response.body
  }

  return {
    ...started,
    treasurer,
    upload,
    readEntries,
    /** Imports a statement with these bookings; returns the statement and its entries. */
    importBookings: async (bookings: StatementBooking[], options: StatementOptions = {}) => {
      const response = await upload(buildStatement(bookings, options))
      assert.equal(response.status, 201, response.text)
      return { statement: response.body, entries: await readEntries(response.body.id) }
    },
    readStatus: async ({ campaignId, id }: { campaignId: number; id: string }) =>
      (await started.admin.get(`/campaigns/${campaignId}/donations/${id}`)).body.status,
    change: async (entry: { statementId: number; id: string }, body: object, headers: Record<string, string> = {}) =>
      await treasurer.patch(`/bank-statements/${entry.statementId}/entries/${entry.id}`, body, headers)
  }
}

let references = 0

/** Builds a payment by an unknown payer, with a unique bank reference. */
export function buildBooking(fields: Partial<StatementBooking> = {}): StatementBooking {
  references += 1
  return {
    amount: '25.00',
    bankReference: `20260302${String(references).padStart(8, '0')}`,
    name: 'Grete Unbekannt',
    iban: 'DE12500105170648489890',
    ...fields
  }
}
