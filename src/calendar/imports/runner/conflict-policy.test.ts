import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Incoming } from '../sources/source.ts'
import { hashItem } from './conflict-policy.ts'

const event = (fields: object): Incoming => ({
  kind: 'event',
  sourceId: 'event-1',
  texts: { en: { title: 'Twice theatre' } },
  fields: { start_date: '2026-12-06 15:00:00', ...fields },
  problems: []
})

test('an event whose categories and tags come in another order is unchanged', () => {
  const one = event({ categories: ['category-7', 'category-11'], tags: ['tag-1', 'tag-2'] })
  const other = event({ tags: ['tag-2', 'tag-1'], categories: ['category-11', 'category-7'] })
  assert.deepEqual(hashItem(one), hashItem(other))
})

test('an event with another category, or with its organizers in another order, is changed', () => {
  const one = event({ categories: ['category-7'], organizer: ['organizer-1', 'organizer-2'] })
  const others = [
    event({ categories: ['category-11'], organizer: ['organizer-1', 'organizer-2'] }),
    event({ categories: ['category-7'], organizer: ['organizer-2', 'organizer-1'] })
  ]
  for (const other of others) assert.notDeepEqual(hashItem(one), hashItem(other))
})
