/** In the order of the table: requests that differ come first. */
export const sections = [
  'different requests in turn',
  'donations',
  'events written',
  'size of the calendar',
  'start and memory',
  'cached',
  'what browsers load',
  'filters'
] as const
export type Section = (typeof sections)[number]

/** One measured value. */
export interface Row {
  section: Section
  name: string
  /** What the limit is. */
  against?: string
  unit: 'per second' | 'µs' | 'MB' | 'KB' | 'ms' | 's'
  value: number
  limit: number | null
  ratio: number | null
  /** What floor and goal are about: the ratio to the limit, or the value itself. */
  bound: { of: 'ratio' | 'value'; is: 'at least' | 'at most'; floor: number | null; goal: number | null }
  /** Microseconds of processor time for one answer: of the process, of the limit, and of PostgreSQL. */
  cpu?: { ours: number; limit: number; database: number }
}

/** A value without a limit, where less is better. */
export function newValueRow(
  row: Pick<Row, 'section' | 'name' | 'unit' | 'value'> & { floor?: number; goal?: number }
): Row {
  const { floor = null, goal = null, ...rest } = row
  return { ...rest, limit: null, ratio: null, bound: { of: 'value', is: 'at most', floor, goal } }
}

export function isFloorBroken({ value, ratio, bound }: Row): boolean {
  return bound.floor !== null && !holds(bound, bound.of === 'ratio' ? ratio : value, bound.floor)
}

function isGoalReached({ value, ratio, bound }: Row): boolean {
  return bound.goal !== null && holds(bound, bound.of === 'ratio' ? ratio : value, bound.goal)
}

/** A measurement that failed (NaN) holds nothing. */
function holds({ is }: Row['bound'], value: number | null, bound: number): boolean {
  return value !== null && (is === 'at least' ? value >= bound : value <= bound)
}

/** The rows as a table in Markdown. */
export function formatRows(rows: Row[]): string {
  const head = ['measured', 'value', 'limit', 'ratio', 'floor', 'goal', '', 'µs', 'µs of the limit', 'µs of PostgreSQL']
  const lines = sections.flatMap(section => {
    const own = rows.filter(row => row.section === section)
    return own.length === 0 ? [] : [[`**${section}**`], ...own.map(formatRow)]
  })
  return formatTable(head, lines)
}

export function formatTable(head: string[], lines: string[][]): string {
  const widths = head.map((title, column) =>
    Math.max(3, title.length, ...lines.map(line => (line[column] ?? '').length))
  )
  const format = (cells: string[]) =>
    widths.map((width, column) => (cells[column] ?? '')[column === 0 ? 'padEnd' : 'padStart'](width)).join(' | ')
  return [head, widths.map(width => '-'.repeat(width)), ...lines].map(line => `| ${format(line)} |\n`).join('')
}

function formatRow(row: Row): string[] {
  const { name, against, unit, value, limit, ratio, bound, cpu } = row
  const formatBound = (number: number | null) => {
    if (number === null) return ''
    return bound.of === 'ratio' ? formatRatio(number, bound) : formatAmount(number, unit)
  }
  return [
    against === undefined ? name : `${name}, of ${against}`,
    formatAmount(value, unit),
    limit === null ? '' : formatAmount(limit, unit),
    ratio === null ? '' : formatRatio(ratio, bound),
    formatBound(bound.floor),
    formatBound(bound.goal),
    isFloorBroken(row) ? 'FLOOR BROKEN' : isGoalReached(row) ? 'goal reached' : '',
    ...[cpu?.ours, cpu?.limit, cpu?.database].map(us => (us === undefined ? '' : String(Math.round(us))))
  ]
}

/** What should be near or above 1 in percent, what should be small as a multiple. */
function formatRatio(ratio: number, { is }: Row['bound']): string {
  return is === 'at least' ? `${Math.round(ratio * 100)} %` : `${ratio.toFixed(1)} x`
}

function formatAmount(value: number, unit: Row['unit']): string {
  const digits = value >= 100 || unit === 'per second' ? 0 : value >= 10 ? 1 : 2
  return `${value.toFixed(digits)}${unit === 'per second' ? '/s' : ` ${unit}`}`
}
