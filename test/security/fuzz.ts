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
import { type Effort, type Finding, toFinding } from '../support/security/checks.ts'
import { type BodyMutation, buildMutations, type Mutation } from '../support/security/fuzz-values.ts'
import type { Client, TestResponse } from '../support/services.ts'

/** Slower than this is an attack that works: by the processor's own clock, and by that of a machine that may have more to do. */
const slowestMs = { working: 2000, waiting: 5000 }
/** Draws pictures and writes hundreds of things, once in the life of a site. */
const takesItsTime = ['POST /sample-content', 'DELETE /samples']
/** One in this many refused requests is repeated, with all tables compared before and after. */
const lookedAtEvery = 40

export async function fuzz({ seed, cases, only }: Effort): Promise<Finding[]> {
  const crawler = await startRouteCrawler()
  const { admin, store, visitor, withRole } = crawler
  const callers: Record<string, Client> = { visitor, admin }
  for (const role of roles) callers[role] = role === 'admin' ? admin : await withRole(role)
  const operations = crawler.operations.filter(({ name }) => name.includes(only))

  const faults: string[] = []
  let sent = 0
  let refused = 0
  let lookedAt = 0
  let slowest = { ms: 0, name: '' }

  const written = async () =>
    (
      await store.one<{ id: number | null }>(sql`
    select max(id) as id from platform.activity where action <> 'session.refused'`)
    ).id

  for (const operation of operations) {
    let base: InjectOptions | undefined
    const attempt = async (disguise: Mutation): Promise<string[]> => {
      base ??= await crawler.validRequest(operation)
      const client = isUserOperation(operation)
        ? (await crawler.aPerson(personal(disguise.caller))).client
        : callers[disguise.caller]
      const request = disguised(operation, base, disguise)
      const before = await written()
      const start = performance.now()
      const cpu = process.cpuUsage()
      const answer = await (client ?? visitor).send(request)
      const waited = performance.now() - start
      const worked = process.cpuUsage(cpu).user / 1000
      sent += 1
      const found = faultsOf(operation, answer, changesForm(request))
      if (!takesItsTime.includes(operation.name)) {
        if (worked > slowest.ms) slowest = { ms: worked, name: operation.name }
        const isSlow = worked > slowestMs.working || waited > slowestMs.waiting
        if (isSlow) found.push(`took ${Math.round(waited)} ms, ${Math.round(worked)} of them at work`)
      }
      // The item has been used and cannot be used twice.
      if (answer.status < 400 && operation.method !== 'GET') base = undefined
      if (answer.status < 400) return found
      refused += 1
      if ((await written()) !== before) found.push('was refused, but something was written down')
      if (refused % lookedAtEvery === 0) {
        lookedAt += 1
        const tables = await fingerprintTables(crawler)
        const again = await (client ?? visitor).send(request)
        if (again.status >= 400 && !isDeepStrictEqual(await fingerprintTables(crawler), tables))
          found.push('changes a table')
      }
      return found
    }
    const property = fc.asyncProperty(buildMutations(operation, Object.keys(callers)), async disguise => {
      const found = await attempt(disguise)
      if (found.length > 0) throw new Error(found.join('; '))
    })
    const { failed, counterexample, counterexamplePath, errorInstance } = await fc.check(property, {
      seed,
      numRuns: cases,
      // Each try of a smaller one is a request: enough to see what it is about.
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
        `${refused} refused, ${lookedAt} of them with all tables compared; slowest ${Math.round(slowest.ms)} ms (${slowest.name})`,
      `no 5xx, none over ${slowestMs.working} ms of work, every answer as documented, refusals change nothing`,
      faults
    )
  ]
}

/** People have no other roles. */
function personal(caller: string): string {
  return ['viewer', 'editor', 'treasurer'].includes(caller) ? caller : 'admin'
}

/** Words of the program, the database or the machine that no answer may have. */
const internal =
  /SQLSTATE|\b(?:Type|Range|Reference|Syntax)Error\b|node_modules|node:internal|\.tsx?:\d|syntax error at or near|invalid input syntax|violates \w+ constraint|pg_catalog/

/**
 * Clients of WordPress may ask for some of the fields, or for everything in an envelope: no document says what comes then.
 * An unparsable URL belongs to no service, whatever its prefix.
 */
function changesForm({ url, payload }: InjectOptions): boolean {
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

function faultsOf(operation: Operation, answer: TestResponse, isOfOtherForm: boolean): string[] {
  const { status, headers, body, text } = answer
  if (status >= 500) return [`${status} ${text.slice(0, 300)}`]
  if (status === 304) return text === '' ? [] : ['a 304 has a body']
  const found = isOfOtherForm ? [] : findUndocumented(operation, answer)
  if (internal.test(text)) found.push(`says ${internal.exec(text)?.[0]}`)
  if (!text.isWellFormed()) found.push('is not well-formed')
  if (/[\r\n\0]/.test(Object.values(headers).join())) found.push('has a line break in a header')
  if (status >= 400 && !isOfOtherForm) {
    if ((isCalendarOperation(operation) ? body.data?.status : body.status) !== status)
      found.push('has another status in the body')
    if (text.length > 20_000) found.push(`a refusal of ${text.length} characters`)
  }
  return found.map(fault => `${status}: ${fault}`)
}

function disguised(operation: Operation, base: InjectOptions, { path, query, headers, body }: Mutation): InjectOptions {
  const [way = '', question = ''] = String(base.url).split('?')
  const own = way.split('/')
  const url = operation.path
    .split('/')
    .map((segment, at) => {
      const name = /\{(\w+)\}/.exec(segment)?.[1] ?? ''
      return path[name] === undefined ? own[at] : segment.replace(`{${name}}`, () => path[name] ?? '')
    })
    .join('/')
  const pairs = [query, question].filter(part => part !== '').join('&')
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
  const words = [...fields].map(([name, json]): [string, string] => [name, asWord(json)])
  if (body.form === 'multipart') return { ...base, ...buildMultipartForm(Object.fromEntries(words)) }
  const type = 'application/x-www-form-urlencoded'
  return { ...base, headers: { ...base.headers, 'content-type': type }, payload: new URLSearchParams(words).toString() }
}

/** As a form spells it. */
function asWord(json: string): string {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'string' ? value : json
  } catch {
    return json
  }
}
