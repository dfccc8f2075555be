import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { connectStore } from '#platform/database/postgres.ts'
import { Sql } from '#platform/database/sql.ts'
import { silent } from '#test/support/database.ts'
import { startCampaigns } from '#test/support/services.ts'
import { newReference } from '../../money/reference.ts'
import { buildListStatement, type Page } from './queries.ts'
import type { DonationFilter } from './schema.ts'

const { databaseUrl, settings } = await startCampaigns({ env: { TIMEZONE: 'Europe/Berlin' } })
/** Without timeouts, because inserting the rows takes long. */
const store = connectStore({ connectionString: databaseUrl }, { noTimeouts: true, log: silent })
after(async () => await store.close())

/** Inserts 40,000 donations to 40 campaigns; one in a thousand failed. */
before(async () => {
  await store.script(`
    insert into fundraising.campaigns (
      name, description, donation_minimum_cents, target_amount_cents, currency, status,
      account_iban, account_iban_valid, account_name, account_bank, created_at, updated_at
    )
      select 'Campaign ' || n, '', 500, 1000000, 'EUR', 'open',
        'DE89370400440532013000', true, 'Music School', 'Example Bank', now(), now()
      from generate_series(1, 40) as n;
    insert into fundraising.donations (
      campaign_id, id, amount_cents, donor_name, receipt_requested, show_name, status, reference, created_at, updated_at
    )
      select n % 40 + 1, gen_random_uuid(), n, 'Donor ' || n, n % 2 = 0, false,
        case when n % 1000 = 0 then 'FAILED' when n % 3 = 0 then 'IN_PROCESS' else 'TRANSFERRED' end, n::text,
        '2026-01-01'::timestamptz + n * interval '10 minutes', now()
      from generate_series(1, 40000) as n`)
  await store.script('vacuum analyze fundraising.donations')
  await store.script('vacuum analyze fundraising.campaigns')
})

const newest: Page = { sort: 'createdAt', order: 'desc', limit: 25, offset: 0 }
const indexedLists: [description: string, filter: DonationFilter, page: Page][] = [
  ['all', {}, newest],
  ['all, the oldest first', {}, { ...newest, order: 'asc' }],
  ['the tenth page', {}, { ...newest, offset: 225 }],
  ['one status', { status: 'IN_PROCESS' }, newest],
  ['a rare status', { status: 'FAILED' }, newest],
  ['several statuses', { status: 'FAILED,REFUNDED' }, newest],
  ['a day', { from: '2026-03-01', to: '2026-03-01' }, newest],
  ['one campaign', { campaignId: 7 }, newest],
  ['a reference', { search: newReference(7).replace(/^/, ' ') }, newest]
]

for (const [description, filter, page] of indexedLists) {
  test(`the list of ${description} does not read every donation`, async () => {
    const { text, values } = buildListStatement(filter, settings, page)
    const rows = await store.all<Record<string, string>>(new Sql(`explain (analyze, buffers) ${text}`, values))
    const plan = rows.map(row => row['QUERY PLAN']).join('\n')
    assert.doesNotMatch(plan, /Seq Scan on donations/, plan)
    // A page of the table has about 80 donations: reading all donations would be many hundreds of pages.
    const pages = Number(/Buffers: shared hit=(\d+)/.exec(plan)?.[1])
    assert.ok(pages < 2000 && pages > 0, plan)
  })
}
