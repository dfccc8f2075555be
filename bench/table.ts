import { spawnSync } from 'node:child_process'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { findDebianServer } from '#test/support/postgres-server.ts'
import { busy, rounds, sliceMs } from './options.ts'

/**
 * One figure. With a limit beside it, floor and goal are shares of that limit; without one they are about the value
 * itself, and less is better.
 */
export interface Row {
  name: string
  /** What the limit is. */
  against?: string
  connections?: number
  unit: 'per second' | 'MB' | 'KB' | 'ms' | 's'
  value: number
  limit: number | null
  ratio: number | null
  floor: number | null
  goal: number | null
  /** Microseconds of processor time for one answer: of the process, of the limit, and of PostgreSQL. */
  cpu?: { ours: number; limit: number; database: number }
}

export function isBelowFloor({ value, ratio, floor }: Row): boolean {
  if (floor === null) return false
  return ratio === null ? value > floor : ratio < floor
}

function isGoalReached({ value, ratio, goal }: Row): boolean {
  if (goal === null) return false
  return ratio === null ? value <= goal : ratio >= goal
}

/** A line for every name, with the ratio at each number of connections. */
export function printTable(rows: Row[]): void {
  const names = [...new Set(rows.map(nameInTable))]
  const lines = names.map(name => lineOf(rows.filter(row => nameInTable(row) === name)))
  const head = ['measured', 'value', 'limit', '1', '8', String(busy), 'floor', 'goal', '', 'µs', 'limit', 'database']
  console.log(`${machine()}\nMedians of ${rounds} rounds of ${sliceMs} ms; values at ${busy} connections.\n`)
  printLines(head, lines)
}

/** As a table of Markdown, for the documents. */
export function printLines(head: string[], lines: string[][]): void {
  const widths = head.map((title, column) => Math.max(title.length, ...lines.map(line => (line[column] ?? '').length)))
  const printed = (cells: string[]) =>
    cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
  for (const line of [head, widths.map(width => '-'.repeat(width)), ...lines]) {
    console.log(`| ${printed(line).join(' | ')} |`)
  }
  console.log('')
}

const nameInTable = ({ name, against }: Row) => (against === undefined ? name : `${name}, of ${against}`)

function lineOf(rows: Row[]): string[] {
  const main = rows.find(row => row.connections === busy) ?? rows[0]
  if (main === undefined) throw new Error('A line without a row.')
  const share = (ratio: number | null | undefined) => (ratio == null ? '' : `${Math.round(ratio * 100)} %`)
  const ratioAt = (connections: number) => share(rows.find(row => row.connections === connections)?.ratio)
  const bound = (value: number | null) => (main.ratio === null ? amount(value, main.unit) : share(value))
  return [
    nameInTable(main),
    amount(main.value, main.unit),
    amount(main.limit, main.unit),
    ratioAt(1),
    ratioAt(8),
    main.connections === undefined ? share(main.ratio) : ratioAt(busy),
    bound(main.floor),
    bound(main.goal),
    isBelowFloor(main) ? 'BELOW FLOOR' : isGoalReached(main) ? 'goal reached' : '',
    ...[main.cpu?.ours, main.cpu?.limit, main.cpu?.database].map(us => (us === undefined ? '' : String(Math.round(us))))
  ]
}

function amount(value: number | null, unit: Row['unit']): string {
  if (value === null) return ''
  const digits = value >= 100 || unit === 'per second' ? 0 : value >= 10 ? 1 : 2
  return `${value.toFixed(digits)}${unit === 'per second' ? '/s' : ` ${unit}`}`
}

export function machine(): string {
  const processors = cpus()
  const version = spawnSync(join(findDebianServer() ?? '', 'postgres'), ['--version'])
    .stdout?.toString()
    .trim()
  const memory = Math.round(totalmem() / 2 ** 30)
  return `${new Date().toISOString().slice(0, 10)}, ${processors.length} × ${processors[0]?.model}, ${memory} GB, Node ${process.version}, ${version}`
}
