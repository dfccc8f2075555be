// What every part of the fault programme has in common.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Tally } from '../crowd.ts'
import { asOwner, inDatabase } from '../database.ts'
import { type Started, send, startKalends } from '../process.ts'
import { type RealServer, type ServerOptions, startServer } from '../server.ts'

export interface Part {
  name: string
  /** Without it the part is left out, and says so. */
  needsRoot?: boolean
  run(given: Given): Promise<Result[]>
}

/** A row of the table at the end. */
export interface Result {
  what: string
  measured: string
  limit: string
  passed: boolean
}

export interface Given {
  quick: boolean
  minutes: number
  seed: number
  /** Tells whoever waits. */
  say(text: string): void
  /** Is done when the part is over, in whatever way; the last first. */
  onEnd(work: () => Promise<unknown> | undefined): void
}

export const adminKey = 'the-key-of-the-fault-programme'
export const asAdmin = { authorization: `Bearer ${adminKey}` }

/** The real program, with these settings; ended with the part. */
export async function aProgram(given: Given, env: Record<string, string>, program?: string): Promise<Started> {
  const settings = { LOG_LEVEL: 'warn', ADMIN_KEY: adminKey, DRAIN_SECONDS: '0', ...env }
  const started = await startKalends(settings, ['serve'], program === undefined ? {} : { program })
  given.onEnd(() => started.kill())
  return started
}

/** A PostgreSQL of its own with an empty database; ended with the part. */
export async function aServer(
  given: Given,
  options: ServerOptions = {}
): Promise<RealServer & { databaseUrl: string }> {
  const server = await startServer('tcp', options)
  given.onEnd(server.stop)
  await asOwner(server.url, 'create database kalends')
  return { ...server, databaseUrl: inDatabase(server.url, 'kalends') }
}

/** A folder for an embedded store; gone with the part. */
export async function aDataDir(given: Given): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kalends-faults-'))
  given.onEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
  return folder
}

/** How long it takes until it is so. */
export async function msUntil(isSo: () => Promise<boolean>, withinMs: number): Promise<number> {
  const began = performance.now()
  while (!(await isSo())) {
    if (performance.now() - began > withinMs) return Number.POSITIVE_INFINITY
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  return performance.now() - began
}

/** The status of an answer; 0 where there was none. */
export async function statusOf(url: string, request: Parameters<typeof send>[1] = {}): Promise<number> {
  try {
    return (await send(url, request)).status
  } catch {
    return 0
  }
}

/** Something that has an upper limit. */
export function atMost(what: string, value: number, limit: number, unit: string): Result {
  return { what, measured: `${shown(value)} ${unit}`, limit: `≤ ${limit} ${unit}`, passed: value <= limit }
}

export function isSo(what: string, passed: boolean, measured: string, limit = 'so'): Result {
  return { what, measured, limit, passed }
}

/** What people who donated meanwhile found. */
export function nothingLost(tally: Tally): Result {
  const { acknowledged, retried, lost, doubled, faults } = tally
  for (const line of [...lost, ...doubled, ...faults].slice(0, 20)) console.log(`    ${line}`)
  return {
    what: 'donations kept, once, and in the totals',
    measured: `${acknowledged} acknowledged, ${retried} sent again: ${lost.length} lost, ${doubled.length} doubled, ${faults.length} other faults`,
    limit: '0, 0, 0',
    passed: acknowledged > 0 && lost.length + doubled.length + faults.length === 0
  }
}

export function medianOf(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}

export const shown = (value: number) =>
  value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(value < 1 ? 1 : 3)))
