import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { sql } from '#platform/database/sql.ts'
import { isFullRun, skipUnlessFull } from '#test/support/full-run.ts'
import { findOpenApi30Errors, findOpenApi31Errors } from '../support/crawl/openapi-schema.ts'
import {
  type Document,
  dereference,
  findUndocumented,
  listOperations,
  newSchemaValidator,
  type Operation,
  startRouteCrawler
} from '../support/crawl/route-crawler.ts'
import { root } from '../support/project-root.ts'
import { type Client, calendar, event, startCampaigns, type TestResponse } from '../support/services.ts'

const { admin, aCampaign, aDonation, document, operations, store, validRequestOfAdmin, visitor, withRole } =
  await startRouteCrawler()

for (const name of ['campaigns', 'calendar', 'platform']) {
  test(`docs/api/${name}.json is the document that the service returns`, async () => {
    const { body } = await visitor.get(`/openapi/${name}.json`)
    const file = readFileSync(join(root, `docs/api/${name}.json`), 'utf8')
    const same = file === `${JSON.stringify(body, undefined, 2)}\n`
    assert.ok(same, 'The API has changed. Write it down: npm run api')
  })
}

test('the document of a process with both services contains the routes of both', async () => {
  for (const name of ['campaigns', 'calendar']) {
    const body = dereference((await visitor.get(`/openapi/${name}.json`)).body)
    for (const [path, methods] of Object.entries(body.paths)) assert.deepEqual(methods, document.paths[path], path)
    for (const operation of listOperations(body)) assert.equal(operation['x-service'], name)
  }
  assert.ok(document.paths['/keys'])
})

test('the document of a process with one service contains the routes of that service, and no others', async () => {
  const alone = await startCampaigns()
  const { body: process } = await alone.visitor.get('/openapi.json')
  const { body: service } = await alone.visitor.get('/openapi/campaigns.json')
  for (const [path, methods] of Object.entries(service.paths)) assert.deepEqual(methods, process.paths[path], path)
  for (const { path, 'x-service': name } of listOperations(process)) {
    assert.equal(path in service.paths, name === 'campaigns', path)
  }
})

test('the document of the calendar contains every route and method of its index', async () => {
  const { body: index } = await visitor.get(calendar)
  for (const [pattern, { methods }] of Object.entries<{ methods: string[] }>(index.routes)) {
    const path = pattern.replace(/\(\?P<(\w+)>(?:\\d|\[\^\/\])\+\)/g, '{$1}')
    const documented = Object.keys(document.paths[path] ?? {}).map(method => method.toUpperCase())
    assert.deepEqual(documented.sort(), [...methods].sort(), path)
  }
})

test('every schema in the document compiles', { skip: skipUnlessFull }, async () => {
  for (const { name, parameters, body, responses } of operations) {
    // The server of the other tests is in this process: its timers must not wait for all schemas.
    await setImmediate()
    const contents = Object.values(responses).flatMap(({ content = {} }) => Object.values(content))
    const schemas = [...parameters, ...contents].map(({ schema }) => schema)
    for (const schema of [...schemas, ...(body === undefined ? [] : [body])]) {
      if (!('$ref' in schema)) assert.doesNotThrow(() => newSchemaValidator(schema), name)
    }
  }
})

test('every operation has a unique id, a summary, its path parameters and a success response', () => {
  assertDescriptions(document, operations)
})

function assertDescriptions({ openapi }: Document, all: Operation[]): void {
  assert.equal(openapi, '3.1.0')
  const ids = all.map(({ operationId }) => operationId)
  assert.deepEqual([...new Set(ids)], ids)
  for (const { name, path, summary = '', parameters, responses } of all) {
    assert.match(summary, /\S/, `${name} needs a summary.`)
    const inPath = parameters.filter(parameter => parameter.in === 'path').map(parameter => `{${parameter.name}}`)
    assert.deepEqual(inPath, path.match(/\{\w+\}/g) ?? [], name)
    assert.ok(
      Object.keys(responses).some(status => /^2\d\d$/.test(status)),
      `${name} needs a success response.`
    )
  }
}

test('every operation has a description, its roles, one tag, and the codes of its error responses', () => {
  for (const { name, description = '', tags, openToVisitors, responses } of operations) {
    const [own = ''] = description.split(/Needs (?:no credentials|one of the roles)/)
    assert.match(own, /\w.*\.\s*$/s, `${name} needs a description.`)
    assert.match(description, openToVisitors ? /Needs no credentials\./ : /Needs one of the roles: /, name)
    assert.equal(tags.length, 1, name)
    const refusals = Object.entries(responses).filter(([status]) => /^4\d\d$/.test(status))
    assert.ok(refusals.length > 0, `${name} needs an error response.`)
    for (const [status, { 'x-problem-codes': codes = [] }] of refusals) {
      assert.ok(codes.length > 0, `${name} ${status} needs the codes of its problems.`)
    }
  }
})

test('request and response bodies that are objects are named schemas, and every tag has a description', async () => {
  const { body } = await visitor.get('/openapi.json')
  const described = new Map<string, string>(
    body.tags.map(({ name, description }: { name: string; description: string }) => [name, description])
  )
  for (const operation of listOperations(body)) {
    for (const tag of operation.tags) assert.match(described.get(tag) ?? '', /\.$/, `${tag} needs a description.`)
    const bodies = Object.values(body.paths[operation.path][operation.method.toLowerCase()].requestBody?.content ?? {})
    const answers = Object.values(operation.responses).flatMap(({ content = {} }) => Object.values(content))
    for (const { schema } of [...bodies, ...answers] as { schema: { type?: unknown; items?: { type?: unknown } } }[]) {
      assert.notEqual(schema.type, 'object', `${operation.name} has an object without a name.`)
      assert.notEqual(schema.items?.type, 'object', `${operation.name} has a list of objects without a name.`)
    }
  }
})

test('the documents are valid OpenAPI, without unknown keywords', async () => {
  for (const name of ['campaigns', 'calendar', 'platform']) {
    const { body } = await visitor.get(`/openapi/${name}.json`)
    assert.deepEqual(findOpenApi31Errors(body), [], name)
  }
  const { body } = await visitor.get(`${calendar}/doc`)
  assert.deepEqual(findOpenApi30Errors(body), [])
})

const answers = new Map<Operation, TestResponse>()

/** The response to a successful request of an admin, sent once for all tests. */
async function getAnswer(operation: Operation): Promise<TestResponse> {
  const answer = answers.get(operation) ?? (await admin.send(await validRequestOfAdmin(operation)))
  answers.set(operation, answer)
  return answer
}

/** A full run calls every operation, otherwise every third one. */
const picked = operations.filter((_, index) => isFullRun || index % 3 === 0)

test('Location, ETag, Link and paging headers of responses are in the document', async () => {
  const followed = ['location', 'etag', 'link', 'x-total-count', 'x-wp-total', 'x-wp-totalpages', 'content-disposition']
  let count = 0
  for (const operation of picked) {
    const answer = await getAnswer(operation)
    const { headers = {} } = operation.responses[answer.status] ?? {}
    const documented = Object.keys(headers).map(name => name.toLowerCase())
    for (const name of followed.filter(one => one in answer.headers)) {
      assert.ok(
        documented.includes(name),
        `${operation.name} answers ${answer.status} with ${name}: ${answer.headers[name]}`
      )
      count += 1
    }
  }
  assert.ok(count > (isFullRun ? 200 : 66), `${count} headers`)
})

for (const operation of picked) {
  test(`${operation.name} responds as documented, without further fields`, async () => {
    assert.deepEqual(findUndocumented(operation, await getAnswer(operation)), [])
  })
}

test('responses about donations are as documented for callers with fewer rights, too', async () => {
  const { id } = await aCampaign()
  const donation = await aDonation(id, { message: 'Good luck!', email: 'ada@example.org', showName: true })
  await aDonation(id, { status: 'TRANSFERRED', account: undefined })
  const readers: Client[] = [visitor, await withRole('viewer'), await withRole('editor'), await withRole('treasurer')]
  for (const operation of operations) {
    if (operation.method !== 'GET' || !operation.path.includes('/{campaignId}/donations')) continue
    const url = operation.path.replace('{campaignId}', id).replace('{donationId}', donation.id)
    for (const reader of readers) {
      const answer = await reader.get(url)
      if (answer.status !== 401 && answer.status !== 403) assert.deepEqual(findUndocumented(operation, answer), [], url)
    }
  }
})

test('lists and items, with all fields or required ones only, are as documented for every caller', async () => {
  const create = async (path: string, body: object) => (await admin.post(`${calendar}/${path}`, body)).body
  const term = (
    await create('categories', { name: 'Below', parent: (await create('categories', { name: 'Above' })).id })
  ).id
  const venues = [
    await create('venues', { venue: 'Bare' }),
    await create('venues', {
      venue: 'Secret',
      post_password: 'secret',
      geo_lat: 1,
      geo_lng: 2,
      website: 'https://a.example'
    })
  ]
  const hosts = [
    await create('organizers', { organizer: 'Bare' }),
    await create('organizers', { organizer: 'Secret', post_password: 'secret', email: 'ada@example.org' })
  ]
  const ids = (items: { id: number }[]) => items.map(({ id }) => id)
  const linked = { categories: [term], tags: ['Loud'], venue: ids(venues), organizer: ids(hosts) }
  const events = [
    await create('events', event),
    await create('events', { ...event, ...linked, venue: venues[0].id }),
    await create('events', { ...event, ...linked, post_password: 'secret', cost: [10, 20] }),
    await create('events', { ...event, status: 'draft' })
  ]
  const items: [collection: string, items: { id: number; slug?: string }[]][] = [
    ['events', events],
    ['venues', venues],
    ['organizers', hosts]
  ]
  const readers: Client[] = [visitor, await withRole('author'), admin]
  for (const [collection, list] of items) {
    for (const operation of operations) {
      const one = operation.path.startsWith(`${calendar}/${collection}/{id}`)
      if (operation.method !== 'GET' || !(one || operation.path === `${calendar}/${collection}`)) continue
      const urls = list.map(({ id }) => operation.path.replace('{id}', String(id)))
      for (const url of new Set([...urls, ...urls.map(plain => `${plain}?password=secret`)])) {
        for (const reader of readers) {
          const answer = await reader.get(url)
          if (answer.status !== 403) assert.deepEqual(findUndocumented(operation, answer), [], url)
        }
      }
    }
  }
})

test('error responses with additional members are as documented', async () => {
  const file = async (type: string, payload: string) =>
    await admin.send({ method: 'POST', url: '/bank-statements', headers: { 'content-type': type }, payload })
  const { id, campaignId } = await aDonation((await aCampaign()).id, { status: 'TRANSFERRED' })
  const refusals = {
    line: [
      'POST /bank-statements',
      await file('text/csv', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>')
    ],
    columns: ['POST /bank-statements', await file('text/csv', 'Colour,Size\nred,1\n')],
    missing: ['POST /receipts', await admin.post('/receipts', { kind: 'single', donation: { campaignId, id } })]
  } as const
  for (const [member, [name, answer]] of Object.entries(refusals)) {
    const operation = operations.find(one => one.name === name)
    assert.ok(operation !== undefined && answer.status >= 400)
    assert.ok(member in answer.body, `${member} in ${answer.text}`)
    assert.deepEqual(findUndocumented(operation, answer), [], answer.text)
  }
})

test('a list that is streamed because of its length is as documented', async () => {
  const { id } = await aCampaign()
  await store.run(sql`
    insert into fundraising.campaigns (
      name, description, donation_minimum_cents, target_amount_cents, currency, status, starts_at, ends_at,
      account_iban, account_iban_valid, account_name, account_bank, created_at, updated_at
    )
    select
      name, description, donation_minimum_cents, target_amount_cents, currency, status, starts_at, ends_at,
      account_iban, account_iban_valid, account_name, account_bank, created_at, updated_at
    from fundraising.campaigns, generate_series(1, 600)
    where id = ${id}`)
  const operation = operations.find(({ name }) => name === 'GET /campaigns')
  assert.ok(operation)
  const answer = await visitor.get('/campaigns')
  assert.ok(answer.body.length > 600)
  assert.deepEqual(findUndocumented(operation, answer), [])
})
