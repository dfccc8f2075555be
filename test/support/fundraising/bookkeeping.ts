// Random bookkeeping steps of a treasurer for one campaign, and the invariants that have to hold afterwards.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Database } from '#platform/database/database.ts'
import { sql } from '#platform/database/sql.ts'
import { type Client, donation, type TestResponse } from '../services.ts'
import { buildStatement } from './bank-statements.ts'

const which = fc.nat({ max: 2 })
const entry = fc.nat({ max: 3 })

/** One step of a treasurer: with which donation, which bank entry, and which part of the amount. */
export const bookkeepingStep = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('pay' as const), which, part: fc.constantFrom(0.3, 1, 1.4) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('receive' as const), which, part: fc.constantFrom(0.4, 1, 1.2) })
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('accept' as const), which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('refundPart' as const), which }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      which,
      status: fc.constantFrom('REFUNDED', 'FAILED', 'CANCELLED')
    })
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), which }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('undo' as const), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('takeBackPayment' as const), which }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('assign' as const), which, entry, accept: fc.boolean() })
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('split' as const), which, entry }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('takeBackEntry' as const), entry }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('receipt' as const), which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('withdraw' as const), which }) }
)
export type BookkeepingStep = typeof bookkeepingStep extends fc.Arbitrary<infer One> ? One : never

/** The books of one campaign: three pledges, and four bank entries, the last of which is outgoing. */
export interface Ledger {
  campaignId: number
  donations: { id: string; cents: number }[]
  statementId: number
  entries: { id: string; cents: number }[]
}

const maxTries = 50
/** The number of retries, for the output: many on an idle machine would be a fault. */
export const retries = { count: 0 }

/**
 * On a busy machine a request that waits too long for a lock or a statement of another gets 503, which changes nothing: like any
 * client, this one retries.
 */
export function retryUnavailable(client: Client): Client {
  const retry = async (send: () => Promise<TestResponse>): Promise<TestResponse> => {
    for (let tries = 1; ; tries += 1) {
      const response = await send()
      if (response.status !== 503 || tries === maxTries) return response
      retries.count += 1
    }
  }
  return {
    get: async (...args) => await retry(async () => await client.get(...args)),
    post: async (...args) => await retry(async () => await client.post(...args)),
    put: async (...args) => await retry(async () => await client.put(...args)),
    patch: async (...args) => await retry(async () => await client.patch(...args)),
    delete: async (...args) => await retry(async () => await client.delete(...args)),
    send: async options => await retry(async () => await client.send(options))
  }
}

let statementCount = 0

/** Creates three donations and a bank statement whose entries contain no reference. */
export async function createLedger(admin: Client, campaignId: number, amounts: number[]): Promise<Ledger> {
  const donations: Ledger['donations'] = []
  for (const cents of amounts) {
    const { status, body, text } = await admin.post(`/campaigns/${campaignId}/donations`, {
      ...donation,
      amount: cents / 100,
      receiptRequested: true,
      donorName: `Donor ${campaignId}`,
      address: { street: 'Gasse 1', postalCode: '50667', city: 'Köln', country: 'DE' }
    })
    assert.equal(status, 201, text)
    donations.push({ id: body.id, cents })
  }
  statementCount += 1
  const parts = [
    amounts[0] ?? 1,
    Math.ceil((amounts[1] ?? 1) / 2),
    (amounts[2] ?? 1) + 77,
    Math.ceil((amounts[0] ?? 1) / 3)
  ]
  const file = buildStatement(
    parts.map((cents, index) => ({
      amount: (cents / 100).toFixed(2),
      direction: index === 3 ? ('out' as const) : ('in' as const),
      bankReference: `${statementCount}-${campaignId}-${index}`,
      text: 'nothing',
      bookedOn: `2026-0${index + 2}-1${index}`
    }))
  )
  const { body: statement } = await sendFile(admin, file)
  const { body: entries } = await admin.get(`/bank-statements/${statement.id}/entries`)
  return {
    campaignId,
    donations,
    statementId: statement.id,
    entries: entries.map((one: { id: string }, index: number) => ({ id: one.id, cents: parts[index] ?? 0 }))
  }
}

async function sendFile(admin: Client, file: Buffer): Promise<TestResponse> {
  const response = await admin.send({
    method: 'POST',
    url: '/bank-statements',
    payload: file,
    headers: { 'content-type': 'application/xml' }
  })
  assert.equal(response.status, 201, response.text)
  return response
}

/** Applies one step; undefined if there is nothing to apply it to. */
export async function applyStep(
  admin: Client,
  ledger: Ledger,
  one: BookkeepingStep
): Promise<TestResponse | undefined> {
  const { campaignId, statementId } = ledger
  const chosen = 'which' in one ? ledger.donations[one.which] : undefined
  const path = `/campaigns/${campaignId}/donations/${chosen?.id}`
  const bankEntry = 'entry' in one ? ledger.entries[one.entry] : undefined
  const entryPath = `/bank-statements/${statementId}/entries/${bankEntry?.id}`
  const cents = chosen?.cents ?? 0
  switch (one.kind) {
    case 'pay':
      return await admin.post(`${path}/payments`, { amount: Math.ceil(cents * one.part) / 100, source: 'cash' })
    case 'receive':
      return await admin.patch(path, {
        status: 'TRANSFERRED',
        amountReceived: Math.ceil(cents * one.part) / 100,
        receivedOn: '2026-01-15'
      })
    case 'accept':
    case 'refundPart':
    case 'takeBackPayment':
    case 'withdraw': {
      const { status, body } = await admin.get(path)
      if (status !== 200) return undefined
      return await applyToDonation(admin, path, one.kind, body)
    }
    case 'move':
      return await admin.patch(path, { status: one.status })
    case 'remove':
      return await admin.delete(path)
    case 'undo':
      return await admin.post(`${path}/undo`)
    case 'assign':
      return await admin.patch(entryPath, { donation: { campaignId, id: chosen?.id }, accept: one.accept })
    case 'split': {
      const other = ledger.donations[(one.which + 1) % ledger.donations.length]
      const half = Math.max(1, Math.floor((bankEntry?.cents ?? 2) / 2))
      return await admin.patch(entryPath, {
        donations: [
          { campaignId, id: chosen?.id, amount: half / 100 },
          { campaignId, id: other?.id }
        ]
      })
    }
    case 'takeBackEntry':
      return await admin.patch(entryPath, { donation: null })
    case 'receipt':
      return await admin.post('/receipts', { kind: 'single', donation: { campaignId, id: chosen?.id } })
  }
}

async function applyToDonation(
  admin: Client,
  path: string,
  kind: 'accept' | 'refundPart' | 'takeBackPayment' | 'withdraw',
  // biome-ignore lint/suspicious/noExplicitAny: a response of any shape.
  body: any
): Promise<TestResponse | undefined> {
  if (kind === 'accept') {
    return await admin.patch(path, { status: 'TRANSFERRED', amountReceived: body.amountReceived || body.amount })
  }
  if (kind === 'refundPart') {
    const refund = Math.ceil(body.amountReceived * 30) / 100
    return refund === 0 ? undefined : await admin.post(`${path}/payments`, { amount: -refund })
  }
  if (kind === 'takeBackPayment') {
    const last = body.payments.at(-1)
    return last === undefined ? undefined : await admin.delete(`${path}/payments/${last.id}`)
  }
  const live = body.receipts.find(({ state }: { state: string }) => state === 'issued')
  return live === undefined ? undefined : await admin.post(`/receipts/${live.id}/withdraw`, { reason: 'A mistake.' })
}

/** Recomputes everything that has to agree from the payments, and returns the contradictions. */
export async function findContradictions(db: Database, admin: Client, ledger: Ledger): Promise<string[]> {
  const { campaignId, statementId } = ledger
  const donations = await db.all<{
    id: string
    status: string
    promised: number
    received: number
    deleted: boolean
    paid: number
    certified: number
  }>(sql`
    select
      donation.id, donation.status, donation.amount_cents as promised, donation.received_cents as received,
      donation.deleted_at is not null as deleted,
      (
        select coalesce(sum(amount_cents), 0)::bigint from fundraising.payments
        where campaign_id = donation.campaign_id and donation_id = donation.id and taken_back_at is null
      ) as paid,
      (
        select coalesce(sum(certified_cents), 0)::bigint from fundraising.payments
        where campaign_id = donation.campaign_id and donation_id = donation.id
      ) as certified
    from fundraising.donations as donation
    where donation.campaign_id = ${campaignId}`)
  const contradictions: string[] = []
  for (const one of donations) {
    const { id, status, promised, received, paid, certified, deleted } = one
    if (received !== paid) contradictions.push(`${id}: ${received} received, ${paid} paid`)
    if (received < 0) contradictions.push(`${id}: a negative amount received`)
    if (certified > received) contradictions.push(`${id}: ${certified} certified, ${received} received`)
    const isConsistent =
      status === 'TRANSFERRED'
        ? received > 0 && !deleted
        : status === 'IN_PROCESS'
          ? received < promised
          : received === 0
    if (!isConsistent)
      contradictions.push(`${id}: ${status} with ${received} of ${promised}, ${deleted ? 'deleted' : 'not deleted'}`)
  }
  const unevenEntries = await db.all<{ id: string; amount: number; paid: number; result: string }>(sql`
    select entry.id, entry.result, entry.amount_cents as amount, coalesce(abs(sum(payment.amount_cents)), 0)::bigint as paid
    from fundraising.statement_entries as entry
    left join fundraising.payments as payment
      on payment.statement_id = entry.statement_id and payment.entry_id = entry.id and payment.taken_back_at is null
    where entry.statement_id = ${statementId}
    group by entry.statement_id, entry.id
    having coalesce(abs(sum(payment.amount_cents)), 0)
      <> case when entry.result in ('booked', 'returned') then entry.amount_cents else 0 end`)
  for (const one of unevenEntries)
    contradictions.push(`entry ${one.id}: ${one.result}, ${one.paid} of ${one.amount} paid`)
  const wrongReceipts = await db.all<{ number: string }>(sql`
    select receipt.number
    from fundraising.receipts as receipt
    join fundraising.payments as payment on payment.receipt_id = receipt.id
    where payment.campaign_id = ${campaignId} and not receipt.needs_withdrawal
    group by receipt.id
    having receipt.state <> 'issued' or sum(payment.certified_cents) <> receipt.amount_cents`)
  for (const { number } of wrongReceipts) contradictions.push(`receipt ${number} does not certify its payments`)

  const live = donations.filter(({ deleted }) => !deleted)
  const sum = (values: number[]) => values.reduce((all, value) => all + value, 0)
  const received = sum(live.map(one => one.received))
  const donated = sum(
    live.map(one => (one.status === 'IN_PROCESS' ? Math.max(one.promised, one.received) : one.received))
  )
  const { body: campaign } = await admin.get(`/campaigns/${campaignId}`)
  const shown = [campaign.amountTransferred, campaign.amountDonatedSoFar]
  if (shown[0] !== received / 100 || shown[1] !== donated / 100) {
    contradictions.push(`the campaign shows ${shown}, the books have ${received / 100},${donated / 100}`)
  }
  const { text: table } = await admin.get(`/campaigns/${campaignId}/donations.csv`)
  const [header = '', ...lines] = table.trim().split('\r\n')
  const column = header.split(',').indexOf('amountReceived')
  const exported = sum(lines.map(line => Math.round(Number(line.split(',')[column]) * 100)))
  if (exported !== received) contradictions.push(`the export has ${exported}, the books ${received}`)
  return contradictions
}
