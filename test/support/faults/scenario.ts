// Shared helpers of the fault scenarios.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runAsOwner, toDatabaseUrl } from '../database.ts'
import { type RunningKalends, sendRequest, startKalends } from '../kalends-process.ts'
import type { LoadReport } from '../load.ts'
import { type RealServer, type ServerOptions, startPostgresServer } from '../postgres-server.ts'

export interface FaultScenario {
  name: string
  /** Without root the scenario is skipped with a message. */
  needsRoot?: boolean
  run(context: ScenarioContext): Promise<Result[]>
}

/** A row of the table that is printed at the end. */
export interface Result {
  what: string
  measured: string
  limit: string
  passed: boolean
}

export interface ScenarioContext {
  quick: boolean
  minutes: number
  seed: number
  /** Prints progress. */
  log(text: string): void
  /** Runs when the scenario has ended or failed, in reverse order. */
  onCleanup(work: () => Promise<unknown> | undefined): void
}

export const adminKey = 'the-key-of-the-fault-programme'
/** What unit and image set: without it, memory and response times depend on the machine. */
const nodeSettings = { NODE_OPTIONS: '--max-old-space-size=1024 --v8-pool-size=1', MALLOC_ARENA_MAX: '2' }
export const asAdmin = { authorization: `Bearer ${adminKey}` }

/** Starts the real program with these settings; stopped after the scenario. */
export async function startProgram(
  context: ScenarioContext,
  env: Record<string, string>,
  program?: string
): Promise<RunningKalends> {
  const settings = { LOG_LEVEL: 'warn', ADMIN_KEY: adminKey, DRAIN_SECONDS: '0', ...nodeSettings, ...env }
  const started = await startKalends(settings, ['serve'], program === undefined ? {} : { program })
  context.onCleanup(() => started.kill())
  return started
}

/** Starts a PostgreSQL server with an empty database; stopped after the scenario. */
export async function startDatabaseServer(
  context: ScenarioContext,
  options: ServerOptions = {}
): Promise<RealServer & { databaseUrl: string }> {
  const server = await startPostgresServer('tcp', options)
  context.onCleanup(server.stop)
  await runAsOwner(server.url, 'create database kalends')
  return { ...server, databaseUrl: toDatabaseUrl(server.url, 'kalends') }
}

/** A folder for an embedded store; removed after the scenario. */
export async function createDataDir(context: ScenarioContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kalends-faults-'))
  context.onCleanup(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
  return folder
}

/** Milliseconds until the condition holds. */
export async function measureUntil(condition: () => Promise<boolean>, withinMs: number): Promise<number> {
  const startedAt = performance.now()
  while (!(await condition())) {
    if (performance.now() - startedAt > withinMs) return Number.POSITIVE_INFINITY
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  return performance.now() - startedAt
}

/** The status of the response; 0 if there was none. */
export async function readStatus(url: string, request: Parameters<typeof sendRequest>[1] = {}): Promise<number> {
  try {
    return (await sendRequest(url, request)).status
  } catch {
    return 0
  }
}

/** A result with an upper limit. */
export function checkAtMost(what: string, value: number, limit: number, unit: string): Result {
  return { what, measured: `${formatNumber(value)} ${unit}`, limit: `≤ ${limit} ${unit}`, passed: value <= limit }
}

export function checkThat(what: string, passed: boolean, measured: string, limit = 'so'): Result {
  return { what, measured, limit, passed }
}

/** The result of the donations that were sent during the fault. */
export function checkNothingLost(report: LoadReport): Result {
  const { acknowledged, retried, lost, doubled, faults } = report
  for (const line of [...lost, ...doubled, ...faults].slice(0, 20)) console.log(`    ${line}`)
  return {
    what: 'donations are stored once and counted in the totals',
    measured: `${acknowledged} acknowledged, ${retried} retried: ${lost.length} lost, ${doubled.length} doubled, ${faults.length} other faults`,
    limit: '0, 0, 0',
    passed: acknowledged > 0 && lost.length + doubled.length + faults.length === 0
  }
}

export function getMedian(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}

export const formatNumber = (value: number) =>
  value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(value < 1 ? 1 : 3)))
