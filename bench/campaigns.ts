// How near the campaign service is to the limit of the machine: each row against raw node:http that serialises the same answer,
// or against pgbench running the same statements, side by side in one run.
//   npm run bench                 about two minutes
//   npm run bench -- --quick      about half a minute, less steady
import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { connectTo } from '#platform/database-server.ts'
import { sql } from '#platform/sql.ts'
import { asOwner, inDatabase, makeTemplate, silent, template } from '#test/database.ts'
import { root } from '#test/process.ts'
import { debianServer, startServer } from '#test/server.ts'
import type { Load, Measured } from './load.ts'

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const rounds = values.quick ? 3 : 5
const sliceMs = values.quick ? 1000 : 3000
const connections = 32
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

const folder = mkdtempSync(join(tmpdir(), 'kalends-bench-'))
const postgres = await startServer('socket')
await makeTemplate(postgres.url)
const databaseUrl = inDatabase(postgres.url, 'bench')
await asOwner(postgres.url, `create database bench template ${template}`)
await fill()
const kalends = await startKalends()
const port = Number(new URL(kalends.url).port)
const generator = fork(new URL('./load.ts', import.meta.url))

const one = await answerOf(quiet)
const list = await answerOf('/campaigns?limit=10')
const posted = await fetch(`${kalends.url}/campaigns/7/donations`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: donation
})
const rawOne = await startRaw({ GET: one, POST: { status: 201, body: await posted.json() } })
const rawList = await startRaw({ GET: list })

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\n`
const post = (path: string) =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(donation)}\r\n\r\n${donation}`
const everyCampaign = Array.from({ length: campaigns }, (_, index) => `/campaigns/${index + 1}/donations`)

/** What is measured, in the order it is shown; each is measured once in every round. */
const measurements: Record<string, () => Promise<number>> = {
  'raw: one campaign': () => load({ port: rawOne.port, requests: [get('/')], status: 200 }),
  'GET one campaign': () => load({ port, requests: [get(quiet)], status: 200 }),
  'GET one campaign, 304': () => load({ port, requests: [get(quiet, `If-None-Match: ${tag}\r\n`)], status: 304 }),
  'raw: list of 10': () => load({ port: rawList.port, requests: [get('/')], status: 200 }),
  'GET list of 10': () => load({ port, requests: [get('/campaigns?limit=10')], status: 200 }),
  'pgbench: a donation': () => pgbench(),
  'raw: POST': () => load({ port: rawOne.port, requests: [post('/')], status: 201 }),
  'POST donation, 100 campaigns': () => load({ port, requests: everyCampaign.map(post), status: 201 }),
  'POST donation, one campaign': () => load({ port, requests: [post('/campaigns/7/donations')], status: 201 })
}

/** Rows of the table: what, against what, and what it has to reach. */
const rows: { what: string; limit: string; floor: number; goal: number }[] = [
  { what: 'GET one campaign', limit: 'raw: one campaign', floor: 0.3, goal: 0.45 },
  { what: 'GET one campaign, 304', limit: 'raw: one campaign', floor: 0, goal: 0.8 },
  { what: 'GET list of 10', limit: 'raw: list of 10', floor: 0.35, goal: 0.5 },
  { what: 'POST donation, 100 campaigns', limit: 'pgbench: a donation', floor: 0.3, goal: 0.5 },
  { what: 'POST donation, 100 campaigns', limit: 'raw: POST', floor: 0, goal: 0.3 },
  { what: 'POST donation, one campaign', limit: 'POST donation, 100 campaigns', floor: 0.9, goal: 1 }
]

const tag = (await fetch(kalends.url + quiet)).headers.get('etag')
const results: Record<string, number[]> = {}
try {
  // Everything once without counting: compilers and caches warm up.
  for (let round = 0; round <= rounds; round += 1) {
    await untilFolded()
    for (const [name, measure] of Object.entries(measurements)) {
      const perSecond = await measure()
      results[name] ??= []
      if (round > 0) results[name].push(perSecond)
      if (process.stderr.isTTY)
        process.stderr.write(`\r${round === 0 ? 'warming up' : `round ${round} of ${rounds}`}: ${name.padEnd(40)}`)
    }
  }
  print()
} finally {
  generator.disconnect()
  rawOne.child.disconnect()
  rawList.child.disconnect()
  kalends.child.kill('SIGTERM')
  await once(kalends.child, 'exit')
  await postgres.stop()
  rmSync(folder, { recursive: true })
}

function print(): void {
  const version = spawnSync(join(debianServer() ?? '', 'postgres'), ['--version'])
    .stdout?.toString()
    .trim()
  console.log(
    `\r${connections} connections, ${rounds} rounds of ${sliceMs} ms, medians. Node ${process.version}, ${version}.\n`
  )
  console.log('measured                           per second')
  for (const name of Object.keys(measurements))
    console.log(`${name.padEnd(32)} ${Math.round(median(name)).toString().padStart(12)}`)
  console.log('\nrow                              against                          ratio  floor   goal')
  for (const { what, limit, floor, goal } of rows) {
    const ratio = medianOf((results[what] ?? []).map((value, round) => value / (results[limit]?.[round] ?? Number.NaN)))
    const verdict = ratio >= goal ? 'goal reached' : ratio >= floor ? '' : 'BELOW FLOOR'
    if (ratio < floor) process.exitCode = 1
    console.log(
      `${what.padEnd(32)} ${limit.padEnd(30)} ${percent(ratio)} ${percent(floor)} ${percent(goal)}  ${verdict}`
    )
  }
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`.padStart(6)
}

function median(name: string): number {
  return medianOf(results[name] ?? [])
}

function medianOf(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
}

/** Reads are measured beside no writes: what the last round wrote is folded first. */
async function untilFolded(): Promise<void> {
  const store = connectTo({ connectionString: databaseUrl }, { patient: true, log: silent })
  await fetch(`${kalends.url}/campaigns/1/donations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: donation
  })
  for (let left = 1; left > 0; ) {
    await sleep(100)
    left = (await store.one<{ left: number }>(sql`select count(*) as left from fundraising.deltas`)).left
  }
  await store.close()
}

async function fill(): Promise<void> {
  const store = connectTo({ connectionString: databaseUrl }, { patient: true, log: silent })
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
  await store.close()
}

/** The program as an operator runs it, its log in a file. */
async function startKalends(): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, ['scripts/kalends.mjs', 'serve'], {
    cwd: root,
    env: { ...process.env, PORT: '0', DATABASE_URL: databaseUrl, ADMIN_KEY: 'the-key-of-the-benchmark' },
    stdio: ['ignore', 'pipe', openSync(join(folder, 'log'), 'w')]
  })
  let greeting = ''
  for await (const text of child.stdout ?? []) {
    greeting += text
    const url = /listening at (http:\/\/\S+)/.exec(greeting)?.[1]
    if (url !== undefined) return { child, url }
  }
  throw new Error(`Kalends did not start:\n${greeting}`)
}

async function answerOf(path: string): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(kalends.url + path)
  return { status: answer.status, body: await answer.json() }
}

async function startRaw(answers: object): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(new URL('./raw.ts', import.meta.url), [JSON.stringify(answers)])
  const [rawPort] = await once(child, 'message')
  return { child, port: rawPort as number }
}

async function load(request: Pick<Load, 'port' | 'requests' | 'status'>): Promise<number> {
  generator.send({ ...request, connections, ms: sliceMs })
  const [measured] = (await once(generator, 'message')) as [Measured]
  if (measured.wrong > 0) throw new Error(`${measured.wrong} answers were not ${request.status}.`)
  return measured.perSecond
}

/** The statements of a donation as the service sends them, from as many clients. */
async function pgbench(): Promise<number> {
  const script = join(folder, 'donation.sql')
  const uuid = "lpad(to_hex(:n::bigint), 32, '0')::uuid"
  writeFileSync(
    script,
    `\\set campaign random(1, ${campaigns})
\\set n random(1, 9000000000000000)
begin;
select status, currency, donation_minimum_cents, starts_at, ends_at from fundraising.campaigns where id = :campaign and deleted_at is null;
with donation as (
  insert into fundraising.donations (campaign_id, id, amount_cents, donor_name, receipt_requested, show_name, message, email, status, reference, account_iban, account_iban_valid, account_name, account_bank, created_at, updated_at)
  values (:campaign, ${uuid}, 2500, 'Ada Lovelace', true, false, null, null, 'IN_PROCESS', ${uuid}::text, 'DE02120300000000202051', true, 'Ada Lovelace', 'Example Bank', now(), now())
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
    databaseUrl
  ]
  const { stdout, stderr, status } = spawnSync(join(debianServer() ?? '', 'pgbench'), words)
  if (status !== 0) throw new Error(`pgbench failed:\n${stderr}`)
  return Number(/tps = ([\d.]+)/.exec(stdout.toString())?.[1])
}
