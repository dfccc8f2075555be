import { setTimeout as sleep } from 'node:timers/promises'
import type { Store } from '#platform/database/database.ts'
import { sql } from '#platform/database/sql.ts'
import { donation, pgbenchOfDonation } from './donation.ts'
import { get, type Kalends, type Lab, post } from './lab.ts'
import { busy } from './options.ts'
import { compared, measure } from './rounds.ts'
import type { Row } from './table.ts'

const campaigns = 100
/** One more, which nobody donates to, so that its tag stays. */
const quiet = `/campaigns/${campaigns + 1}`
const donationsEach = 1000

/** Reading campaigns, and donating. */
export async function benchCampaigns(lab: Lab): Promise<Row[]> {
  const databaseUrl = await lab.database('campaigns', fillCampaigns)
  const [kalends, remembering] = [await lab.start(databaseUrl), await lab.start(databaseUrl, { RESPONSE_CACHE: '32' })]
  const rows = [...(await reading(lab, kalends, remembering)), ...(await donating(lab, kalends, databaseUrl))]
  await Promise.all([kalends.stop(), remembering.stop()])
  return rows
}

async function reading(lab: Lab, kalends: Kalends, remembering: Kalends): Promise<Row[]> {
  const one = { target: kalends, requests: [get(quiet)], status: 200 }
  const known = { target: remembering, requests: [get(quiet)], status: 200 }
  const unchanged = await lab.unchanged(known)
  const inTurn = Array.from({ length: campaigns }, (_, index) => get(`/campaigns/${index + 1}`))
  const results = await measure(
    lab,
    {
      'node:http': await lab.limit(one, 'serialised'),
      'GET one campaign, from the database': one,
      'node:http, ready': await lab.limit(known, 'ready'),
      'GET one campaign, from the response cache': known,
      'node:http, 304': await lab.limit(unchanged, 'ready'),
      'GET one campaign, 304': unchanged
    },
    // Nobody shares an answer here: what each costs alone.
    { alsoFirst: { 'GET 100 campaigns in turn': { ...one, requests: inTurn } } }
  )
  return [
    { what: 'GET one campaign, from the database', limit: 'node:http', floor: 0.3, goal: 0.45 },
    { what: 'GET 100 campaigns in turn', limit: 'node:http', at: [busy] },
    { what: 'GET one campaign, from the response cache', limit: 'node:http, ready', floor: 0.7, goal: 0.95 },
    { what: 'GET one campaign, 304', limit: 'node:http, 304', floor: 0.8, goal: 1 }
  ].flatMap(row => compared(results, row))
}

async function donating(lab: Lab, kalends: Kalends, databaseUrl: string): Promise<Row[]> {
  const body = JSON.stringify({ ...donation, amount: 25 })
  const donateTo = (campaign: number) => post(`/campaigns/${campaign}/donations`, body)
  const everyCampaign = Array.from({ length: campaigns }, (_, index) => donateTo(index + 1))
  const store = lab.store(databaseUrl)
  const results = await measure(
    lab,
    {
      'POST donation, one campaign': { target: kalends, requests: [donateTo(7)], status: 201 },
      'POST donation, 100 campaigns': { target: kalends, requests: everyCampaign, status: 201 },
      pgbench: await pgbenchOfDonation(lab, databaseUrl, campaigns)
    },
    { before: async () => await untilFolded(store, kalends) }
  )
  await store.close()
  return [
    ...compared(results, { what: 'POST donation, 100 campaigns', limit: 'pgbench', floor: 0.3, goal: 0.5 }),
    ...compared(results, {
      what: 'POST donation, one campaign',
      limit: 'POST donation, 100 campaigns',
      floor: 0.9,
      goal: 1
    })
  ]
}

/** What pgbench wrote is not for the next round to add up. */
async function untilFolded(store: Store, kalends: Kalends): Promise<void> {
  await fetch(`${kalends.url}/campaigns/1/donations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...donation, amount: 25 })
  })
  for (let left = 1; left > 0; ) {
    await sleep(50)
    left = (await store.one<{ left: number }>(sql`select count(*) as left from fundraising.deltas`)).left
  }
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
    select c, gen_random_uuid(), 2500, 'Ada Lovelace', true, false, 'IN_PROCESS', c || '-' || n, now(), now()
    from generate_series(1, ${campaigns}) as c, generate_series(1, ${donationsEach}) as n;
    insert into fundraising.totals
    select campaign_id, sum(amount_cents), 0, count(*) from fundraising.donations group by campaign_id`)
  await store.script('vacuum analyze')
}
