// test: server
// Migrates rows of the release that had no payments yet.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { connectStore } from '#platform/database/postgres.ts'
import { sql } from '#platform/database/sql.ts'
import { createDatabase, silent } from '#test/support/database.ts'
import { fundraisingChecks } from '../../doctor.ts'
import { fundraisingMigrations } from '../../migrations.ts'

const database = await createDatabase()
const store = connectStore({ connectionString: database.url }, { noTimeouts: true, log: silent })
after(async () => {
  await store.close()
  await database.remove()
})

const files = readdirSync(fundraisingMigrations.folder).sort()
async function runMigrations(from: number, to: number): Promise<void> {
  for (const file of files.slice(from, to)) {
    await store.script(readFileSync(new URL(file, fundraisingMigrations.folder), 'utf8'))
  }
}

/** The number of migrations of the release before payments. */
const migrationsBefore = 9
const campaignId = 1
let rowCount = 0

interface OldDonation {
  status: string
  amount?: number
  /** Statuses with the time of each. */
  history: [status: string, at: string][]
  note?: string
}

/** Inserts a donation as the release before stored it, and returns its id. */
async function insertOldDonation({ status, amount = 10_000, history, note }: OldDonation): Promise<string> {
  rowCount += 1
  const id = `01900000-0000-7000-8000-${String(rowCount).padStart(12, '0')}`
  await store.run(sql`
    insert into fundraising.donations (
      campaign_id, id, version, amount_cents, donor_name, receipt_requested, show_name, status, reference, created_at, updated_at
    ) values (
      ${campaignId}, ${id}, ${history.length}, ${amount}, 'Ada', true, false, ${status}, ${`R${rowCount}`}, now(), now()
    )`)
  for (const [index, [oldStatus, at]] of history.entries()) {
    await store.run(sql`
      insert into fundraising.donation_history (campaign_id, donation_id, number, status, at, actor)
      values (${campaignId}, ${id}, ${index + 1}, ${oldStatus}, ${at}, 'Treasurer')`)
  }
  if (note !== undefined) {
    await store.run(sql`
      insert into fundraising.notes (campaign_id, donation_id, id, text, at, actor)
      values (${campaignId}, ${id}, ${id}, ${note}, now(), 'Treasurer')`)
  }
  const counts = ['IN_PROCESS', 'TRANSFERRED'].includes(status)
  await store.run(sql`
    insert into fundraising.deltas (campaign_id, donated_cents, transferred_cents, donation_count)
    values (${campaignId}, ${counts ? amount : 0}, ${status === 'TRANSFERRED' ? amount : 0}, ${counts ? 1 : 0})`)
  return id
}

async function insertEntry(
  donationId: string,
  {
    amount,
    day,
    result = 'booked',
    direction = 'in'
  }: { amount: number; day: string; result?: string; direction?: string }
): Promise<void> {
  rowCount += 1
  const id = `01900000-0000-7000-9000-${String(rowCount).padStart(12, '0')}`
  await store.run(sql`
    insert into fundraising.statement_entries (
      statement_id, id, position, booked_on, amount_cents, currency, direction, is_return, is_pending, text, result,
      campaign_id, donation_id, matched_by, status_before
    ) values (
      1, ${id}, ${rowCount}, ${day}::date, ${amount}, 'EUR', ${direction}, ${direction === 'out'}, false, '', ${result},
      ${campaignId}, ${donationId}, 'reference', 'IN_PROCESS'
    )`)
}

const pledged: [string, string] = ['IN_PROCESS', '2026-01-02T10:00:00Z']

test('the migration creates payments from booked entries, notes and history, and marks dates that it had to assume', async () => {
  await store.script('drop schema fundraising cascade')
  await runMigrations(0, migrationsBefore)
  await store.script(`
    insert into fundraising.campaigns (
      name, description, donation_minimum_cents, target_amount_cents, currency, status, account_iban, account_iban_valid,
      account_name, account_bank, created_at, updated_at
    ) values ('Roof', '', 0, 100, 'EUR', 'open', 'DE89370400440532013000', true, 'School', '', now(), now());
    insert into fundraising.bank_statements (digest, format, imported_at, imported_by)
    values (decode(repeat('00', 32), 'hex'), 'csv', now(), 'Treasurer')`)

  const toReceived = (at: string): [string, string] => ['TRANSFERRED', at]
  const awaited = await insertOldDonation({ status: 'IN_PROCESS', history: [pledged] })
  const short = await insertOldDonation({
    status: 'TRANSFERRED',
    history: [pledged, toReceived('2026-03-05T10:00:00Z')]
  })
  await insertEntry(short, { amount: 100, day: '2026-03-02' })
  const twice = await insertOldDonation({
    status: 'TRANSFERRED',
    history: [pledged, toReceived('2026-03-05T10:00:00Z')]
  })
  await insertEntry(twice, { amount: 10_000, day: '2026-03-02' })
  await insertEntry(twice, { amount: 2500, day: '2026-03-04' })
  const cash = await insertOldDonation({
    status: 'TRANSFERRED',
    history: [toReceived('2026-01-10T10:00:00Z')],
    note: 'Bar, eingegangen am 30. Dezember 2025.\nBasar'
  })
  const noted = await insertOldDonation({
    status: 'TRANSFERRED',
    history: [pledged, toReceived('2026-01-10T10:00:00Z')],
    note: 'Transfer, received on 28 February 2026.'
  })
  const assumed = await insertOldDonation({
    status: 'TRANSFERRED',
    history: [pledged, toReceived('2026-04-10T10:00:00Z')]
  })
  const refunded = await insertOldDonation({
    status: 'REFUNDED',
    history: [pledged, toReceived('2026-04-10T10:00:00Z'), ['REFUNDED', '2026-05-10T10:00:00Z']]
  })
  const returned = await insertOldDonation({
    status: 'FAILED',
    history: [pledged, toReceived('2026-04-10T10:00:00Z'), ['FAILED', '2026-05-12T10:00:00Z']]
  })
  await insertEntry(returned, { amount: 10_000, day: '2026-04-08' })
  await insertEntry(returned, { amount: 10_000, day: '2026-05-11', result: 'returned', direction: 'out' })
  const never = await insertOldDonation({ status: 'FAILED', history: [pledged, ['FAILED', '2026-05-12T10:00:00Z']] })

  await runMigrations(migrationsBefore, files.length)

  const rows = await store.all<{ id: string; cents: number; day: string; source: string; assumed: boolean }>(sql`
    select donation_id as id, amount_cents as cents, received_on::text as day, source, is_assumed as assumed
    from fundraising.payments
    order by donation_id, received_on, amount_cents`)
  const findPayments = (id: string) =>
    rows
      .filter(row => row.id === id)
      .map(({ cents, day, source, assumed: isAssumed }) => [cents, day, source, isAssumed])
  assert.deepEqual(
    {
      awaited: findPayments(awaited),
      short: findPayments(short),
      twice: findPayments(twice),
      cash: findPayments(cash),
      noted: findPayments(noted),
      assumed: findPayments(assumed),
      refunded: findPayments(refunded),
      returned: findPayments(returned),
      never: findPayments(never)
    },
    {
      awaited: [],
      short: [[100, '2026-03-02', 'bank_entry', false]],
      twice: [
        [10_000, '2026-03-02', 'bank_entry', false],
        [2500, '2026-03-04', 'bank_entry', false]
      ],
      cash: [[10_000, '2025-12-30', 'cash', false]],
      noted: [[10_000, '2026-02-28', 'manual', false]],
      assumed: [[10_000, '2026-04-10', 'manual', true]],
      refunded: [
        [10_000, '2026-04-10', 'manual', true],
        [-10_000, '2026-05-10', 'correction', true]
      ],
      returned: [
        [10_000, '2026-04-08', 'bank_entry', false],
        [-10_000, '2026-05-11', 'bank_entry', false]
      ],
      never: []
    }
  )
  const { received } = await store.one<{ received: number }>(sql`
    select sum(transferred_cents)::bigint as received from fundraising.deltas`)
  assert.equal(received, 100 + 12_500 + 10_000 * 3)

  const faults: Record<string, string[]> = {}
  for (const check of fundraisingChecks) {
    const lines = await check.run(store)
    if (lines.length > 0) faults[check.name] = lines
  }
  assert.deepEqual(Object.keys(faults), ['amounts and dates of payments are known'])
  assert.equal(faults['amounts and dates of payments are known']?.length, 3)
})
