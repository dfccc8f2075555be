import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { type Role, roles } from '#platform/access.ts'
import type { Client } from './support.ts'
import { type Operation, parametersIn, startWalk } from './walk.ts'

const everybody = 'everybody'

/** Who may what. This is the one place where rights are written down twice: a change of them shows here. */
const rights: Record<string, typeof everybody | readonly Role[]> = {
  'GET /campaigns': everybody,
  'POST /campaigns': ['editor', 'treasurer', 'admin'],
  'GET /campaigns/{campaignId}': everybody,
  'PUT /campaigns/{campaignId}': ['editor', 'treasurer', 'admin'],
  'DELETE /campaigns/{campaignId}': ['editor', 'treasurer', 'admin'],
  'POST /campaigns/{campaignId}/restore': ['admin'],
  'POST /campaigns/{campaignId}/donations': everybody,
  'GET /campaigns/{campaignId}/donations': everybody,
  'GET /campaigns/{campaignId}/donations.csv': ['treasurer', 'admin'],
  'GET /campaigns/{campaignId}/donations/{donationId}': everybody,
  'PATCH /campaigns/{campaignId}/donations/{donationId}': ['treasurer', 'admin'],
  'DELETE /campaigns/{campaignId}/donations/{donationId}': ['treasurer', 'admin'],
  'GET /keys': ['admin'],
  'POST /keys': ['admin'],
  'DELETE /keys/{id}': ['admin'],
  'GET /activity': ['admin'],
  'GET /health': everybody,
  'GET /livez': everybody,
  'GET /readyz': everybody,
  // To callers on this machine; from elsewhere to admins only, as the last test here says.
  'GET /metrics': everybody,
  'GET /openapi.json': everybody,
  'GET /openapi/campaigns.json': everybody
}

const walk = await startWalk()
const { admin, aCampaign, aDonation, operations, pathOf, validRequest, visitor, withKey, withRole } = walk

const callers = new Map<string, Client>([['visitor', visitor]])
for (const role of roles) callers.set(role, await withRole(role))
const issued = async (name: string) => (await admin.post('/keys', { name, role: 'admin' })).body
const [revoked, expired] = [await issued('revoked'), await issued('expired')]
await admin.delete(`/keys/${revoked.id}`)
await walk.store.script(`update platform.keys set expires_at = now() - interval '1 second' where id = ${expired.id}`)
callers.set('somebody with a wrong key', withKey(`kal_${'a'.repeat(10)}_${'b'.repeat(32)}`))
callers.set('somebody with a revoked key', withKey(revoked.key))
callers.set('somebody with an expired key', withKey(expired.key))

const isRole = (caller: string) => roles.some(role => role === caller)

function mayCall({ name }: Operation, caller: string): boolean {
  const allowed = rights[name]
  if (allowed === everybody) return caller === 'visitor' || isRole(caller)
  return allowed?.some(role => role === caller) === true
}

function refusalOf(caller: string): { status: number; code: string } {
  if (caller === 'visitor') return { status: 401, code: 'credentials-missing' }
  return isRole(caller) ? { status: 403, code: 'forbidden' } : { status: 401, code: 'bad-credentials' }
}

test('B4 the document says of every route who may call it, and says what stands in this test', () => {
  const table = 'the table `rights` in test/roles.test.ts'
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

for (const operation of operations) {
  test(`B4 ${operation.name} is done for those who may, and for nobody else`, async () => {
    for (const [caller, client] of callers) {
      const { status, headers, body, text } = await client.send(await validRequest(operation))
      if (mayCall(operation, caller)) {
        assert.ok(status >= 200 && status < 300, `${caller}: ${status} ${text}`)
      } else {
        assert.deepEqual({ status, code: body.code }, refusalOf(caller), caller)
        assert.equal(headers['www-authenticate'] !== undefined, status === 401, caller)
      }
    }
  })

  test(`B5 ${operation.name} looks at credentials and rights first, then at the body, then at what there is`, async () => {
    const failing = await requestsThatFail(operation)
    for (const [caller, client] of callers) {
      for (const { request, status } of failing) {
        const answer = await client.send(request)
        const expected = mayCall(operation, caller) ? status : refusalOf(caller).status
        assert.equal(answer.status, expected, `${caller}: ${request.method} ${request.url} ${answer.text}`)
      }
    }
  })
}

/** What goes wrong for those who may call: a bad body, things that are not there, things that belong elsewhere. */
async function requestsThatFail(operation: Operation): Promise<{ request: InjectOptions; status: number }[]> {
  const fine = await validRequest(operation)
  const broken = (request: InjectOptions, payload: string, status: number) =>
    operation.body === undefined ? [] : [{ request: { ...request, payload }, status }]
  const large = `"${'x'.repeat(2_000_000)}"`

  const inPath = parametersIn(operation, 'path').map(({ name, schema }) => {
    return { name, absent: schema.format === 'uuid' ? '01900000-0000-7000-8000-000000000000' : '4000000000' }
  })
  const absent: string[] = []
  for (const { name, absent: id } of inPath) absent.push(await pathOf(operation, { [name]: id }))
  if (inPath.some(({ name }) => name === 'donationId')) {
    const [here, elsewhere] = [await aCampaign(), await aCampaign()]
    const { id } = await aDonation(elsewhere.id)
    absent.push(await pathOf(operation, { campaignId: String(here.id), donationId: id }))
  }
  return [
    ...broken(fine, '{', 400),
    ...broken(fine, '[]', 400),
    ...broken(fine, large, 413),
    ...absent.flatMap(url => [
      { request: { ...fine, url }, status: 404 },
      ...broken({ ...fine, url }, '{', 400),
      ...broken({ ...fine, url }, '[]', 400)
    ])
  ]
}

test('B4 figures for Prometheus are for this machine, and from elsewhere for admins only', async () => {
  const elsewhere = { method: 'GET', url: '/metrics', remoteAddress: '203.0.113.9' } as const
  for (const [caller, client] of callers) {
    const { status } = await client.send(elsewhere)
    assert.equal(status, caller === 'admin' ? 200 : refusalOf(caller).status, caller)
  }
  assert.equal((await visitor.send({ ...elsewhere, remoteAddress: '127.0.0.1' })).status, 200)
})

test('B4 a method that is not in the document is refused to everybody, with those that are', async () => {
  for (const path of new Set(operations.map(operation => operation.path))) {
    const known = operations.filter(operation => operation.path === path).map(({ method }) => method)
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      if (known.includes(method)) continue
      const request = { method, url: path.replace(/\{\w+\}/g, '1'), payload: 'x' }
      for (const client of [visitor, admin]) {
        const { status, headers } = await client.send(request)
        assert.equal(status, 405, `${method} ${path}`)
        const allowed = (headers.allow ?? '').split(', ').filter(word => word !== 'HEAD' && word !== 'OPTIONS')
        assert.deepEqual(allowed.sort(), [...known].sort(), path)
      }
    }
  }
})
