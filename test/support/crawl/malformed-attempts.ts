import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { InjectOptions } from 'fastify'
import type { TestResponse } from '../services.ts'
import { fingerprintTables, type startRouteCrawler } from './route-crawler.ts'

export interface Attempt {
  what: string
  request: InjectOptions
  /** The request is valid, and may change the tables. */
  taken?: boolean
  /** The faults of the response; the format of error responses is checked for all attempts. */
  faults(answer: TestResponse): string[] | Promise<string[]>
}

export const expectSuccess = ({ status }: TestResponse) => (status >= 200 && status < 300 ? [] : ['should succeed'])
export const expectStatuses =
  (...statuses: number[]) =>
  (answer: TestResponse) =>
    statuses.includes(answer.status) ? [] : [`should be ${statuses.join(' or ')}`]

/** Sends all attempts and reports every fault at once: in a response, or in tables that a refused request changed. */
export function newAttemptRunner(
  crawler: Awaited<ReturnType<typeof startRouteCrawler>>,
  findFormatFaults: (answer: TestResponse) => string[]
) {
  const { admin } = crawler

  async function send({ what, request, faults: findFaults }: Attempt, faults: string[]): Promise<void> {
    const answer = await admin.send(request)
    const found = [...(await findFaults(answer)), ...(answer.status >= 400 ? findFormatFaults(answer) : [])]
    for (const fault of found) faults.push(`${what}: ${fault}, response ${answer.status} ${answer.text.slice(0, 300)}`)
  }

  /** Repeats the refused requests in halves, to find the ones that change something, and the tables. */
  async function findCulprits(malformed: Attempt[]): Promise<string[]> {
    const before = await fingerprintTables(crawler)
    for (const one of malformed) await admin.send(one.request)
    const after = await fingerprintTables(crawler)
    const changed = after.filter(({ name, digest }) => before.find(table => table.name === name)?.digest !== digest)
    if (changed.length === 0) return []
    if (malformed[0] !== undefined && malformed.length === 1) {
      return [`${malformed[0].what}: refused, but changed ${changed.map(({ name }) => name).join(', ')}`]
    }
    const half = Math.ceil(malformed.length / 2)
    return [...(await findCulprits(malformed.slice(0, half))), ...(await findCulprits(malformed.slice(half)))]
  }

  return async (attempts: Attempt[]): Promise<void> => {
    const faults: string[] = []
    const malformed = attempts.filter(({ taken }) => taken !== true)
    const before = await fingerprintTables(crawler)
    for (const one of malformed) await send(one, faults)
    const after = await fingerprintTables(crawler)
    if (faults.length === 0 && !isDeepStrictEqual(after, before)) {
      const found = await findCulprits(malformed)
      faults.push(
        ...(found.length > 0 ? found : ['a refused request changed the tables, but not when it was repeated'])
      )
    }
    for (const one of attempts) if (one.taken === true) await send(one, faults)
    assert.equal(faults.length, 0, `\n${faults.slice(0, 40).join('\n')}\n(${faults.length} faults)`)
  }
}
