// docs/requirements.md names the tests of every requirement, and of every security finding that was fixed.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { regressionTests } from '../security/regressions.ts'
import { root } from '../support/project-root.ts'

const rows = readFileSync(join(root, 'docs/requirements.md'), 'utf8')
  .split('\n')
  .filter(line => line.startsWith('| ') && !line.startsWith('| requirement') && !line.startsWith('| finding'))
  .map(line => {
    const [, name = '', tests = ''] = line.split('|')
    return { name: name.trim(), files: [...tests.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path) }
  })

test('every requirement names test files, and all these files exist', () => {
  assert.ok(rows.length > 60, `only ${rows.length} rows`)
  const missing = rows.flatMap(({ name, files }) =>
    files.length === 0
      ? [`${name} names no test`]
      : files
          .filter(path => !path.endsWith('.test.ts') || !existsSync(join(root, path)))
          .map(path => `${name}: ${path}`)
  )
  assert.deepEqual(missing, [])
})

test('npm run test:security runs the tests of all listed security findings', () => {
  for (const [name, files] of Object.entries(regressionTests)) {
    assert.deepEqual(rows.find(row => row.name === name)?.files, files, name)
  }
})
