import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptySql, Sql, sql, toLiteral } from './sql.ts'

test('values are parameters and never part of the text', () => {
  const hostile = "'; drop table fundraising.donations; --"
  const statement = sql`select name from keys where name = ${hostile} and id = ${7}`
  assert.equal(statement.text, 'select name from keys where name = $1 and id = $2')
  assert.deepEqual(statement.values, [hostile, 7])
})

test('a nested statement becomes part of the text, and its parameters are renumbered', () => {
  const inner = sql`b = ${'b'} and c = ${'c'}`
  const outer = sql`select 1 where a = ${'a'} and (${inner}) and d = ${'d'}`
  assert.equal(outer.text, 'select 1 where a = $1 and (b = $2 and c = $3) and d = $4')
  assert.deepEqual(outer.values, ['a', 'b', 'c', 'd'])
})

test('a statement can be used twice and nested deeper', () => {
  const one = sql`x = ${1}`
  const two = sql`(${one} or ${one})`
  const three = sql`select ${0} where ${two} and ${one}`
  assert.equal(three.text, 'select $1 where (x = $2 or x = $3) and x = $4')
  assert.deepEqual(three.values, [0, 1, 1, 1])
})

test('more than nine parameters are numbered correctly', () => {
  const ten = sql`${1}, ${2}, ${3}, ${4}, ${5}, ${6}, ${7}, ${8}, ${9}, ${10}`
  const all = sql`select ${0}, ${ten}`
  assert.equal(all.text, 'select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11')
  assert.deepEqual(all.values, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
})

test('a value that looks like a parameter stays a value', () => {
  const statement = sql`select ${'$1'} ${sql`where a = ${'$2'}`}`
  assert.equal(statement.text, 'select $1 where a = $2')
  assert.deepEqual(statement.values, ['$1', '$2'])
})

test('null and undefined are values too', () => {
  assert.deepEqual(sql`select ${null}, ${undefined}`.values, [null, undefined])
})

test('emptySql adds no text and no values', () => {
  const statement = sql`select 1 ${emptySql} where a = ${1}`
  assert.equal(statement.text, 'select 1  where a = $1')
  assert.deepEqual(statement.values, [1])
})

test('a literal is part of the text and has to be a whole number', () => {
  const statement = sql`select 1 limit ${toLiteral(51)} offset ${toLiteral(-1)}`
  assert.equal(statement.text, 'select 1 limit 51 offset -1')
  assert.deepEqual(statement.values, [])
  const refused = [1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, '1; drop table x' as unknown as number]
  for (const number of refused) assert.throws(() => toLiteral(number), /Not a whole number/)
})

test('statements with the same text have the same name, others another one', () => {
  const statement = (id: number) => sql`select 1 where id = ${id}`
  assert.equal(statement(1).name, statement(2).name)
  assert.equal(new Sql('select 1 where id = $1', [3]).name, statement(1).name)
  assert.notEqual(sql`select 1 where id <> ${1}`.name, statement(1).name)
  assert.notEqual(sql`select 1 limit ${toLiteral(1)}`.name, sql`select 1 limit ${toLiteral(2)}`.name)
})

test('a statement name is short enough for PostgreSQL', () => {
  const long = new Sql(`select ${'1, '.repeat(5000)} 1`, [])
  assert.match(long.name, /^[\w-]{10,63}$/)
})
