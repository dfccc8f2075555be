// How near the campaign service is to the limit of the machine: each row against raw node:http that serialises the same answer,
// or against pgbench running the same statements, side by side in one run.
//   npm run bench                 about two minutes
//   npm run bench -- --quick      about half a minute, less steady
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Store } from '#platform/database.ts'
import { sql } from '#platform/sql.ts'
import { debianServer } from '#test/server.ts'
import { connections, get, measure, openLab, post, print, sliceMs } from './lab.ts'

const campaigns = 100
/** One more, which nobody donates to, so that its tag stays. */
const quiet = `/campaigns/${campaigns + 1}`
const donationsEach = 1000

const donation = JSON.stringify({
  amount: 25,
  donorName: 'Ada Lovelace',
  receiptRequested: true,
  status: 'IN_PROCESS',
  account: { iban: 'DE02120300000000202051', name: 'Ada Lovelace', nameOfBank: 'Example Bank' }
})

const lab = await openLab(fill)
try {
  const posted = await donateOnce(7)
  const tag = (await fetch(lab.url + quiet)).headers.get('etag')
  const rawOne = await lab.startRaw({ GET: await lab.answerOf(quiet), POST: { status: 201, body: posted } })
  const rawList = await lab.startRaw({ GET: await lab.answerOf('/campaigns?limit=10') })
  const donateTo = (campaign: number) => post(`/campaigns/${campaign}/donations`, donation)
  const everyOne = Array.from({ length: campaigns }, (_, index) => get(`/campaigns/${index + 1}`))
  const everyCampaign = Array.from({ length: campaigns }, (_, index) => donateTo(index + 1))

  const results = await measure(
    {
      'raw: one campaign': () => lab.load({ port: rawOne, requests: [get('/')], status: 200 }),
      'GET one campaign': () => lab.loadKalends([get(quiet)]),
      'GET 100 campaigns in turn': () => lab.loadKalends(everyOne),
      'GET one campaign, 304': () => lab.loadKalends([get(quiet, `If-None-Match: ${tag}\r\n`)], 304),
      'raw: list of 10': () => lab.load({ port: rawList, requests: [get('/')], status: 200 }),
      'GET list of 10': () => lab.loadKalends([get('/campaigns?limit=10')]),
      'pgbench: a donation': async () => pgbench(),
      'raw: POST': () => lab.load({ port: rawOne, requests: [post('/', donation)], status: 201 }),
      'POST donation, 100 campaigns': () => lab.loadKalends(everyCampaign, 201),
      'POST donation, one campaign': () => lab.loadKalends([donateTo(7)], 201)
    },
    untilFolded
  )
  print('Campaigns', results, [
    { what: 'GET one campaign', limit: 'raw: one campaign', floor: 0.3, goal: 0.45 },
    // Nobody shares an answer here: what each costs alone.
    { what: 'GET 100 campaigns in turn', limit: 'raw: one campaign', floor: 0, goal: 0.45 },
    { what: 'GET one campaign, 304', limit: 'raw: one campaign', floor: 0, goal: 0.8 },
    { what: 'GET list of 10', limit: 'raw: list of 10', floor: 0.35, goal: 0.5 },
    { what: 'POST donation, 100 campaigns', limit: 'pgbench: a donation', floor: 0.3, goal: 0.5 },
    { what: 'POST donation, 100 campaigns', limit: 'raw: POST', floor: 0, goal: 0.3 },
    { what: 'POST donation, one campaign', limit: 'POST donation, 100 campaigns', floor: 0.9, goal: 1 }
  ])
} finally {
  await lab.close()
}

async function donateOnce(campaign: number): Promise<unknown> {
  const answer = await fetch(`${lab.url}/campaigns/${campaign}/donations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: donation
  })
  return await answer.json()
}

/** Reads are measured beside no writes: what the last round wrote is folded first. */
async function untilFolded(): Promise<void> {
  const store = lab.store()
  await donateOnce(1)
  for (let left = 1; left > 0; ) {
    await sleep(100)
    left = (await store.one<{ left: number }>(sql`select count(*) as left from fundraising.deltas`)).left
  }
  await store.close()
}

async function fill(store: Store): Promise<void> {
  await store.script(`
    insert into fundraising.campaigns (
      name, description, donation_minimum_cents, target_amount_cents, currency, status,
      account_iban, account_iban_valid, account_name, account_bank, created_at, updated_at
    )
    select 'Campaign ' || n, repeat('Every euro helps. ', 20), 500, 1000000, 'EUR', 'open',
      'DE89370400440532013000', true, 'Music School', 'Example Bank', now(), now()
    from generate_series(1, ${campaigns} + 1) as n;
    insert into fundraising.donations (
      campaign_id, id, amount_cents, donor_name, receipt_requested, show_name, status, reference,
      account_iban, account_iban_valid, account_name, account_bank, created_at, updated_at
    )
    select c, gen_random_uuid(), 2500, 'Ada Lovelace', true, false, 'IN_PROCESS', c || '-' || n,
      'DE02120300000000202051', true, 'Ada Lovelace', 'Example Bank', now(), now()
    from generate_series(1, ${campaigns}) as c, generate_series(1, ${donationsEach}) as n;
    insert into fundraising.totals select campaign_id, sum(amount_cents), 0, count(*) from fundraising.donations group by campaign_id;
    analyze`)
}

/** The statements of a donation as the service sends them, from as many clients. */
function pgbench(): number {
  const script = join(lab.folder, 'donation.sql')
  const uuid = "lpad(to_hex(:n::bigint), 32, '0')::uuid"
  writeFileSync(
    script,
    `\\set campaign random(1, ${campaigns})
\\set n random(1, 9000000000000000)
begin;
select status, currency, donation_minimum_cents, starts_at, ends_at from fundraising.campaigns where id = :campaign and deleted_at is null;
with donation as (
  insert into fundraising.donations (campaign_id, id, amount_cents, donor_name, receipt_requested, show_name, message, email, status, reference, account_iban, account_iban_valid, account_name, account_bank, created_at, updated_at, language, address_street, address_postal_code, address_city, address_country, consent_text, consent_version, consent_at, donor_token)
  values (:campaign, ${uuid}, 2500, 'Ada Lovelace', true, false, null, null, 'IN_PROCESS', ${uuid}::text, 'DE02120300000000202051', true, 'Ada Lovelace', 'Example Bank', now(), now(), 'en', null, null, null, null, null, null, null, ${uuid}::text)
  on conflict on constraint donations_by_reference do nothing
  returning campaign_id, id, status, created_at
), history as (
  insert into fundraising.donation_history (campaign_id, donation_id, number, status, at, actor)
  select campaign_id, id, 1, status, created_at, 'visitor' from donation
), delta as (
  insert into fundraising.deltas (campaign_id, donated_cents, transferred_cents, donation_count)
  select campaign_id, 2500, 0, 1 from donation
)
select from donation;
insert into platform.activity (at, action, subject, subject_id, actor, request_id, details) values (now(), 'donation.created', 'donation', ${uuid}::text, 'visitor', ${uuid}::text, '{"campaignId":1,"amount":25,"status":"IN_PROCESS"}');
commit;
`
  )
  const words = [
    '-n',
    '-M',
    'prepared',
    '-c',
    String(connections),
    '-j',
    '1',
    '-T',
    String(sliceMs / 1000),
    '-f',
    script,
    lab.databaseUrl
  ]
  const { stdout, stderr, status } = spawnSync(join(debianServer() ?? '', 'pgbench'), words)
  if (status !== 0) throw new Error(`pgbench failed:\n${stderr}`)
  return Number(/tps = ([\d.]+)/.exec(stdout.toString())?.[1])
}
