// test: own process, long, full
// The quick parts of `npm run test:security`, with a fixed seed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRouteCrawler } from '../support/crawl/route-crawler.ts'
import { isFullRun } from '../support/full-run.ts'
import type { Effort, Finding } from '../support/security/checks.ts'
import { findRegexLiterals } from '../support/security/pattern-source.ts'
import { fuzz } from './fuzz.ts'
import { checkMassAssignment } from './mass-assignment.ts'
import { checkDonationModel } from './model-donations.ts'
import { checkEventModel } from './model-events.ts'
import { checkPinnedVersions } from './packages.ts'
import { checkPatternGrowth, listAllPatterns } from './patterns.ts'
import { checkForeignParts } from './rights.ts'

const modelCases = isFullRun ? 8 : 3
const effort: Effort = { seed: 2026, cases: 1, minutes: 1, only: '' }

function assertPassed(findings: Finding[]): void {
  const faults = findings.flatMap(({ name, faults: own = [] }) => own.map(fault => `${name}: ${fault.slice(0, 1000)}`))
  assert.equal(faults.length, 0, `\n${faults.slice(0, 20).join('\n')}\n(${faults.length} faults)`)
}

// This test is first, because regular expressions can only be captured in modules that are not loaded yet.
test('no regular expression of the program takes super-linear time on long texts', async () => {
  const all = await listAllPatterns()
  assert.ok(all.length > 350, `only ${all.length} patterns are found`)
  assertPassed([checkPatternGrowth(all)])
})

test('regular expression literals are found in code, and not in strings, comments and divisions', () => {
  const text = [
    "const one = /a[/]b/gi.exec(text) ?? 'no / here / at all'",
    '// nor /here/',
    'const half = width / 2 / height',
    'const inside = `\x24{text.replace(/c+$/, "")} / \x24{a / b} /d/`',
    'split(/\\s*[,/]\\s*/) ?? (isSo ? /e/ : /f/u)'
  ].join('\n')
  const found = findRegexLiterals(text).map(({ source, flags }) => `${source} ${flags}`.trim())
  assert.deepEqual(found, ['a[/]b gi', 'c+$', '\\s*[,/]\\s*', 'e', 'f u'])
})

test('a regular expression of quadratic time is found', () => {
  const { passed } = checkPatternGrowth([{ source: '\\s+$', flags: '', where: 'here' }])
  assert.equal(passed, false)
})

test('every package is pinned to a version and a digest, and none has an install script', () => {
  assertPassed([checkPinnedVersions()])
})

test('every operation responds as documented to generated requests', async () => {
  assertPassed(await fuzz(effort))
})

test('campaigns and donations match the model after random sequences of operations', async () => {
  assertPassed(await checkDonationModel({ ...effort, cases: modelCases }))
})

test('events, terms and venues match the model after random sequences of operations', async () => {
  assertPassed(await checkEventModel({ ...effort, cases: modelCases }))
})

test('no column can be written by sending its name (mass assignment)', async () => {
  assertPassed(await checkMassAssignment(effort))
})

test('an item is not found under the parent of another item', async () => {
  const crawler = await startRouteCrawler()
  assertPassed([await checkForeignParts(crawler, crawler.operations)])
})
