// docs/asvs.md claims what is met and by what: every requirement stands there once, and everything that is named is there.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../support/project-root.ts'
import { startCampaigns } from '../support/services.ts'

const page = readFileSync(join(root, 'docs', 'asvs.md'), 'utf8')
const rows = [...page.matchAll(/^\| (\d+\.\d+\.\d+(?:-\d+\.\d+\.\d+)?) \| ([^|]+) \| ([^|]+) \| ([^|]*) \|$/gm)].map(
  ([, number = '', words = '', met = '', by = '']) => ({ number, words, met, by })
)
/** Of levels 1 and 2 in version 5.0.0; those that a range stands for are written behind it. */
const requirements = 253

test('every requirement of levels 1 and 2 stands in the table once', () => {
  const numbers = rows.map(({ number }) => number)
  assert.equal(new Set(numbers).size, numbers.length)
  const count = rows.reduce((sum, { number, words }) => {
    return sum + (number.includes('-') ? Number(/\((\d+)\)$/.exec(words)?.[1]) : 1)
  }, 0)
  assert.equal(count, requirements)
  assert.deepEqual(
    rows.filter(({ met }) => !['yes', 'no', 'does not apply'].includes(met)).map(({ number }) => number),
    []
  )
})

test('nothing is met without a file that is named and there, and what is not met says why', () => {
  const faults = rows.flatMap(({ number, met, by }) => {
    const named = [...by.matchAll(/`([\w./-]+\.\w+)`/g)].map(([, path = '']) => path)
    const files = named.filter(path => path.includes('/') || existsSync(join(root, path)))
    const missing = files.filter(path => !existsSync(join(root, path))).map(path => `${number}: ${path} is not there`)
    if (met === 'yes' && files.length === 0) return [`${number} is met by nothing that is named`, ...missing]
    if (met === 'no' && by.length < 20) return [`${number} does not say why`, ...missing]
    return missing
  })
  assert.deepEqual(faults, [])
})

test('TRACE is answered nowhere', async () => {
  const { server } = await startCampaigns()
  for (const url of ['/', '/campaigns', '/site']) {
    const answer = await server.app.inject({ method: 'TRACE' as 'GET', url, headers: { 'x-secret': 'echo me' } })
    assert.ok(answer.statusCode >= 400 && answer.statusCode < 500, `${url}: ${answer.statusCode}`)
    assert.doesNotMatch(answer.body, /echo me/)
  }
})
