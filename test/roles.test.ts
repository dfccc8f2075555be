import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { type Role, roles } from '#platform/access.ts'
import { isThorough } from './depth.ts'
import { type Client, calendar } from './support.ts'
import { isOfCalendar, isOfPerson, type Maker, type Operation, parametersIn, startWalk } from './walk.ts'

const everybody = 'everybody'

const writers: readonly Role[] = ['contributor', 'author', 'editor', 'admin']
const people: readonly Role[] = ['viewer', 'editor', 'treasurer', 'admin']
const publishers: readonly Role[] = ['author', 'editor', 'admin']

/** Events, venues and organizers: whose and in which state they are is decided one by one. */
function written(collection: string): Record<string, Rights> {
  const paths = [`${calendar}/${collection}/{id}`, `${calendar}/${collection}/by-slug/{slug}`]
  const changes = ['POST', 'PUT', 'PATCH', 'DELETE'].flatMap(method => paths.map(path => `${method} ${path}`))
  return {
    [`GET ${calendar}/${collection}`]: everybody,
    [`POST ${calendar}/${collection}`]: writers,
    ...Object.fromEntries(paths.map(path => [`GET ${path}`, everybody])),
    ...Object.fromEntries(changes.map(name => [name, writers]))
  }
}

function terms(collection: string, by: readonly Role[]): Record<string, Rights> {
  const one = `${calendar}/${collection}/{id}`
  return {
    [`GET ${calendar}/${collection}`]: everybody,
    [`POST ${calendar}/${collection}`]: by,
    [`GET ${one}`]: everybody,
    ...Object.fromEntries(['POST', 'PUT', 'PATCH', 'DELETE'].map(method => [`${method} ${one}`, by]))
  }
}

/** Whole lists as files; what each reader finds in them is told by their own tests. */
const exported = ['events', 'venues', 'organizers', 'categories', 'tags'].flatMap(name => [
  `${name}.csv`,
  `${name}.jsonl`
])

type Rights = typeof everybody | readonly Role[]

/** Who may what. This is the one place where rights are written down twice: a change of them shows here. */
const rights: Record<string, Rights> = {
  'GET /campaigns': everybody,
  'GET /campaigns.csv': everybody,
  'GET /campaigns.jsonl': everybody,
  'POST /campaigns': ['editor', 'treasurer', 'admin'],
  'GET /campaigns/{campaignId}': everybody,
  'PUT /campaigns/{campaignId}': ['editor', 'treasurer', 'admin'],
  'PATCH /campaigns/{campaignId}': ['editor', 'treasurer', 'admin'],
  'DELETE /campaigns/{campaignId}': ['editor', 'treasurer', 'admin'],
  'POST /campaigns/{campaignId}/restore': ['admin'],
  'POST /campaigns/{campaignId}/donations': everybody,
  'GET /campaigns/{campaignId}/donations': everybody,
  'GET /campaigns/{campaignId}/donations.csv': ['treasurer', 'admin'],
  'GET /campaigns/{campaignId}/donations/{donationId}': everybody,
  'PATCH /campaigns/{campaignId}/donations/{donationId}': ['treasurer', 'admin'],
  'DELETE /campaigns/{campaignId}/donations/{donationId}': ['treasurer', 'admin'],
  'POST /campaigns/{campaignId}/donations/{donationId}/undo': ['treasurer', 'admin'],
  'POST /donations/undo': ['treasurer', 'admin'],
  'GET /campaigns/{campaignId}/donations/{donationId}/payments': ['treasurer', 'admin'],
  'POST /campaigns/{campaignId}/donations/{donationId}/payments': ['treasurer', 'admin'],
  'DELETE /campaigns/{campaignId}/donations/{donationId}/payments/{paymentId}': ['treasurer', 'admin'],
  'GET /campaigns/{campaignId}/donations/{donationId}/notes': ['treasurer', 'admin'],
  'POST /campaigns/{campaignId}/donations/{donationId}/notes': ['treasurer', 'admin'],
  'DELETE /campaigns/{campaignId}/donations/{donationId}/notes/{noteId}': ['treasurer', 'admin'],
  'GET /journal': ['treasurer', 'admin'],
  'GET /journal.csv': ['treasurer', 'admin'],
  'GET /journal/datev.csv': ['treasurer', 'admin'],
  'GET /bookkeeping': ['treasurer', 'admin'],
  'PATCH /bookkeeping': ['treasurer', 'admin'],
  'GET /donations': ['treasurer', 'admin'],
  'GET /donations/summary': ['treasurer', 'admin'],
  'GET /donations.csv': ['treasurer', 'admin'],
  'GET /donations.jsonl': ['treasurer', 'admin'],
  'POST /donations/status': ['treasurer', 'admin'],
  'POST /donations/release': ['treasurer', 'admin'],
  'GET /challenge': everybody,
  'GET /account-changes': ['editor', 'treasurer', 'admin'],
  'GET /campaigns/{campaignId}/qr.svg': everybody,
  'GET /campaigns/{campaignId}/qr.png': everybody,
  'GET /campaigns/{campaignId}/donations/{donationId}/qr.svg': ['treasurer', 'admin'],
  'GET /campaigns/{campaignId}/donations/{donationId}/qr.png': ['treasurer', 'admin'],
  'GET /donations/by-token/{token}/qr.svg': everybody,
  'GET /donations/by-token/{token}/qr.png': everybody,
  'GET /ibans/{iban}': everybody,
  'POST /ibans': everybody,
  'GET /donations/by-token/{token}': everybody,
  'PATCH /donations/by-token/{token}': everybody,
  'GET /donors/{donationId}': ['treasurer', 'admin'],
  'GET /donors/{donationId}/summary': ['treasurer', 'admin'],
  'POST /donors/{donationId}/erase': ['treasurer', 'admin'],
  'GET /bank-statements': ['treasurer', 'admin'],
  'POST /bank-statements': ['treasurer', 'admin'],
  'GET /bank-statements/{statementId}': ['treasurer', 'admin'],
  'GET /bank-statements/{statementId}/entries': ['treasurer', 'admin'],
  'GET /bank-statements/{statementId}/entries/{entryId}': ['treasurer', 'admin'],
  'PATCH /bank-statements/{statementId}/entries/{entryId}': ['treasurer', 'admin'],
  'POST /bank-statements/{statementId}/confirm': ['treasurer', 'admin'],
  'POST /bank-statements/{statementId}/entries/{entryId}/donation': ['treasurer', 'admin'],
  'GET /payer-rules': ['treasurer', 'admin'],
  'POST /payer-rules': ['treasurer', 'admin'],
  'DELETE /payer-rules/{ruleId}': ['treasurer', 'admin'],
  'GET /mandate': everybody,
  'GET /mandates': ['treasurer', 'admin'],
  'GET /mandates/{reference}': ['treasurer', 'admin'],
  'POST /mandates/{reference}/revoke': ['treasurer', 'admin'],
  'POST /donations/by-token/{token}/mandate/revoke': everybody,
  'GET /collections': ['treasurer', 'admin'],
  'GET /collections/preview': ['treasurer', 'admin'],
  'POST /collections': ['treasurer', 'admin'],
  'GET /collections/{collectionId}': ['treasurer', 'admin'],
  'GET /collections/{collectionId}/donations': ['treasurer', 'admin'],
  'GET /collections/{collectionId}/pain.008.xml': ['treasurer', 'admin'],
  'PATCH /collections/{collectionId}': ['treasurer', 'admin'],
  'GET /organisation': ['treasurer', 'admin'],
  'PATCH /organisation': ['admin'],
  'GET /receipts': ['treasurer', 'admin'],
  'POST /receipts': ['treasurer', 'admin'],
  'GET /receipts.pdf': ['treasurer', 'admin'],
  'GET /receipts.zip': ['treasurer', 'admin'],
  'GET /receipts/{receiptId}': ['treasurer', 'admin'],
  'GET /receipts/{receiptId}.pdf': ['treasurer', 'admin'],
  'POST /receipts/{receiptId}/withdraw': ['treasurer', 'admin'],
  'GET /receipt-runs': ['treasurer', 'admin'],
  'POST /receipt-runs': ['treasurer', 'admin'],
  'GET /receipt-runs/preview': ['treasurer', 'admin'],
  'GET /receipt-runs/{runId}': ['treasurer', 'admin'],
  'GET /donations/by-token/{token}/receipts/{receiptId}.pdf': everybody,
  'GET /donations/by-token/{token}/simplified-proof.pdf': everybody,
  'GET /keys': ['admin'],
  'POST /keys': ['admin'],
  'DELETE /keys/{id}': ['admin'],
  'GET /activity': ['admin'],
  // What of it each hears is told by the tests of the stream.
  'GET /stream': everybody,
  'GET /actions': ['admin'],
  'GET /webhooks': ['admin'],
  'POST /webhooks': ['admin'],
  'GET /webhooks/{id}': ['admin'],
  'PATCH /webhooks/{id}': ['admin'],
  'DELETE /webhooks/{id}': ['admin'],
  'POST /webhooks/{id}/secret': ['admin'],
  'POST /webhooks/{id}/test': ['admin'],
  'GET /webhooks/{id}/deliveries': ['admin'],
  'GET /webhooks/{id}/deliveries/{deliveryId}': ['admin'],
  'POST /webhooks/{id}/deliveries/{deliveryId}/redeliver': ['admin'],
  'GET /site': everybody,
  'PATCH /site': ['admin'],
  'GET /setup': everybody,
  // With the token that the server printed; others need to be admin, as its own tests say.
  'POST /setup': everybody,
  'POST /sample-content': ['admin'],
  'GET /samples': ['editor', 'treasurer', 'admin'],
  'DELETE /samples': ['admin'],
  'POST /sessions': everybody,
  'GET /sessions/current': people,
  'DELETE /sessions/current': people,
  'GET /users': ['admin'],
  'POST /users': ['admin'],
  'GET /users/me': people,
  'PATCH /users/me': people,
  'PUT /users/me/password': people,
  'GET /users/{id}': ['admin'],
  'PATCH /users/{id}': ['admin'],
  'DELETE /users/{id}': ['admin'],
  'GET /health': everybody,
  'GET /livez': everybody,
  'GET /readyz': everybody,
  // To callers on this machine; from elsewhere to admins only, as the last test here says.
  'GET /metrics': everybody,
  'GET /openapi.json': everybody,
  'GET /openapi/campaigns.json': everybody,
  'GET /openapi/calendar.json': everybody,
  'GET /openapi/platform.json': everybody,
  [`GET ${calendar}`]: everybody,
  [`GET ${calendar}/doc`]: everybody,
  'GET /wp-json': everybody,
  ...written('events'),
  ...written('venues'),
  ...written('organizers'),
  [`GET ${calendar}/days`]: everybody,
  [`GET ${calendar}/events.ics`]: everybody,
  [`GET ${calendar}/events/{id}.ics`]: everybody,
  ...Object.fromEntries(exported.map(path => [`GET ${calendar}/${path}`, everybody])),
  ...terms('categories', publishers),
  ...terms('tags', ['editor', 'admin']),
  [`GET ${calendar}/media`]: publishers,
  [`POST ${calendar}/media`]: publishers,
  [`GET ${calendar}/media/{id}`]: publishers,
  [`DELETE ${calendar}/media/{id}`]: publishers,
  'GET /media/{id}/{token}/{size}/{name}': everybody,
  [`GET ${calendar}/imports`]: ['editor', 'admin'],
  [`POST ${calendar}/imports`]: ['editor', 'admin'],
  [`GET ${calendar}/imports/template.csv`]: ['editor', 'admin'],
  [`GET ${calendar}/imports/{id}`]: ['editor', 'admin'],
  [`GET ${calendar}/imports/{id}/rows`]: ['editor', 'admin'],
  [`POST ${calendar}/imports/{id}/run`]: ['editor', 'admin'],
  [`POST ${calendar}/imports/{id}/cancel`]: ['editor', 'admin'],
  [`POST ${calendar}/imports/{id}/undo`]: ['editor', 'admin']
}

const walk = await startWalk()
const { admin, aCampaign, aDonation, operations, pathOf, validRequest, visitor, withKey } = walk

const issued = async (name: string, role: Role) => (await admin.post('/keys', { name, role })).body
const callers = new Map<string, Client>([['visitor', visitor]])
/** Whoever may write something has things of their own, and only those are theirs to change. */
const makers = new Map<string, Maker>()
for (const role of roles) {
  const { id, key } = await issued(role, role)
  callers.set(role, withKey(key))
  if (writers.includes(role)) makers.set(role, { client: withKey(key), keyId: id })
}
const [revoked, expired] = [await issued('revoked', 'admin'), await issued('expired', 'admin')]
await admin.delete(`/keys/${revoked.id}`)
await walk.store.script(`update platform.keys set expires_at = now() - interval '1 second' where id = ${expired.id}`)
callers.set('somebody with a wrong key', withKey(`kal_${'a'.repeat(10)}_${'b'.repeat(32)}`))
callers.set('somebody with a revoked key', withKey(revoked.key))
callers.set('somebody with an expired key', withKey(expired.key))

/** What is about somebody's own account is asked by somebody who has signed in, if people can have the role. */
async function clientFor(operation: Operation, caller: string, client: Client): Promise<Client> {
  const isPerson = isOfPerson(operation) && people.some(role => role === caller)
  return isPerson ? (await walk.aPerson(caller)).client : client
}

const isRole = (caller: string) => roles.some(role => role === caller)

function mayCall({ name }: Operation, caller: string): boolean {
  const allowed = rights[name]
  if (allowed === everybody) return caller === 'visitor' || isRole(caller)
  return allowed?.some(role => role === caller) === true
}

function refusalOf(caller: string, operation: Operation): { status: number; code: string } {
  const ofCalendar = isOfCalendar(operation)
  if (caller === 'visitor') return { status: 401, code: ofCalendar ? 'rest_forbidden' : 'credentials-missing' }
  if (isRole(caller)) return { status: 403, code: ofCalendar ? 'rest_forbidden' : 'forbidden' }
  return { status: 401, code: ofCalendar ? 'incorrect_password' : 'bad-credentials' }
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
    for (const [caller, withKeyOfRole] of callers) {
      const client = await clientFor(operation, caller, withKeyOfRole)
      const { status, headers, body, text } = await client.send(await validRequest(operation, {}, makers.get(caller)))
      if (mayCall(operation, caller)) {
        assert.ok(status >= 200 && status < 300, `${caller}: ${status} ${text}`)
      } else {
        assert.deepEqual({ status, code: body.code }, refusalOf(caller, operation), caller)
        assert.equal(headers['www-authenticate'] !== undefined, status === 401, caller)
      }
    }
  })

  test(`B5 ${operation.name} looks at credentials and rights first, then at the body, then at what there is`, async () => {
    for (const [caller, withKeyOfRole] of pickCallers(operation)) {
      const failing = await requestsThatFail(operation, makers.get(caller))
      const client = await clientFor(operation, caller, withKeyOfRole)
      for (const { request, status } of failing) {
        const answer = await client.send(request)
        const expected = mayCall(operation, caller) ? status : refusalOf(caller, operation).status
        assert.equal(answer.status, expected, `${caller}: ${request.method} ${request.url} ${answer.text}`)
      }
    }
  })
}

/** One who may call, one who may not and one with a wrong key; in the thorough check everybody. */
function pickCallers(operation: Operation): [string, Client][] {
  const all = [...callers]
  if (isThorough) return all
  const rules = [mayCall, isRefused, hasWrongKey].map(rule => all.find(([caller]) => rule(operation, caller)))
  return rules.filter(one => one !== undefined)
}

const isRefused = (operation: Operation, caller: string) => isRole(caller) && !mayCall(operation, caller)
const hasWrongKey = (_: Operation, caller: string) => caller !== 'visitor' && !isRole(caller)

/** What goes wrong for those who may call: a bad body, things that are not there, things that belong elsewhere. */
async function requestsThatFail(
  operation: Operation,
  by?: Maker
): Promise<{ request: InjectOptions; status: number }[]> {
  const fine = await validRequest(operation, {}, by)
  const broken = (request: InjectOptions, payload: string, status: number) =>
    operation.body === undefined ? [] : [{ request: { ...request, headers: json, payload }, status }]
  // In the calendar a body that is no object counts as none, and a change of nothing is none.
  const noObject = isOfCalendar(operation) && operation.body?.required === undefined ? '{"language": "fr"}' : '[]'

  const inPath = parametersIn(operation, 'path')
  const absent: string[] = []
  for (const { name, schema } of inPath) {
    const id = schema.format === 'uuid' ? '01900000-0000-7000-8000-000000000000' : '4000000000'
    // How a file is called when it is saved does not decide which it is, and an IBAN that somebody asks about is no id.
    if (name !== 'name' && name !== 'iban') absent.push(await pathOf(operation, { [name]: id }, by))
  }
  if (['campaignId', 'donationId'].every(one => inPath.some(({ name }) => name === one))) {
    const [here, elsewhere] = [await aCampaign(), await aCampaign()]
    const { id } = await aDonation(elsewhere.id)
    absent.push(await pathOf(operation, { campaignId: String(here.id), donationId: id }))
  }
  return [
    ...broken(fine, '{', 400),
    ...broken(fine, noObject, 400),
    ...broken(fine, `"${'x'.repeat(2_000_000)}"`, 413),
    ...absent.flatMap(url => [
      { request: { ...fine, url }, status: 404 },
      ...broken({ ...fine, url }, '{', 400),
      ...broken({ ...fine, url }, noObject, 400)
    ])
  ]
}

const json = { 'content-type': 'application/json' }

test('B4 B5 D15 what belongs to somebody else is refused after all the rest: only editors change it', async () => {
  const theirs: Maker[] = [makers.get('editor'), makers.get('contributor')].flatMap(maker => maker ?? [])
  for (const operation of operations.filter(isOfCalendar)) {
    if (String(rights[operation.name]) !== String(writers) || parametersIn(operation, 'path').length === 0) continue
    if (operation.path.includes('/media/')) continue
    for (const by of theirs) {
      for (const role of ['contributor', 'author'] as const) {
        if (makers.get(role) === by) continue
        const { status, body } = (await callers.get(role)?.send(await validRequest(operation, {}, by))) ?? {}
        assert.deepEqual(
          { status, code: body.code },
          { status: 403, code: 'rest_forbidden' },
          `${role}: ${operation.name}`
        )
      }
    }
  }
})

test('B4 figures for Prometheus are for this machine, and from elsewhere for admins only', async () => {
  const elsewhere = { method: 'GET', url: '/metrics', remoteAddress: '203.0.113.9' } as const
  for (const [caller, client] of callers) {
    const { status } = await client.send(elsewhere)
    const refused = isRole(caller) ? 403 : 401
    assert.equal(status, caller === 'admin' ? 200 : refused, caller)
  }
  assert.equal((await visitor.send({ ...elsewhere, remoteAddress: '127.0.0.1' })).status, 200)
})

test('B4 a method that is not in the document is refused to everybody, with those that are', async () => {
  for (const path of new Set(operations.map(operation => operation.path))) {
    const here = operations.filter(operation => operation.path === path)
    const known = here.map(({ method }) => method)
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      if (known.includes(method)) continue
      const request = { method, url: path.replace(/\{\w+\}/g, '1'), payload: 'x' }
      for (const client of [visitor, admin]) {
        const { status, headers, body } = await client.send(request)
        if (here.every(isOfCalendar)) {
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
