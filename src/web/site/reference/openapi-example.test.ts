import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Schema } from './openapi-document.ts'
import { buildExample } from './openapi-example.ts'

const build = (schema: Schema, schemas: Record<string, Schema> = {}) => buildExample(schema, schemas)

test('an example is the example of the schema, else its default, else its first enum value', () => {
  assert.equal(build({ type: 'number', examples: [20, '20.50'], default: 5 }), 20)
  assert.deepEqual(build({ type: 'array', items: { type: 'number' }, examples: [[], [20, 50]] }), [20, 50])
  assert.equal(build({ enum: ['draft', 'open'], default: 'open' }), 'open')
  assert.equal(build({ enum: ['', 'prefix'] }), 'prefix')
  assert.equal(build({ const: false }), false)
})

test('an example respects format, limits and the first type that is not null', () => {
  assert.match(String(build({ type: ['null', 'string'], format: 'date-time' })), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  assert.match(String(build({ type: 'string', format: 'email' })), /@/)
  assert.equal(build({ type: 'integer', minimum: 50 }), 50)
  assert.equal(build({ type: 'integer', maximum: 0 }), 0)
  assert.deepEqual(build({ type: 'array', items: { type: 'integer' } }), [1])
  assert.deepEqual(build({ type: 'array', items: {}, maxItems: 0 }), [])
  assert.deepEqual(build({}), 'text')
})

test('references are resolved, also in arrays and anyOf; an unknown reference is a text', () => {
  const schemas = { Venue: { type: 'object', properties: { id: { type: 'integer' } } } } as const
  const reference = { $ref: '#/components/schemas/Venue' }
  assert.deepEqual(build({ type: 'array', items: reference }, schemas), [{ id: 7 }])
  assert.deepEqual(build({ anyOf: [reference, { const: false }] }, schemas), { id: 7 })
  assert.equal(build({ $ref: '#/components/schemas/Nothing' }, schemas), 'text')
  assert.equal(build({ $ref: 'https://example.org/elsewhere.json' }, schemas), 'text')
})

test('recursive schemas end after one level', () => {
  const node: Schema = { type: 'object', properties: { id: { type: 'integer' } } }
  const reference = { $ref: '#/components/schemas/Node' }
  node.properties = { ...node.properties, children: { type: 'array', items: reference }, next: { anyOf: [reference] } }
  assert.deepEqual(build(reference, { Node: node }), { id: 7, children: [{}], next: {} })
  assert.equal(build({ $ref: '#/components/schemas/A' }, { A: { $ref: '#/components/schemas/A' } }), 'text')
})

test('the example of a request has only required properties, those of else included, or one property if none is required', () => {
  const schema: Schema = {
    type: 'object',
    properties: {
      amount: { type: 'number' },
      message: { type: 'string' },
      account: {
        type: 'object',
        required: ['iban'],
        properties: { iban: { type: 'string' }, name: { type: 'string' } }
      }
    },
    required: ['amount'],
    else: { required: ['account'] }
  }
  assert.deepEqual(buildExample(schema, {}, { requiredOnly: true }), {
    amount: 25,
    account: { iban: 'DE89370400440532013000' }
  })
  const change: Schema = { type: 'object', properties: { title: { type: 'string' }, cost: { type: 'string' } } }
  assert.deepEqual(buildExample(change, {}, { requiredOnly: true }), { title: 'Summer concert' })
})
