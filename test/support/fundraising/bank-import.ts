import assert from 'node:assert/strict'
import { type Client, type Start, startCampaigns, type TestResponse } from '../services.ts'
import { buildStatement, type StatementBooking, type StatementOptions } from './bank-statements.ts'

/** The campaign service, and a treasurer who gets statements from a bank. */
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

  async function entriesOf(id: number, query = ''): Promise<TestResponse['body']> {
    const answer = await treasurer.get(`/bank-statements/${id}/entries?limit=200${query}`)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }

  return {
    ...started,
    treasurer,
    upload,
    entriesOf,
    /** A statement with these bookings, taken in; answers what came of each. */
    imported: async (bookings: StatementBooking[], options: StatementOptions = {}) => {
      const answer = await upload(buildStatement(bookings, options))
      assert.equal(answer.status, 201, answer.text)
      return { statement: answer.body, entries: await entriesOf(answer.body.id) }
    },
    statusOf: async ({ campaignId, id }: { campaignId: number; id: string }) =>
      (await started.admin.get(`/campaigns/${campaignId}/donations/${id}`)).body.status,
    change: async (entry: { statementId: number; id: string }, body: object, headers: Record<string, string> = {}) =>
      await treasurer.patch(`/bank-statements/${entry.statementId}/entries/${entry.id}`, body, headers)
  }
}

let references = 0

/** A payment by an unknown payer, with a unique bank reference. */
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
