import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listChanges } from './changes.ts'

test('only fields that differ are listed, and values only of those that may be shown, shortened', () => {
  const before = { title: ['Fest', 'Fair'], cost: '', password: 'a', sticky: false, same: { a: 1 } }
  const after = { title: ['Fest', 'x'.repeat(200)], cost: null, password: 'b', sticky: true, same: { a: 1 } }
  const { changed, changes } = listChanges(before, after, ['title', 'cost', 'sticky', 'same'])
  assert.deepEqual(changed, ['title', 'cost', 'password', 'sticky'])
  assert.deepEqual(changes, {
    title: ['Fest / Fair', `Fest / ${'x'.repeat(92)}…`],
    cost: ['', null],
    sticky: [false, true]
  })
})

test('a shortened value ends with a whole character', () => {
  const { changes } = listChanges({ name: '' }, { name: '🎻'.repeat(200) }, ['name'])
  assert.deepEqual(changes, { name: ['', `${'🎻'.repeat(99)}…`] })
})
