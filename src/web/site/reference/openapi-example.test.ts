import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Schema } from './openapi-document.ts'
import { buildExample } from './openapi-example.ts'

const of = (schema: Schema, schemas: Record<string, Schema> = {}) => buildExample(schema, schemas)

test('what a schema gives as example comes first, then its default, then the first of its values', () => {
  assert.equal(of({ type: 'number', examples: [20, '20.50'], default: 5 }), 20)
  assert.deepEqual(of({ type: 'array', items: { type: 'number' }, examples: [[], [20, 50]] }), [20, 50])
  assert.equal(of({ enum: ['draft', 'open'], default: 'open' }), 'open')
  assert.equal(of({ enum: ['', 'prefix'] }), 'prefix')
  assert.equal(of({ const: false }), false)
})

test('formats, limits and the first type that is not null make a value that the schema allows', () => {
  assert.match(String(of({ type: ['null', 'string'], format: 'date-time' })), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  assert.match(String(of({ type: 'string', format: 'email' })), /@/)
  assert.equal(of({ type: 'integer', minimum: 50 }), 50)
  assert.equal(of({ type: 'integer', maximum: 0 }), 0)
  assert.deepEqual(of({ type: 'array', items: { type: 'integer' } }), [1])
  assert.deepEqual(of({ type: 'array', items: {}, maxItems: 0 }), [])
  assert.deepEqual(of({}), 'text')
})

test('references are followed, through lists and choices, and one that leads nowhere says nothing', () => {
  const schemas = { Venue: { type: 'object', properties: { id: { type: 'integer' } } } } as const
  const reference = { $ref: '#/components/schemas/Venue' }
  assert.deepEqual(of({ type: 'array', items: reference }, schemas), [{ id: 7 }])
  assert.deepEqual(of({ anyOf: [reference, { const: false }] }, schemas), { id: 7 })
  assert.equal(of({ $ref: '#/components/schemas/Nothing' }, schemas), 'text')
  assert.equal(of({ $ref: 'https://example.org/elsewhere.json' }, schemas), 'text')
})

test('schemas that contain themselves come to an end', () => {
  const node: Schema = { type: 'object', properties: { id: { type: 'integer' } } }
  const reference = { $ref: '#/components/schemas/Node' }
  node.properties = { ...node.properties, children: { type: 'array', items: reference }, next: { anyOf: [reference] } }
  assert.deepEqual(of(reference, { Node: node }), { id: 7, children: [{}], next: {} })
  assert.equal(of({ $ref: '#/components/schemas/A' }, { A: { $ref: '#/components/schemas/A' } }), 'text')
})

test('for a request there is what is required, also what is only required unless something else is said', () => {
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
