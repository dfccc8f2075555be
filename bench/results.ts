// Results of whole runs, kept per machine and day: what a table in the documentation is made of.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { findDebianServer } from '#test/support/postgres-server.ts'
import { root } from '#test/support/project-root.ts'
import { connections, measureMs, rounds } from './options.ts'
import { formatRows, type Row } from './table.ts'

const folder = join(root, 'bench', 'results')

interface RunResults {
  date: string
  machine: string
  rounds: number
  measureMs: number
  connections: number
  rows: Row[]
}

export function newResults(rows: Row[]): RunResults {
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: describeMachine(),
    rounds,
    measureMs,
    connections,
    rows
  }
}

export function formatResults({ date, machine, rows, ...run }: RunResults): string {
  const how = `medians of ${run.rounds} rounds of ${run.measureMs} ms, ${run.connections} connections`
  return `${date}, ${machine}; ${how}.\n\n${formatRows(rows)}`
}

/** Writes them as JSON and Markdown; returns the path of the Markdown. */
export function writeResults(results: RunResults): string {
  const processors = cpus()
  const model = `${processors.length}x-${processors[0]?.model ?? 'unknown'}`.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  const file = join(folder, `${model.replace(/^-|-$/g, '')}-${results.date}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${file}.json`, `${JSON.stringify(results, null, 2)}\n`)
  writeFileSync(`${file}.md`, formatResults(results))
  return `${file}.md`
}

export function readLastResults(): RunResults {
  const files = readdirSync(folder)
    .filter(name => name.endsWith('.json'))
    .map(name => join(folder, name))
  const [last] = files.toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
  if (last === undefined) throw new Error(`There are no results in ${folder} yet: npm run bench writes them.`)
  return JSON.parse(readFileSync(last, 'utf8'))
}

export function describeMachine(): string {
  const processors = cpus()
  const { stdout } = spawnSync(join(findDebianServer() ?? '', 'postgres'), ['--version'], { encoding: 'utf8' })
  const memory = Math.round(totalmem() / 2 ** 30)
  return `${processors.length} × ${processors[0]?.model}, ${memory} GB, Node ${process.version}, ${stdout?.trim() ?? 'bundled PostgreSQL'}`
}
