// Generated requests to every operation of the OpenAPI documents: no 5xx, and every response matches its schema.
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import type { InjectOptions } from 'fastify'
import { roles } from '#platform/caller.ts'
import { sql } from '#platform/database/sql.ts'
import {
  buildMultipartForm,
  findUndocumented,
  fingerprintTables,
  isCalendarOperation,
  isUserOperation,
  type Operation,
  startRouteCrawler
} from '../support/crawl/route-crawler.ts'
import { waitUntil } from '../support/kalends-process.ts'
import { type Effort, type Finding, toFinding } from '../support/security/checks.ts'
import { type BodyMutation, buildMutations, type Mutation } from '../support/security/fuzz-values.ts'
import type { Client, TestResponse } from '../support/services.ts'

/** A slower response is a fault: in processor time, and in elapsed time on a machine that may be busy. */
const slowestMs = { working: 2000, waiting: 5000 }
/** These write hundreds of items and images, once per site. */
const slowOperations = ['POST /sample-content', 'DELETE /samples']
/** One in this many refused requests is repeated, with all tables compared before and after. */
const comparedEvery = 40

export async function fuzz({ seed, cases, only }: Effort): Promise<Finding[]> {
  const crawler = await startRouteCrawler()
  const { admin, store, visitor, withRole } = crawler
  const callers: Record<string, Client> = { visitor, admin }
  for (const role of roles) callers[role] = role === 'admin' ? admin : await withRole(role)
  const operations = crawler.operations.filter(({ name }) => name.includes(only))

  const faults: string[] = []
  let sent = 0
  let refused = 0
  let comparedCount = 0
  let slowest = { ms: 0, name: '' }

  const readLastActivityId = async () =>
    (
      await store.one<{ id: number | null }>(sql`
    select max(id) as id from platform.activity where action <> 'session.refused'`)
    ).id

  const countBackups = async () =>
    (
      await store.one<{ n: number }>(sql`
    select count(*) as n from platform.activity where action in ('backup.taken', 'backup.failed')`)
    ).n

  for (const operation of operations) {
    let base: InjectOptions | undefined
    const attempt = async (mutation: Mutation): Promise<string[]> => {
      base ??= await crawler.validRequest(operation)
      const client = isUserOperation(operation)
        ? (await crawler.aPerson(toUserRole(mutation.caller))).client
        : callers[mutation.caller]
      const request = applyMutation(operation, base, mutation)
      const before = await readLastActivityId()
      const backups = await countBackups()
      const start = performance.now()
      const cpu = process.cpuUsage()
      const answer = await (client ?? visitor).send(request)
      const waitedMs = performance.now() - start
      const workedMs = process.cpuUsage(cpu).user / 1000
      sent += 1
      // It is recorded after the response, perhaps while the next request is refused.
      if (operation.name === 'POST /backups' && answer.status === 202)
        await waitUntil(async () => (await countBackups()) > backups)
      const found = findFaults(operation, answer, hasOtherFormat(request))
      if (!slowOperations.includes(operation.name)) {
        if (workedMs > slowest.ms) slowest = { ms: workedMs, name: operation.name }
        const isSlow = workedMs > slowestMs.working || waitedMs > slowestMs.waiting
        if (isSlow) found.push(`took ${Math.round(waitedMs)} ms, ${Math.round(workedMs)} of them at work`)
      }
      // The item has been used and cannot be used twice.
      if (answer.status < 400 && operation.method !== 'GET') base = undefined
      if (answer.status < 400) return found
      refused += 1
      if ((await readLastActivityId()) !== before) found.push('was refused, but recorded an activity')
      if (refused % comparedEvery === 0) {
        comparedCount += 1
        const tables = await fingerprintTables(crawler)
        const again = await (client ?? visitor).send(request)
        if (again.status >= 400 && !isDeepStrictEqual(await fingerprintTables(crawler), tables))
          found.push('changes a table')
      }
      return found
    }
    const property = fc.asyncProperty(buildMutations(operation, Object.keys(callers)), async mutation => {
      const found = await attempt(mutation)
      if (found.length > 0) throw new Error(found.join('; '))
    })
    const { failed, counterexample, counterexamplePath, errorInstance } = await fc.check(property, {
      // With one seed for all, every operation would get the same cases.
      seed: seed + crawler.operations.indexOf(operation),
      numRuns: cases,
      // Each attempt to shrink the counterexample is a request: this is enough to see its cause.
      interruptAfterTimeLimit: 120_000
    })
    if (failed && counterexample !== null) {
      const shown = JSON.stringify(counterexample).slice(0, 600)
      faults.push(
        `${operation.name}: ${String(errorInstance).slice(0, 500)} (seed ${seed}, path ${counterexamplePath}) ${shown}`
      )
    }
  }
  return [
    toFinding(
      'fuzz',
      `${sent} requests to ${operations.length} operations as ${Object.keys(callers).length} callers, seed ${seed}; ` +
        `${refused} refused, ${comparedCount} of them with all tables compared; slowest ${Math.round(slowest.ms)} ms (${slowest.name})`,
      `no 5xx, none over ${slowestMs.working} ms of work, every response as documented, refused requests change nothing`,
      faults
    )
  ]
}

/** Users have no other roles. */
function toUserRole(caller: string): string {
  return ['viewer', 'editor', 'treasurer'].includes(caller) ? caller : 'admin'
}

/** Internal details of the program, the database or the machine, which no response may contain. */
const internalWords =
  /SQLSTATE|\b(?:Type|Range|Reference|Syntax)Error\b|node_modules|node:internal|\.tsx?:\d|syntax error at or near|invalid input syntax|violates \w+ constraint|pg_catalog/

/**
 * Clients of WordPress may request some of the fields, or an envelope: the response is not documented then.
 * An unparsable URL belongs to no service, whatever its prefix.
 */
function hasOtherFormat({ url, payload }: InjectOptions): boolean {
  const [path = ''] = String(url).split('?')
  return /_fields|_envelope/.test(`${url} ${payload ?? ''}`) || !isDecodable(path)
}

function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== ''
  } catch {
    return false
  }
}

function findFaults(operation: Operation, answer: TestResponse, isOtherFormat: boolean): string[] {
  const { status, headers, body, text } = answer
  if (status >= 500) return [`${status} ${text.slice(0, 300)}`]
  if (status === 304) return text === '' ? [] : ['a 304 has a body']
  const found = isOtherFormat ? [] : findUndocumented(operation, answer)
  if (internalWords.test(text)) found.push(`contains ${internalWords.exec(text)?.[0]}`)
  if (!text.isWellFormed()) found.push('is not well-formed')
  if (/[\r\n\0]/.test(Object.values(headers).join())) found.push('has a line break in a header')
  if (status >= 400 && !isOtherFormat) {
    if ((isCalendarOperation(operation) ? body.data?.status : body.status) !== status)
      found.push('has another status in the body')
    if (text.length > 20_000) found.push(`a refusal of ${text.length} characters`)
  }
  return found.map(fault => `${status}: ${fault}`)
}

function applyMutation(
  operation: Operation,
  base: InjectOptions,
  { path, query, headers, body }: Mutation
): InjectOptions {
  const [basePath = '', baseQuery = ''] = String(base.url).split('?')
  const baseSegments = basePath.split('/')
  const url = operation.path
    .split('/')
    .map((segment, at) => {
      const name = /\{(\w+)\}/.exec(segment)?.[1] ?? ''
      return path[name] === undefined ? baseSegments[at] : segment.replace(`{${name}}`, () => path[name] ?? '')
    })
    .join('/')
  const pairs = [query, baseQuery].filter(part => part !== '').join('&')
  const sent = withBody(base, body)
  return {
    ...sent,
    url: pairs === '' ? url : `${url}?${pairs}`,
    headers: { ...sent.headers, ...headers }
  }
}

function withBody(base: InjectOptions, body: BodyMutation): InjectOptions {
  if (body.kind === 'as it is') return base
  if (body.kind === 'bytes')
    return { ...base, headers: { ...base.headers, 'content-type': body.type }, payload: body.bytes }
  const fields = new Map<string, string>()
  if (typeof base.payload === 'string' && base.payload.startsWith('{')) {
    for (const [name, value] of Object.entries(JSON.parse(base.payload))) fields.set(name, JSON.stringify(value))
  }
  for (const [name, json] of Object.entries(body.fields)) {
    if (json === undefined) fields.delete(name)
    else fields.set(name, json)
  }
  if (body.form === 'json') {
    const payload = `{${[...fields].map(([name, json]) => `${JSON.stringify(name)}:${json}`).join()}}`
    return { ...base, headers: { ...base.headers, 'content-type': 'application/json' }, payload }
  }
  const words = [...fields].map(([name, json]): [string, string] => [name, toFormValue(json)])
  if (body.form === 'multipart') return { ...base, ...buildMultipartForm(Object.fromEntries(words)) }
  const type = 'application/x-www-form-urlencoded'
  return { ...base, headers: { ...base.headers, 'content-type': type }, payload: new URLSearchParams(words).toString() }
}

/** The value as a form sends it. */
function toFormValue(json: string): string {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'string' ? value : json
  } catch {
    return json
  }
}
