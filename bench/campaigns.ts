import type { Store } from '#platform/database/database.ts'
import { type Environment, get } from './environment.ts'
import { compare, measure } from './measure.ts'
import type { Row } from './table.ts'

const campaigns = 100
/** One more, which gets no donations, so that its ETag does not change. */
const quiet = `/campaigns/${campaigns + 1}`
const donationsEach = 1000

export async function benchCampaigns(environment: Environment): Promise<Row[]> {
  const databaseUrl = await environment.database('campaigns', fillCampaigns)
  const uncached = await environment.start(databaseUrl)
  const caching = await environment.start(databaseUrl, { RESPONSE_CACHE: '32' })
  const one = { target: uncached, requests: [get(quiet)], status: 200 }
  const cached = { ...one, target: caching }
  const conditional = await environment.toConditional(cached)
  const different = Array.from({ length: campaigns }, (_, index) => get(`/campaigns/${index + 1}`))
  const results = await measure(environment, {
    'node:http': await environment.createRawLimit(one, 'serialised'),
    'GET 100 different campaigns': { ...one, requests: different },
    'node:http, ready bytes': await environment.createRawLimit(cached, 'ready'),
    'GET one campaign, cached': cached,
    'node:http, 304': await environment.createRawLimit(conditional, 'ready'),
    'GET one campaign, 304': conditional
  })
  await Promise.all([uncached.stop(), caching.stop()])
  const cachedBounds = { section: 'cached', floor: 0.45, goal: 0.7 } as const
  return [
    compare(results, {
      section: 'different requests in turn',
      name: 'GET 100 different campaigns',
      limit: 'node:http',
      floor: 0.22,
      goal: 0.4
    }),
    compare(results, { ...cachedBounds, name: 'GET one campaign, cached', limit: 'node:http, ready bytes' }),
    compare(results, { ...cachedBounds, name: 'GET one campaign, 304', limit: 'node:http, 304' })
  ]
}

export async function fillCampaigns(store: Store): Promise<void> {
  await store.script(`
    insert into fundraising.campaigns (
      name, description, donation_minimum_cents, target_amount_cents, currency, status,
      account_iban, account_iban_valid, account_name, account_bank, created_at, updated_at
    )
    select 'Campaign ' || n, repeat('Every euro helps. ', 20), 500, 1000000, 'EUR', 'open',
      'DE89370400440532013000', true, 'Music School', 'Example Bank', now(), now()
    from generate_series(1, ${campaigns} + 1) as n;
    insert into fundraising.donations (
      campaign_id, id, amount_cents, donor_name, receipt_requested, show_name, status, reference, created_at, updated_at
    )
    select c, gen_random_uuid(), 2500, 'Ada Lovelace', true, false, 'IN_PROCESS', c || '-' || n, now() - interval '1 day', now()
    from generate_series(1, ${campaigns}) as c, generate_series(1, ${donationsEach}) as n;
    -- As the job that links donations with donors would: it must not run while requests are measured.
    insert into fundraising.donors (id, main_id, created_at)
    select id, id, now() from fundraising.donations;
    insert into fundraising.donor_donations (campaign_id, donation_id, donor_id)
    select campaign_id, id, id from fundraising.donations;
    update fundraising.donor_linking set read_to = now(), started_at = now();
    insert into fundraising.totals
    select campaign_id, sum(amount_cents), 0, count(*) from fundraising.donations group by campaign_id`)
  await store.script('vacuum analyze')
}
