// test: own process, long, both stores, full
// Each statement of a write fails once, in two ways: for the most important writes, and in a full run for every write.
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

/** The most important writes; the others take minutes. */
const important = [
  'POST /campaigns',
  'POST /campaigns/{campaignId}/donations',
  'PATCH /campaigns/{campaignId}/donations/{donationId}',
  'POST /bank-statements',
  'POST /collections'
]

/** Too large for one transaction: each step is a transaction, and another attempt continues after the last one. */
const severalTransactions = ['POST /bank-statements']

/**
 * Left out: an authorization code works once, so that the sign-in starts over after a failure; a backup only reads, and
 * records in the activity log that it failed.
 */
const leftOut = ['POST /sessions/openid', 'POST /backups']

const crawler = await startRouteCrawler()
/** A separate connection, which the injected failures do not affect. */
const observer = connectStore({ connectionString: crawler.databaseUrl }, { noTimeouts: true, log: silent })
after(observer.close)
const isWrite = ({ method, name }: Operation) => method !== 'GET' && !leftOut.includes(name)
const chosen = crawler.operations.filter(
  operation => isWrite(operation) && (isFullRun || important.includes(operation.name))
)
let brokenCount = 0

for (const operation of chosen) {
  test(`if any statement of ${operation.name} fails, all changes are stored or none, and another attempt succeeds`, async () => {
    // The second request: the first may create rows that all later ones find.
    await attempt(await buildRequest(operation))
    const clean = await attempt(await buildRequest(operation))
    assert.ok(clean.status < 300, `${clean.status} ${clean.text}`)
    for (const [index, statement] of clean.statements.entries()) {
      for (const how of listBreakPoints(clean.statements, index)) {
        brokenCount += 1
        await assertAtomic(operation, { number: index + 1, statement, how, clean })
      }
    }
  })
}

test('after these failures doctor finds no inconsistency in donations and totals', async t => {
  t.diagnostic(`${chosen.length} writes, ${brokenCount} failed statements`)
  for (const { name, run, isWarning } of fundraisingChecks) {
    if (isWarning !== true) assert.deepEqual(await run(crawler.store), [], name)
  }
})

/** Losing the connection after a statement matters only where the statement stays in effect: at the commit, and outside of transactions. */
function listBreakPoints(statements: string[], index: number): BreakPoint[] {
  const before = statements.slice(0, index)
  const isInside = before.filter(one => /^begin/i.test(one)).length > before.filter(isCommit).length
  const isPermanent = isCommit(statements[index] ?? '') || (!isInside && !/^begin/i.test(statements[index] ?? ''))
  return isPermanent ? ['before', 'after'] : ['before']
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
/** Changed tables, with the difference of their number of rows. */
type Changes = Record<string, number>

async function assertAtomic(
  operation: Operation,
  { number, statement, how, clean }: { number: number; statement: string; how: BreakPoint; clean: Attempt }
): Promise<void> {
  const where = `${operation.name}, broken ${how} statement ${number} of ${clean.statements.length}: ${shorten(statement)}`
  const request = await buildRequest(operation)
  const first = await attempt(request, { number, how })
  const isDone = Object.keys(first.changes).length > 0
  if (severalTransactions.includes(operation.name) && isDone) {
    const second = await attempt(request, { before: first.after })
    assert.ok(second.status < 300, `the second try: ${second.status} ${second.text}; ${where}`)
    return assert.deepEqual(compareFingerprints(first.before, second.after), clean.changes, where)
  }
  if (isDone) assert.deepEqual(first.changes, clean.changes, `partly stored: ${where}`)
  if (first.status < 300) return assert.deepEqual(first.changes, clean.changes, where)
  assert.equal(first.status, 503, `${first.text}; ${where}`)
  // After the commit only the response can be lost.
  const isCommitted = clean.statements.slice(0, number - 1).some(isCommit)
  assert.ok(!isDone || how === 'after' || isCommitted, `stored although the statement before it failed: ${where}`)

  const second = await attempt(request, { before: first.after })
  assert.ok(
    second.status < (isDone && !acceptsIdempotencyKey(operation) ? 500 : 300),
    `again: ${second.status} ${second.text}; ${where}`
  )
  if (!isDone) assert.deepEqual(second.changes, clean.changes, `again: ${where}`)
  else if (acceptsIdempotencyKey(operation)) {
    assert.deepEqual(second.changes, {}, `stored twice: ${where}`)
    assert.equal((await attempt(request)).text, second.text, where)
  }
}

const acceptsIdempotencyKey = (operation: Operation) =>
  listParameters(operation, 'header').some(({ name }) => name.toLowerCase() === 'idempotency-key')

let keyCount = 0
async function buildRequest(operation: Operation): Promise<InjectOptions> {
  const request = await crawler.validRequestOfAdmin(operation)
  if (!acceptsIdempotencyKey(operation)) return request
  keyCount += 1
  return { ...request, headers: { ...request.headers, 'idempotency-key': `failing-${keyCount}` } }
}

async function attempt(
  request: InjectOptions,
  { number, how, before }: { number?: number; how?: BreakPoint; before?: Fingerprint } = {}
): Promise<Attempt> {
  const earlier = before ?? (await fingerprintTables({ store: observer }))
  const { result, statements } = await recordStatements(async () => await crawler.admin.send(request), number, how)
  // A broken connection is detected a moment later.
  await sleep(5)
  const after = await fingerprintTables({ store: observer })
  const { status, text } = result
  return { status, text, statements, before: earlier, after, changes: compareFingerprints(earlier, after) }
}

function compareFingerprints(before: Fingerprint, after: Fingerprint): Changes {
  const changes: Changes = {}
  for (const [index, { name, rows, digest }] of after.entries()) {
    if (before[index]?.digest !== digest) changes[name] = rows - (before[index]?.rows ?? 0)
  }
  return changes
}

function shorten(statement: string): string {
  return statement.replace(/\s+/g, ' ').trim().slice(0, 100)
}
