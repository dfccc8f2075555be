import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { Nullable } from './nullable.ts'
import { buildResponseFilter } from './response-filter.ts'

const person = Type.Object({ name: Type.String(), age: Type.Optional(Type.Integer()) })

test('a value without undeclared members is returned unchanged', () => {
  const filter = buildResponseFilter(Type.Object({ id: Type.Integer(), people: Type.Array(person) }))
  const value = { people: [{ age: 3, name: 'Ada' }, { name: 'Bo' }], id: 1 }
  assert.equal(filter(value), value)
})

test('undeclared members are removed at every depth, and the original value is not changed', () => {
  const filter = buildResponseFilter(
    Type.Object({
      people: Type.Array(person),
      first: Nullable(person),
      owner: Type.Union([person, Type.Literal(false)]),
      places: Type.Union([person, Type.Array(person)]),
      byName: Type.Unsafe({ type: 'object', additionalProperties: person })
    })
  )
  const ada = { secret: 1, name: 'Ada' }
  const value = {
    secret: 1,
    people: [{ name: 'Bo' }, ada],
    first: ada,
    owner: ada,
    places: [ada],
    byName: { ada }
  }
  const before = JSON.stringify(value)
  const clean = { name: 'Ada' }
  const expected = {
    people: [{ name: 'Bo' }, clean],
    first: clean,
    owner: clean,
    places: [clean],
    byName: { ada: clean }
  }
  assert.equal(JSON.stringify(filter(value)), JSON.stringify(expected))
  assert.equal(JSON.stringify(value), before)
  assert.deepEqual(filter<object>({ first: null, owner: false, places: ada }), {
    first: null,
    owner: false,
    places: clean
  })
})

test('null, undefined, dates, empty objects and empty arrays are kept', () => {
  const filter = buildResponseFilter(
    Type.Object({ at: Type.String(), person, list: Type.Array(person), none: Type.Array(Type.Any(), { maxItems: 0 }) })
  )
  for (const value of [{ at: new Date(0), list: [], none: [] }, { at: null, person: undefined, list: null }, {}]) {
    assert.equal(filter<object>(value), value)
  }
  assert.deepEqual(filter({ none: ['secret'] }), { none: [] })
})

test('an object that is declared as open is not filtered', () => {
  const filter = buildResponseFilter(Type.Object({ any: Type.Unsafe({ type: 'object', additionalProperties: true }) }))
  assert.deepEqual(filter({ any: { thing: { inside: 1 } }, other: 1 } as object), { any: { thing: { inside: 1 } } })
})

test('a value of another type than the declared one is an error', () => {
  const filter = buildResponseFilter(
    Type.Object({
      text: Type.Optional(Type.String()),
      person: Type.Optional(person),
      list: Type.Optional(Type.Array(person)),
      byName: Type.Unsafe({ type: 'object', additionalProperties: person })
    })
  )
  const values = [
    { text: { secret: 1 } },
    { text: ['secret'] },
    { person: [] },
    { person: 'secret' },
    { list: {} },
    { list: ['secret'] },
    { byName: { secret: 'secret' } },
    []
  ]
  for (const value of values) assert.throws(() => filter<unknown>(value), /does not declare/, JSON.stringify(value))
})

test('a schema that leaves open what a response contains is refused', () => {
  for (const schema of [{}, { properties: {} }, Type.Object({ any: Type.Any() }), { type: 'array' }]) {
    assert.throws(() => buildResponseFilter(schema), /must have a type/)
  }
  const other = Type.Object({ id: Type.Integer() })
  assert.throws(() => buildResponseFilter(Type.Union([person, other])), /must differ in type/)
})
