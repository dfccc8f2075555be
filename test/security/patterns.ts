// No regular expression of the program may take super-linear time on any input.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Finding, toFinding, toSkippedFinding } from '../support/security/checks.ts'
import { captureBuiltPatterns, listWrittenPatterns, type Pattern } from '../support/security/pattern-source.ts'

/** The longest text of a visitor that is searched. */
const attackLength = 50_000
/** All other requests wait during this time. */
const longestMs = 50
/** Patterns of these files are applied to at most this many characters. */
const lengthLimits: Record<string, number> = { 'src/fundraising/payments/statements/parsers/table-values.ts': 40 }

export async function checkPatterns(): Promise<Finding[]> {
  const all = await listAllPatterns()
  return [checkPatternsUnderLoad(all), ...(await analyse(all))]
}

/** All patterns once, including those built from strings. */
export async function listAllPatterns(): Promise<Pattern[]> {
  const built = await captureBuiltPatterns(async () => {
    await Promise.all([import('#calendar/service.ts'), import('#fundraising/service.ts'), import('#web/service.ts')])
  })
  const each = new Map<string, Pattern>()
  for (const one of [...listWrittenPatterns(), ...built]) {
    const key = `${one.flags} ${one.source}`
    const known = each.get(key)?.where
    const where = known === undefined || known.split(', ').includes(one.where) ? one.where : `${known}, ${one.where}`
    each.set(key, { ...one, where })
  }
  return [...each.values()]
}

/** Repeated to provoke backtracking: common characters, and those of the pattern itself. */
const usualPumps = [
  ' ',
  '\t',
  '\n',
  '\r\n',
  'a',
  'A',
  '0',
  '-',
  '.',
  '/',
  '<',
  '(',
  '[',
  '"',
  '&',
  ',',
  '@',
  'ä',
  'a ',
  'a,'
]

/** Four times the text takes four times as long if time is linear, and sixteen times if it is quadratic. */
const linearGrowthAtMost = 7
/** Shorter times are not precise enough to be compared. */
const comparableMs = 4

/** Every pattern against long texts that repeat one string and end with a character that does not match. */
export function checkPatternGrowth(all: Pattern[]): Finding {
  const length = 10_000
  const faults: string[] = []
  for (const { source, flags, where } of all) {
    for (const pump of listPumps(source)) {
      const ms = measureMs(source, flags, pumpText(pump, length))
      if (ms < comparableMs) continue
      const growth = measureMs(source, flags, pumpText(pump, 4 * length)) / ms
      if (growth <= linearGrowthAtMost) continue
      faults.push(`${where} /${source}/${flags} takes ${growth.toFixed(1)} times as long for ${JSON.stringify(pump)}`)
      break
    }
  }
  const measured = `${all.length} patterns, ${length} and ${4 * length} characters`
  return toFinding(
    'growth of patterns',
    measured,
    `at most ${linearGrowthAtMost} times as long for 4 times the text`,
    faults
  )
}

function listPumps(source: string): Set<string> {
  return new Set([...usualPumps, ...source.replace(/\\[a-zA-Z]|[\\^$()|?*+{}]/g, '')])
}

function pumpText(pump: string, length: number): string {
  return `${pump.repeat(length / pump.length)}\u0001`
}

/** Every pattern against long texts that repeat one string and end with a character that does not match. */
function checkPatternsUnderLoad(all: Pattern[], length = attackLength, limitMs = longestMs): Finding {
  let slowest = { ms: 0, what: '' }
  let tried = 0
  const faults: string[] = []
  for (const { source, flags, where } of all) {
    for (const pump of listPumps(source)) {
      tried += 1
      const ms = measureMs(source, flags, pumpText(pump, length))
      if (ms > slowest.ms) slowest = { ms, what: `/${source}/ on ${JSON.stringify(pump)}` }
      if (ms > limitMs) {
        faults.push(`${where} /${source}/${flags} takes ${Math.round(ms)} ms for ${length} of ${JSON.stringify(pump)}`)
        break
      }
    }
  }
  const measured = `${all.length} patterns, ${tried} texts of ${length} characters, slowest ${slowest.ms.toFixed(1)} ms`
  return toFinding('patterns', measured, `${limitMs} ms for each`, faults)
}

/** Processor time, so that other load does not count. The minimum of two, because the first run compiles the pattern. */
function measureMs(source: string, flags: string, text: string): number {
  const pattern = new RegExp(source, flags)
  const times = [1, 2].map(() => {
    const start = process.cpuUsage()
    text.replace(pattern, '')
    return process.cpuUsage(start).user / 1000
  })
  return Math.min(...times)
}

interface Verdict {
  status: 'safe' | 'vulnerable' | 'unknown'
  complexity?: { type: string; summary: string }
  attack?: { pumps: { prefix: string; pump: string }[]; suffix: string }
}
type Check = (source: string, flags: string, options: { timeout: number }) => Verdict

/** The analysis of each pattern by recheck; the attack that it finds is measured. */
async function analyse(all: Pattern[]): Promise<Finding[]> {
  const folder = mkdtempSync(join(tmpdir(), 'kalends-recheck-'))
  try {
    const check = installRecheck(folder)
    if (check === undefined)
      return [toSkippedFinding('patterns, analysed', 'recheck could not be fetched from the registry')]
    const counts: Record<string, number> = {}
    const faults: string[] = []
    // Patterns without unbounded repetition are safe.
    for (const { source, flags, where } of all.filter(one => /[*+]|,\}/.test(one.source))) {
      const { status, complexity, attack } = check(source, flags.replace(/[dvy]/g, ''), { timeout: 3000 })
      const kind = complexity?.type ?? status
      counts[kind] = (counts[kind] ?? 0) + 1
      if (status !== 'vulnerable' || attack === undefined) continue
      const fits = Math.floor(
        (lengthLimits[where] ?? attackLength) / attack.pumps.reduce((sum, { pump }) => sum + pump.length, 0)
      )
      const text = attack.pumps.map(({ prefix, pump }) => prefix + pump.repeat(fits)).join('') + attack.suffix
      // An exponential pattern would not finish.
      const ms = kind === 'exponential' ? Number.POSITIVE_INFINITY : measureMs(source, flags, text)
      if (ms > longestMs) faults.push(`${where} /${source}/${flags} is ${complexity?.summary}: ${ms.toFixed(0)} ms`)
    }
    const measured = Object.entries(counts).map(([kind, count]) => `${count} ${kind}`)
    const limit = `none exponential, none over ${longestMs} ms for the worst ${attackLength} characters`
    return [toFinding('patterns, analysed', measured.join(', '), limit, faults)]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Installed for the run only, because it brings binaries for other platforms. */
function installRecheck(folder: string): Check | undefined {
  const words = ['install', '--prefix', folder, '--omit=optional', '--ignore-scripts', '--no-audit', 'recheck@4.5.0']
  const { status } = spawnSync('npm', words, { stdio: 'ignore', timeout: 120_000 })
  if (status !== 0) return undefined
  return createRequire(join(folder, 'index.js'))('recheck/lib/browser.js').checkSync
}
