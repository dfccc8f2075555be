// sqlmap, a tool for SQL injections, on a selection of URLs with user input in SQL.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installFromDebian } from '../support/debian.ts'
import { createDataLocation, startKalends } from '../support/kalends-process.ts'
import { type Effort, type Finding, toFinding, toSkippedFinding } from '../support/security/checks.ts'
import { adminKey, calendar } from '../support/services.ts'

interface Target {
  path: string
  body?: object
  /** The parameters to test, if not all. */
  only?: string
}

const targets: Target[] = [
  {
    path: `${calendar}/events?search=a&categories=music&start_date=2027-01-01&orderby=title`,
    only: 'search,categories,start_date,orderby'
  },
  { path: `${calendar}/venues?search=a&include=1`, only: 'search,include' },
  { path: `${calendar}/categories?search=a&slug=music&orderby=name`, only: 'search,slug,orderby' },
  { path: `${calendar}/events/by-slug/concert*` },
  { path: '/donations?search=a&status=IN_PROCESS&from=2026-01-01T00:00:00Z', only: 'search,status,from' },
  { path: '/campaigns?limit=10&cursor=MQ', only: 'limit,cursor' },
  { path: '/activity?limit=10&subject=campaign', only: 'limit,subject' },
  { path: '/sessions', body: { email: 'ada@example.org', password: 'wrong' } },
  { path: '/en/calendar?search=a&category=music', only: 'search,category' }
]

export async function runSqlmap({ minutes }: Effort): Promise<Finding[]> {
  if (!isSqlmapInstalled() && !installFromDebian('sqlmap', 'sqlmap'))
    return [toSkippedFinding('sqlmap', 'not installed, and installing it needs root')]
  const dataLocation = await createDataLocation()
  const folder = mkdtempSync(join(tmpdir(), 'kalends-sqlmap-'))
  const program = await startKalends({ ...dataLocation.env, ADMIN_KEY: adminKey, RATE_LIMIT: '0', LOG_LEVEL: 'warn' })
  const faults: string[] = []
  let tested = 0
  const until = Date.now() + minutes * 60_000
  try {
    for (const { path, body, only } of targets) {
      const left = until - Date.now()
      if (left < 5000) break
      const words = [
        ...[
          '-u',
          program.url + path,
          '--batch',
          '--flush-session',
          '--dbms=PostgreSQL',
          '--level=2',
          '--risk=1',
          '--threads=2'
        ],
        ...[
          '--technique=BEUQ',
          '--timeout=10',
          '--retries=0',
          '--disable-coloring',
          `--output-dir=${folder}`,
          '--ignore-code=*'
        ],
        ...[`--header=Authorization: Bearer ${adminKey}`],
        ...(only === undefined ? [] : ['-p', only]),
        ...(body === undefined ? [] : ['--data', JSON.stringify(body), '--header=Content-Type: application/json'])
      ]
      const child = spawn('sqlmap', words, { stdio: ['ignore', 'pipe', 'pipe'], cwd: folder })
      let output = ''
      child.stdout.setEncoding('utf8').on('data', part => (output += part))
      const timer = setTimeout(() => child.kill('SIGKILL'), left)
      const [, signal] = await once(child, 'close')
      clearTimeout(timer)
      if (signal === 'SIGKILL') break
      tested += 1
      const found = /sqlmap identified the following injection point[\s\S]{0,600}|is vulnerable[^\n]*/.exec(output)?.[0]
      if (found !== undefined) faults.push(`${path}: ${found}`)
      else if (!output.includes('do not appear to be injectable')) faults.push(`${path}: ${output.slice(-500)}`)
    }
    if (/"level":(?:50|60)/.test(program.output())) faults.push(`the log has errors: ${program.output().slice(-500)}`)
  } finally {
    await program.stop()
    await dataLocation.remove()
    rmSync(folder, { recursive: true, force: true })
  }
  const rest = tested < targets.length ? `, the limit of ${minutes} minutes was reached before the rest` : ''
  return [toFinding('sqlmap', `${tested} of ${targets.length} URLs${rest}`, 'no injection point', faults)]
}

function isSqlmapInstalled(): boolean {
  return spawnSync('sqlmap', ['--version'], { stdio: 'ignore' }).status === 0
}
