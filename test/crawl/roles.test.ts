// test: own process, long
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { type Role, roles } from '#platform/caller.ts'
import { toOpenApiPath } from '#platform/http/openapi.ts'
import type { RegisteredRoute } from '../support/crawl/registered-routes.ts'
import { everybody, people, rights, writers } from '../support/crawl/role-table.ts'
import {
  isCalendarOperation,
  isUserOperation,
  listParameters,
  type Maker,
  type Operation,
  startRouteCrawler
} from '../support/crawl/route-crawler.ts'
import { isFullRun, skipUnlessFull } from '../support/full-run.ts'
import type { Client } from '../support/services.ts'

const crawler = await startRouteCrawler()
const { admin, aCampaign, aDonation, operations, pathOf, validRequest, visitor, withKey } = crawler

const issueKey = async (name: string, role: Role) => (await admin.post('/keys', { name, role })).body
const callers = new Map<string, Client>([['visitor', visitor]])
/** Roles that write have items of their own, and may change only those. */
const makers = new Map<string, Maker>()
for (const role of roles) {
  const { id, key } = await issueKey(role, role)
  callers.set(role, withKey(key))
  if (writers.includes(role)) makers.set(role, { client: withKey(key), keyId: id })
}
const [revoked, expired] = [await issueKey('revoked', 'admin'), await issueKey('expired', 'admin')]
await admin.delete(`/keys/${revoked.id}`)
await crawler.store.script(`update platform.keys set expires_at = now() - interval '1 second' where id = ${expired.id}`)
callers.set('caller with a wrong key', withKey(`kal_${'a'.repeat(10)}_${'b'.repeat(32)}`))
callers.set('caller with a revoked key', withKey(revoked.key))
callers.set('caller with an expired key', withKey(expired.key))

/** Operations on the own account are called by a signed-in user, if users can have the role. */
async function getClient(operation: Operation, caller: string, client: Client): Promise<Client> {
  const isPerson = isUserOperation(operation) && people.some(role => role === caller)
  return isPerson ? (await crawler.aPerson(caller, operation.name)).client : client
}

const isRole = (caller: string) => roles.some(role => role === caller)

function mayCall({ name }: Operation, caller: string): boolean {
  const allowed = rights[name]
  if (allowed === everybody) return caller === 'visitor' || isRole(caller)
  return allowed?.some(role => role === caller) === true
}

function getRefusal(caller: string, operation: Operation): { status: number; code: string } {
  const ofCalendar = isCalendarOperation(operation)
  if (caller === 'visitor') return { status: 401, code: ofCalendar ? 'rest_forbidden' : 'credentials-missing' }
  if (isRole(caller)) return { status: 403, code: ofCalendar ? 'rest_forbidden' : 'forbidden' }
  return { status: 401, code: ofCalendar ? 'incorrect_password' : 'bad-credentials' }
}

test('every registered route is in the document, or is a shape of WordPress of what is in it', () => {
  const documented = new Set(operations.map(({ name }) => name))
  const others = crawler.routes.filter(({ method, url }) => !documented.has(`${method} ${toOpenApiPath(url)}`))
  // The test of malformed input of the calendar sends requests to these.
  const isShape = (route: RegisteredRoute) => route.isUndocumented && /^\/wp-json\/(wp\/v2|tec\/v1)/.test(route.url)
  assert.deepEqual(
    others.filter(route => !isShape(route)),
    []
  )
  assert.equal(crawler.routes.length - others.length, operations.length)
})

test('the roles of every route in the OpenAPI document equal those of role-table.ts', () => {
  const table = 'the table `rights` in test/support/crawl/role-table.ts'
  const faults = operations.flatMap(({ name, roles: named, openToVisitors }) => {
    const written = rights[name]
    const documented = named ?? everybody
    if (written === undefined) return [`${name} is new: say who may call it in ${table}.`]
    if ((named === undefined) !== openToVisitors) return [`${name}: x-roles and security say different things.`]
    if (String([written].flat().sort()) === String([documented].flat().sort())) return []
    return [`${name} is for ${documented} by the document, and for ${written} by ${table}. Change it if that is meant.`]
  })
  const gone = Object.keys(rights).filter(name => !operations.some(operation => operation.name === name))
  assert.deepEqual([...faults, ...gone.map(name => `${name} is gone: remove it from ${table}.`)], [])
})

for (const [index, operation] of operations.entries()) {
  // The tests before this compare the roles of every operation with the table.
  test(`${operation.name} succeeds for roles with permission, and is refused for all other callers`, {
    skip: index % 2 > 0 && skipUnlessFull
  }, async () => {
    const prepare = shareUnlessFull(operation, async by => await validRequest(operation, {}, by))
    for (const [caller, withKeyOfRole] of pickCallers(operation)) {
      const client = await getClient(operation, caller, withKeyOfRole)
      const { status, headers, body, text } = await client.send(await prepare(caller))
      if (mayCall(operation, caller)) {
        assert.ok(status >= 200 && status < 300, `${caller}: ${status} ${text}`)
      } else {
        assert.deepEqual({ status, code: body.code }, getRefusal(caller, operation), caller)
        assert.equal(headers['www-authenticate'] !== undefined, status === 401, caller)
      }
    }
  })

  test(`${operation.name} checks credentials and permission first, then the body, then whether the item exists`, {
    skip: index % 4 !== 1 && skipUnlessFull
  }, async () => {
    const prepare = shareUnlessFull(operation, async by => await buildFailingRequests(operation, by))
    for (const [caller, withKeyOfRole] of pickCallers(operation)) {
      const failing = await prepare(caller)
      const client = await getClient(operation, caller, withKeyOfRole)
      for (const { request, status } of failing) {
        const answer = await client.send(request)
        const expected = mayCall(operation, caller) ? status : getRefusal(caller, operation).status
        assert.equal(answer.status, expected, `${caller}: ${request.method} ${request.url} ${answer.text}`)
      }
    }
  })
}

/** A refused caller, one with a wrong key and an allowed one; in a full run all callers. */
function pickCallers(operation: Operation): [string, Client][] {
  const all = [...callers]
  if (isFullRun) return all
  const rules = [isRefused, hasWrongKey, mayCall].map(rule => all.find(([caller]) => rule(operation, caller)))
  return rules.filter(one => one !== undefined)
}

/**
 * The request of a caller. In a full run each caller has items of its own; otherwise all send the same request about items of the allowed
 * caller, the last one. Requests about the own account are always those of the caller.
 */
function shareUnlessFull<Prepared>(
  operation: Operation,
  build: (by?: Maker) => Promise<Prepared>
): (caller: string) => Promise<Prepared> {
  if (isFullRun || isUserOperation(operation)) return async caller => await build(makers.get(caller))
  const [allowed = ''] = pickCallers(operation).at(-1) ?? []
  let shared: Promise<Prepared> | undefined
  return async () => {
    shared ??= build(makers.get(allowed))
    return await shared
  }
}

const isRefused = (operation: Operation, caller: string) => isRole(caller) && !mayCall(operation, caller)
const hasWrongKey = (_: Operation, caller: string) => caller !== 'visitor' && !isRole(caller)

/** Requests of an allowed caller that fail: a bad body, unknown items, items of another parent. */
async function buildFailingRequests(
  operation: Operation,
  by?: Maker
): Promise<{ request: InjectOptions; status: number }[]> {
  const validOne = await validRequest(operation, {}, by)
  const buildBroken = (request: InjectOptions, payload: string | Buffer, status: number) =>
    operation.body === undefined ? [] : [{ request: { ...request, headers: json, payload }, status }]
  // The calendar ignores a body that is no object, and accepts an update without fields.
  const noObject =
    isCalendarOperation(operation) && operation.body?.required === undefined ? '{"language": "fr"}' : '[]'

  const inPath = listParameters(operation, 'path')
  const unknownUrls: string[] = []
  for (const { name, schema } of inPath) {
    const id = schema.format === 'uuid' ? '01900000-0000-7000-8000-000000000000' : '4000000000'
    // The name of a file does not identify it, and the IBAN of a check is no id.
    if (name !== 'name' && name !== 'iban') unknownUrls.push(await pathOf(operation, { [name]: id }, by))
  }
  if (['campaignId', 'donationId'].every(one => inPath.some(({ name }) => name === one))) {
    const [here, elsewhere] = [await aCampaign(), await aCampaign()]
    const { id } = await aDonation(elsewhere.id)
    unknownUrls.push(await pathOf(operation, { campaignId: String(here.id), donationId: id }))
  }
  return [
    ...buildBroken(validOne, '{', 400),
    ...buildBroken(validOne, noObject, 400),
    ...buildBroken(validOne, tooLarge, 413),
    ...unknownUrls.flatMap(url => [
      { request: { ...validOne, url }, status: 404 },
      ...buildBroken({ ...validOne, url }, '{', 400),
      ...buildBroken({ ...validOne, url }, noObject, 400)
    ])
  ]
}

const json = { 'content-type': 'application/json' }
const tooLarge = Buffer.from(`"${'x'.repeat(2_000_000)}"`)

test('contributors and authors cannot change items of other users', async () => {
  const otherOwners: Maker[] = [makers.get('editor'), makers.get('contributor')].flatMap(maker => maker ?? [])
  for (const [index, operation] of operations.filter(isCalendarOperation).entries()) {
    if (!isFullRun && index % 3 > 0) continue
    if (String(rights[operation.name]) !== String(writers) || listParameters(operation, 'path').length === 0) continue
    if (operation.path.includes('/media/')) continue
    for (const by of otherOwners) {
      for (const role of ['contributor', 'author'] as const) {
        if (makers.get(role) === by) continue
        const { status, body } = (await callers.get(role)?.send(await validRequest(operation, {}, by))) ?? {}
        // Items of a contributor are drafts, which are not revealed by their slug.
        const kind = /\/(event|venue|organizer)s\/by-slug\//.exec(operation.path)?.[1]
        const isHidden = kind !== undefined && by === makers.get('contributor')
        assert.deepEqual(
          { status, code: body.code },
          isHidden ? { status: 404, code: `rest-${kind}-not-found` } : { status: 403, code: 'rest_forbidden' },
          `${role}: ${operation.name}`
        )
      }
    }
  }
})

test('/metrics is open to requests of the same machine, and from other addresses only to admins', async () => {
  const elsewhere = { method: 'GET', url: '/metrics', remoteAddress: '203.0.113.9' } as const
  for (const [caller, client] of callers) {
    const { status } = await client.send(elsewhere)
    const refused = isRole(caller) ? 403 : 401
    assert.equal(status, caller === 'admin' ? 200 : refused, caller)
  }
  assert.equal((await visitor.send({ ...elsewhere, remoteAddress: '127.0.0.1' })).status, 200)
})

test('a method that is not in the document is refused for all callers, with the allowed methods in the Allow header', async () => {
  const paths = [...new Set(operations.map(operation => operation.path))]
  for (const path of paths.filter((_, index) => isFullRun || index % 3 === 0)) {
    const here = operations.filter(operation => operation.path === path)
    const known = here.map(({ method }) => method)
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      if (known.includes(method)) continue
      const request = { method, url: path.replace(/\{\w+\}/g, '1'), payload: 'x' }
      for (const client of isFullRun ? [visitor, admin] : [visitor]) {
        const { status, headers, body } = await client.send(request)
        if (here.every(isCalendarOperation)) {
          assert.deepEqual([status, body.code], [404, 'rest_no_route'], `${method} ${path}`)
          continue
        }
        assert.equal(status, 405, `${method} ${path}`)
        const allowed = (headers.allow ?? '').split(', ').filter(word => word !== 'HEAD' && word !== 'OPTIONS')
        assert.deepEqual(allowed.sort(), [...known].sort(), path)
      }
    }
  }
})
