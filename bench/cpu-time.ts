import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Linux counts in hundredths of a second. */
const msPerTick = 10

/** The processor time that a process has used, and its children that have ended. Only Linux tells; elsewhere it is 0. */
export function readCpuMs(pid: number): number {
  const { ticks, ticksOfEnded } = readStat(pid) ?? { ticks: 0, ticksOfEnded: 0 }
  return (ticks + ticksOfEnded) * msPerTick
}

/** The same of PostgreSQL: all of its processes. */
export function readServerCpuMs(pid: number): number {
  const processes = existsSync('/proc') ? readdirSync('/proc') : []
  const children = processes.flatMap(name => {
    const stat = /^\d+$/.test(name) ? readStat(Number(name)) : undefined
    return stat?.parent === pid ? [stat.ticks * msPerTick] : []
  })
  return children.reduce((sum, ms) => sum + ms, readCpuMs(pid))
}

/** Undefined for a process that has ended. */
function readStat(pid: number): { parent: number; ticks: number; ticksOfEnded: number } | undefined {
  let text: string
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return undefined
  }
  // The name of the program may contain spaces and parentheses; the fields after it do not.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [, parent = 0] = fields
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15)
  return { parent, ticks: user + system, ticksOfEnded: endedUser + endedSystem }
}
