// test: own process, long, full
// The quick parts of `npm run test:security`, with the same attempts each time.
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

function passes(findings: Finding[]): void {
  const faults = findings.flatMap(({ name, faults: own = [] }) => own.map(fault => `${name}: ${fault.slice(0, 1000)}`))
  assert.equal(faults.length, 0, `\n${faults.slice(0, 20).join('\n')}\n(${faults.length} faults)`)
}

// First, because only patterns of modules that are loaded later can be captured when they are built.
test('no pattern of the program keeps it busy, however long the text', async () => {
  const all = await listAllPatterns()
  assert.ok(all.length > 350, `Only ${all.length} patterns are found.`)
  passes([checkPatternGrowth(all)])
})

test('patterns are found wherever they stand in a program', () => {
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

test('a pattern that grows with the square of a text is noticed', () => {
  const { passed } = checkPatternGrowth([{ source: '\\s+$', flags: '', where: 'here' }])
  assert.equal(passed, false)
})

test('every package has one version and a digest, and none runs anything when it is installed', () => {
  passes([checkPinnedVersions()])
})

test('every operation answers as documented to requests that nobody has thought of', async () => {
  passes(await fuzz(effort))
})

test('campaigns and donations are what their rules make of them, whatever the order of what is done', async () => {
  passes(await checkDonationModel({ ...effort, cases: modelCases }))
})

test('events, terms and venues are what their rules make of them, whatever the order of what is done', async () => {
  passes(await checkEventModel({ ...effort, cases: modelCases }))
})

test('no column of any table can be written by naming it', async () => {
  passes(await checkMassAssignment(effort))
})

test('a part of one thing is not found under another', async () => {
  const crawler = await startRouteCrawler()
  passes([await checkForeignParts(crawler, crawler.operations)])
})
