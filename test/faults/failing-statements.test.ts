// test: own process, long, both stores, full
// Each statement of a write fails once, in two ways: of the most important writes, and in a full run of every write.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { InjectOptions } from 'fastify'
import { fundraisingChecks } from '#fundraising/doctor.ts'
import { connectStore } from '#platform/database/postgres.ts'
import { fingerprintTables, listParameters, type Operation, startRouteCrawler } from '../support/crawl/route-crawler.ts'
import { silent } from '../support/database.ts'
import { type BreakPoint, recordStatements } from '../support/fault-injection.ts'
import { isFullRun } from '../support/full-run.ts'

/** Where most is at stake; the others take minutes. */
const important = [
  'POST /campaigns',
  'POST /campaigns/{campaignId}/donations',
  'PATCH /campaigns/{campaignId}/donations/{donationId}',
  'POST /bank-statements',
  'POST /collections'
]

/** Too much for one transaction: each step is one, and another try goes on where the first stopped. */
const inSteps = ['POST /bank-statements']

/** An authorization code works once: after a failure the sign-in starts over. */
const unrepeatable = ['POST /sessions/openid']

const crawler = await startRouteCrawler()
/** Looks on from elsewhere: what breaks does not break for it. */
const onlooker = connectStore({ connectionString: crawler.databaseUrl }, { noTimeouts: true, log: silent })
after(onlooker.close)
const isWrite = ({ method, name }: Operation) => method !== 'GET' && !unrepeatable.includes(name)
const chosen = crawler.operations.filter(
  operation => isWrite(operation) && (isFullRun || important.includes(operation.name))
)
let broken = 0

for (const operation of chosen) {
  test(`whichever statement of ${operation.name} fails: all of it is done or nothing, and another try does it`, async () => {
    // The second one: the first may make what all others find.
    await attempt(await aRequest(operation))
    const clean = await attempt(await aRequest(operation))
    assert.ok(clean.status < 300, `${clean.status} ${clean.text}`)
    for (const [index, statement] of clean.statements.entries()) {
      for (const how of waysFor(clean.statements, index)) {
        broken += 1
        await breaksWell(operation, { number: index + 1, statement, how, clean })
      }
    }
  })
}

test('after all that failed, totals are the sums of the donations and nothing is half there', async t => {
  t.diagnostic(`${chosen.length} writes, ${broken} statements broken`)
  for (const { name, run, isWarning } of fundraisingChecks) {
    if (isWarning !== true) assert.deepEqual(await run(crawler.store), [], name)
  }
})

/** Losing the connection after a statement matters only where the statement stays in effect: at the commit, and outside of transactions. */
function waysFor(statements: string[], index: number): BreakPoint[] {
  const before = statements.slice(0, index)
  const isInside = before.filter(one => /^begin/i.test(one)).length > before.filter(isCommit).length
  const staysDone = isCommit(statements[index] ?? '') || (!isInside && !/^begin/i.test(statements[index] ?? ''))
  return staysDone ? ['before', 'after'] : ['before']
}

const isCommit = (statement: string) => /^commit/i.test(statement)

interface Attempt {
  status: number
  text: string
  statements: string[]
  changes: Changes
  before: Fingerprint
  after: Fingerprint
}

type Fingerprint = Awaited<ReturnType<typeof fingerprintTables>>
/** Tables that are not as before, and how many rows they have more or less. */
type Changes = Record<string, number>

async function breaksWell(
  operation: Operation,
  { number, statement, how, clean }: { number: number; statement: string; how: BreakPoint; clean: Attempt }
): Promise<void> {
  const where = `${operation.name}, broken ${how} statement ${number} of ${clean.statements.length}: ${shortened(statement)}`
  const request = await aRequest(operation)
  const first = await attempt(request, { number, how })
  const isDone = Object.keys(first.changes).length > 0
  if (inSteps.includes(operation.name) && isDone) {
    const second = await attempt(request, { before: first.after })
    assert.ok(second.status < 300, `the second try: ${second.status} ${second.text}; ${where}`)
    return assert.deepEqual(changesBetween(first.before, second.after), clean.changes, where)
  }
  if (isDone) assert.deepEqual(first.changes, clean.changes, `half of it is there: ${where}`)
  if (first.status < 300) return assert.deepEqual(first.changes, clean.changes, where)
  assert.equal(first.status, 503, `${first.text}; ${where}`)
  // Behind the commit there is only the answer to lose.
  const isCommitted = clean.statements.slice(0, number - 1).some(isCommit)
  assert.ok(!isDone || how === 'after' || isCommitted, `it was done although it could not be: ${where}`)

  const second = await attempt(request, { before: first.after })
  assert.ok(
    second.status < (isDone && !takesKey(operation) ? 500 : 300),
    `again: ${second.status} ${second.text}; ${where}`
  )
  if (!isDone) assert.deepEqual(second.changes, clean.changes, `again: ${where}`)
  else if (takesKey(operation)) {
    assert.deepEqual(second.changes, {}, `done twice: ${where}`)
    assert.equal((await attempt(request)).text, second.text, where)
  }
}

const takesKey = (operation: Operation) =>
  listParameters(operation, 'header').some(({ name }) => name.toLowerCase() === 'idempotency-key')

let keys = 0
async function aRequest(operation: Operation): Promise<InjectOptions> {
  const request = await crawler.validRequestOfAdmin(operation)
  if (!takesKey(operation)) return request
  keys += 1
  return { ...request, headers: { ...request.headers, 'idempotency-key': `failing-${keys}` } }
}

async function attempt(
  request: InjectOptions,
  { number, how, before }: { number?: number; how?: BreakPoint; before?: Fingerprint } = {}
): Promise<Attempt> {
  const earlier = before ?? (await fingerprintTables({ store: onlooker }))
  const { result, statements } = await recordStatements(async () => await crawler.admin.send(request), number, how)
  // A connection that broke is known to be broken a moment later.
  await sleep(5)
  const after = await fingerprintTables({ store: onlooker })
  const { status, text } = result
  return { status, text, statements, before: earlier, after, changes: changesBetween(earlier, after) }
}

function changesBetween(before: Fingerprint, after: Fingerprint): Changes {
  const changes: Changes = {}
  for (const [index, { name, rows, digest }] of after.entries()) {
    if (before[index]?.digest !== digest) changes[name] = rows - (before[index]?.rows ?? 0)
  }
  return changes
}

function shortened(statement: string): string {
  return statement.replace(/\s+/g, ' ').trim().slice(0, 100)
}
