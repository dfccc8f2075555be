import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCalendar } from '#test/support/services.ts'
import { acknowledgement } from './experimental.ts'

const { admin, visitor } = await startCalendar()
const tec = '/wp-json/tec/v1'
const experimental = { 'x-tec-eea': acknowledgement }

interface DocumentedOperation {
  summary: string
  tags: string[]
  security: object[]
  responses: Record<string, object>
  parameters: { name: string }[]
}

test('the document of tec/v1 describes parameters, errors and credentials, and what it allows is accepted', async () => {
  const { body: docs, text } = await visitor.get(`${tec}/docs`)
  assert.equal(docs.openapi, '3.0.4')
  for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g))
    assert.ok(docs.components.schemas[name], name)
  for (const [path, operations] of Object.entries<Record<string, DocumentedOperation>>(docs.paths)) {
    for (const [method, { summary, tags, security, responses, parameters }] of Object.entries(operations)) {
      const name = `${method} ${path}`
      assert.ok(summary.length > 0 && tags.length === 1 && responses[400] && responses.default, name)
      assert.equal(security.length, method === 'get' ? 3 : 2, name)
      assert.equal(responses[403] === undefined, method === 'get', name)
      assert.ok(
        parameters.some(one => one.name === 'X-TEC-EEA'),
        name
      )
    }
  }
  for (const path of ['/events', '/venues', '/organizers']) {
    const { parameters } = docs.paths[path].get
    const orders = parameters.find(({ name }: { name: string }) => name === 'orderby').schema.enum
    assert.ok(orders.length > 1)
    for (const order of orders)
      assert.equal((await visitor.get(`${tec}${path}?orderby=${order}`, experimental)).status, 200)
  }
  const { required, properties } = docs.paths['/events'].post.requestBody.content['application/json'].schema
  assert.deepEqual(required, ['title', 'start_date', 'end_date'])
  const fields = {
    title: 'Documented',
    start_date: '2027-05-01 10:00',
    end_date: '2027-05-01 11:00',
    cost: '5',
    tags: []
  }
  assert.deepEqual(
    Object.keys(fields).filter(name => properties[name] === undefined),
    []
  )
  const made = await admin.post(`${tec}/events`, fields, experimental)
  assert.deepEqual([made.status, made.body.title.rendered], [201, 'Documented'])
  const item = `${tec}/events/${made.body.id}`
  assert.ok(docs.paths['/events/{id}'].put && docs.paths['/events/{id}'].delete.responses[410])
  assert.equal((await admin.delete(item, experimental)).status, 200)
  assert.equal((await admin.delete(item, experimental)).status, 410)
  assert.equal((await admin.delete(`${item}?force=true`, experimental)).status, 200)
})
