import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { type Document, startRouteCrawler } from '#test/support/crawl/route-crawler.ts'
import { silent } from '#test/support/database.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { startCampaignsAndCalendar } from '#test/support/services.ts'
import { createServer } from '../server.ts'
import { problemJson } from './errors.ts'
import type { RouteContext, Service } from './service.ts'

const { visitor, store, settings } = await startCampaignsAndCalendar()

interface Described {
  openapi: string
  info: { title: string; version: string }
  paths: Record<string, Record<string, { operationId: string; parameters: { name: string; in: string }[] }>>
}

const documents = ['/openapi.json', '/openapi/campaigns.json']

test('each document is OpenAPI 3.1 and needs no credentials', async () => {
  for (const path of documents) {
    const { status, headers, body } = await visitor.get(path)
    assert.equal(status, 200, path)
    assert.match(headers['content-type'] ?? '', /^application\/json/, path)
    assert.match(body.openapi, /^3\.1\.\d+$/, path)
    assert.ok(body.info.title !== '' && body.info.version !== '', path)
    assert.ok(Object.keys(body.paths).length > 0, path)
  }
})

test('exactly the parameters in a path are described as path parameters', async () => {
  for (const url of documents) {
    const { paths }: Described = (await visitor.get(url)).body
    for (const [path, methods] of Object.entries(paths)) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1]).sort()
      assert.doesNotMatch(path, /:/)
      for (const [method, { parameters }] of Object.entries(methods)) {
        const described = parameters.filter(parameter => parameter.in === 'path').map(({ name }) => name)
        assert.deepEqual(described.sort(), inPath, `${method} ${path}`)
        const all = parameters.map(parameter => `${parameter.in} ${parameter.name}`)
        assert.equal(new Set(all).size, all.length, `${method} ${path}`)
      }
    }
  }
})

test('every reference in a document has a target', async () => {
  for (const url of documents) {
    const { body, text } = await visitor.get(url)
    const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(match => match[1] ?? '')
    assert.ok(references.length > 0, url)
    for (const reference of new Set(references)) {
      assert.match(reference, /^#\//)
      const names = reference.slice(2).split('/')
      const found = names.reduce((inside, name) => inside?.[name], body)
      assert.equal(typeof found, 'object', reference)
    }
  }
})

test('every operation id is unique', async () => {
  for (const url of documents) {
    const { paths }: Described = (await visitor.get(url)).body
    const names = Object.values(paths).flatMap(methods => Object.values(methods).map(({ operationId }) => operationId))
    assert.equal(new Set(names).size, names.length, url)
    for (const name of names) assert.match(name, /^[a-z][A-Za-z0-9]+$/)
  }
})

// In the short check, test/contract/openapi.test.ts sends a valid request to each operation.
test('every operation in the document has a route', { skip: skipUnlessFull }, async () => {
  const { admin, operations, pathOf } = await startRouteCrawler()
  // Without these settings /mandate is not found.
  await admin.patch('/organisation', { legalName: 'Music School', creditorId: 'DE98ZZZ09999999999' })
  for (const operation of operations) {
    const { status } = await admin.send({ method: operation.method, url: await pathOf(operation) })
    assert.ok(status !== 404 && status !== 405, `${operation.name}: ${status}`)
  }
})

const aService = (routes: (scope: RouteContext) => void): Service => ({
  name: 'sample',
  title: 'Sample',
  errorFormat: problemJson,
  rules: [],
  examples: [],
  routes: [routes]
})
const start = async (routes: (scope: RouteContext) => void) =>
  await createServer([aService(routes)], { store: store, settings: settings, log: silent })

test('a route without a required role stops the start', async () => {
  const forgotten = start(({ app }) => {
    app.get('/forgotten', { schema: {}, handler: async () => 'for everybody?' })
  })
  await assert.rejects(forgotten, /GET \/forgotten does not declare the required role/)
})

test('a POST that creates a resource without accepting an Idempotency-Key stops the start', async () => {
  const forgotten = start(({ app }) => {
    app.post('/things', {
      config: { requires: 'public' },
      schema: { response: { 201: Type.Object({}) } },
      handler: async (_request, reply) => reply.code(201).send({})
    })
  })
  await assert.rejects(forgotten, /POST \/things .*Idempotency-Key/)
})

test('a route with all required declarations is documented', async () => {
  const server = await start(({ app }) => {
    app.post('/things/:thing/parts', {
      config: { requires: ['editor'], creates: true },
      schema: {
        summary: 'Make a part',
        params: Type.Object({ thing: Type.Integer() }),
        body: Type.Object({ size: Type.Number() }),
        response: { 201: Type.Object({ size: Type.Number() }) }
      },
      handler: async (request, reply) => reply.code(201).send({ size: request.body.size })
    })
  })
  const described = server.buildOpenApi('sample') as Described & Document
  assert.deepEqual(Object.keys(described.paths), ['/things/{thing}/parts'])
  const { post } = described.paths['/things/{thing}/parts'] ?? {}
  assert.deepEqual(
    post?.parameters.map(parameter => `${parameter.in} ${parameter.name}`),
    ['path thing', 'header Idempotency-Key']
  )
  assert.deepEqual(post?.['x-roles'], ['editor', 'admin'])
  await server.drain()
})
