// docs/asvs.md lists every requirement once, with the files that meet it, and all these files exist.
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
/** Of levels 1 and 2 in version 5.0.0; a range has its number of requirements in parentheses. */
const requirements = 253

test('every requirement of levels 1 and 2 is in the table once', () => {
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

test('every requirement that is met names existing files, and every other one has a reason', () => {
  const faults = rows.flatMap(({ number, met, by }) => {
    const named = [...by.matchAll(/`([\w./-]+\.\w+)`/g)].map(([, path = '']) => path)
    const files = named.filter(path => path.includes('/') || existsSync(join(root, path)))
    const missing = files.filter(path => !existsSync(join(root, path))).map(path => `${number}: ${path} does not exist`)
    if (met === 'yes' && files.length === 0) return [`${number} names no file`, ...missing]
    if (met === 'no' && by.length < 20) return [`${number} does not say why`, ...missing]
    return missing
  })
  assert.deepEqual(faults, [])
})

test('TRACE requests are refused and not echoed', async () => {
  const { server } = await startCampaigns()
  for (const url of ['/', '/campaigns', '/site']) {
    const answer = await server.app.inject({ method: 'TRACE' as 'GET', url, headers: { 'x-secret': 'echo me' } })
    assert.ok(answer.statusCode >= 400 && answer.statusCode < 500, `${url}: ${answer.statusCode}`)
    assert.doesNotMatch(answer.body, /echo me/)
  }
})
