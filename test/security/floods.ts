// Excessive requests against the whole program: it refuses them, keeps responding, and its memory does not grow.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { deflateSync, gzipSync } from 'node:zlib'
import { buildMultipartForm } from '../support/crawl/route-crawler.ts'
import { createDataLocation, type RunningKalends, startKalends } from '../support/kalends-process.ts'
import { type Finding, toFinding } from '../support/security/checks.ts'
import { adminKey, calendar, campaign, event } from '../support/services.ts'

/** Memory must not grow in the second half of them. */
const rounds = 12
/** More than the uncollected garbage of a busy moment. */
const growthMaxMb = 100
/** Processor time for one request, during which all others wait. */
const workMaxMs = 1000

interface Flood {
  what: string
  path: string
  method?: string
  headers?: Record<string, string>
  body?: string | Buffer
  statuses: number[]
}

const json = { 'content-type': 'application/json' }
const million = 1_000_000
/** Instead of a status, if the connection was closed. */
const closed = 0

function buildFloods(campaignId: number): Flood[] {
  const donations = `/campaigns/${campaignId}/donations`
  const post = (
    slowestFlood: string,
    path: string,
    body: string | Buffer,
    statuses: number[],
    headers: Record<string, string> = json
  ): Flood => ({
    ...{ what: slowestFlood, path, body, statuses, headers },
    method: 'POST'
  })
  const bomb = gzipSync(Buffer.alloc(100 * million, ' '))
  const laughs = Array.from({ length: 9 }, (_, n) => `<!ENTITY a${n + 1} "${`&a${n};`.repeat(10)}">`).join('')
  const xml = { 'content-type': 'application/xml' }
  const { headers: form = {}, payload: parts } = buildMultipartForm(
    Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`p${n}`, n]))
  )
  const anEvent = (description: string) => JSON.stringify({ ...event, description })
  return [
    post('gzip that becomes 100 MB', donations, bomb, [400, 415], { ...json, 'content-encoding': 'gzip' }),
    post('deflate that becomes 100 MB', `${calendar}/events`, deflateSync(Buffer.alloc(100 * million)), [400, 415], {
      ...json,
      'content-encoding': 'deflate'
    }),
    post('lists in lists', donations, '['.repeat(million / 2) + ']'.repeat(million / 2), [400]),
    post('objects in objects', `${calendar}/events`, `${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}`, [400]),
    post('100,000 fields', donations, `{${Array.from({ length: 100_000 }, (_, n) => `"${n}":1`).join()}}`, [400]),
    post('20 MB of JSON', donations, `{"a":"${'x'.repeat(20 * million)}"}`, [413, closed]),
    post('20 MB of a form', `${calendar}/events`, `a=${'x'.repeat(20 * million)}`, [413, closed], {
      'content-type': 'application/x-www-form-urlencoded'
    }),
    post('a hundred thousand pairs', `${calendar}/events`, 'a=1&'.repeat(100_000), [400], {
      'content-type': 'application/x-www-form-urlencoded'
    }),
    post('5,000 parts', `${calendar}/media`, parts as Buffer, [400, 413], form as Record<string, string>),
    post(
      '40 MB as a picture',
      `${calendar}/media`,
      buildMultipartForm({}, Buffer.alloc(40 * million)).payload as Buffer,
      [400, 413, closed],
      form as Record<string, string>
    ),
    post(
      'entities in entities',
      '/bank-statements',
      `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a0 "ha">${laughs}]><a>&a9;</a>`,
      [400],
      xml
    ),
    post('a million elements', '/bank-statements', `<Document>${'<a>'.repeat(300_000)}`, [400, 413, closed], xml),
    post('a long attribute', '/bank-statements', `<Document a="${'x'.repeat(5 * million)}">`, [400, 413, closed], xml),
    ...['<', '<a', '<b>', '<div>', '&', '<!--', '</p>', '<<b>', '<a href="', '\n \n', '<ul><li>', '<script>'].map(
      piece =>
        post(
          `400 KB of ${JSON.stringify(piece)}`,
          `${calendar}/events`,
          anEvent(piece.repeat(400_000 / piece.length)),
          [201, 400, 413]
        )
    ),
    { what: 'a million parameters', path: `/campaigns?${'a=1&'.repeat(million)}`, statuses: [431, closed] },
    { what: '3,000 parameters', path: `${calendar}/events?${'a[]=1&'.repeat(2500)}`, statuses: [200, 400, 431] },
    { what: 'a long path', path: `/${'a/'.repeat(7000)}`, statuses: [404, 414, 431] },
    {
      what: 'a header of 100 KB',
      path: '/campaigns',
      headers: { 'x-long': 'x'.repeat(100_000) },
      statuses: [431, closed]
    },
    {
      what: 'a thousand headers',
      path: '/campaigns',
      headers: Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`x-${n}`, 'y'])),
      // Node parses a thousand headers; if Host is not among them, the request is invalid.
      statuses: [200, 400, 431]
    },
    {
      what: 'a thousand languages',
      path: '/campaigns',
      headers: { 'accept-language': 'de;q=0.1,'.repeat(1500) },
      statuses: [200, 431]
    },
    {
      what: 'ten thousand tags',
      path: '/campaigns',
      headers: { 'if-none-match': '"a",'.repeat(3500) },
      statuses: [200, 431]
    }
  ]
}

export async function runFloods(): Promise<Finding[]> {
  const dataLocation = await createDataLocation()
  const limits = { RATE_LIMIT: '0', RATE_LIMIT_DONATIONS: '0' }
  const program = await startKalends({ ...dataLocation.env, ...limits, ADMIN_KEY: adminKey, LOG_LEVEL: 'warn' })
  const faults: string[] = []
  let isOver = false
  try {
    const created = await send(program.url, {
      ...{ what: 'a campaign', path: '/campaigns', method: 'POST', headers: json, statuses: [201] },
      body: JSON.stringify(campaign)
    })
    const all = buildFloods(JSON.parse(created.text).id)
    const watching = measureWaits(program.url, () => isOver)
    /** The minimum for each, because code is compiled in the first round. */
    const work = new Map<string, number>()
    let halfMb = 0
    for (let round = 1; round <= rounds; round += 1) {
      for (const flood of all) {
        const { ms, fault } = await attempt(program, flood)
        work.set(flood.what, Math.min(ms, work.get(flood.what) ?? ms))
        if (fault !== undefined && round === 1) faults.push(fault)
      }
      if (round === rounds / 2) halfMb = readMemoryMb(program.pid)
    }
    const endMb = readMemoryMb(program.pid)
    isOver = true
    const wait = await watching
    const [slowestFlood, most] = [...work].toSorted(([, one], [, other]) => other - one)[0] ?? ['', 0]
    if (endMb - halfMb > growthMaxMb) faults.push(`grew from ${halfMb} to ${endMb} MB`)
    for (const [one, ms] of work) if (ms > workMaxMs) faults.push(`${one} is ${ms} ms of work`)
    if (/"level":(?:50|60)/.test(program.output())) faults.push(`the log has errors: ${program.output().slice(-800)}`)
    const memory = `${halfMb} MB after half of it, ${endMb} MB at the end`
    const measured = `${all.length} kinds, ${rounds} times; ${memory}; most work ${most} ms (${slowestFlood}); others waited ${wait} ms (99 of 100)`
    return [
      toFinding('floods', measured, `refused, at most ${growthMaxMb} MB more and ${workMaxMs} ms of work`, faults)
    ]
  } finally {
    isOver = true
    await program.stop()
    await dataLocation.remove()
  }
}

async function attempt({ url, pid }: RunningKalends, flood: Flood): Promise<{ ms: number; fault: string | undefined }> {
  const before = readProcessorMs(pid)
  const { status, text } = await send(url, flood)
  const isFine = flood.statuses.includes(status)
  return {
    ms: readProcessorMs(pid) - before,
    fault: isFine ? undefined : `${flood.what}: ${status} ${text.slice(0, 200)}`
  }
}

/** Measures how long a normal request waits, several times a second; returns the 99th percentile. */
async function measureWaits(url: string, isOver: () => boolean): Promise<number> {
  const waits: number[] = []
  while (!isOver()) {
    const start = performance.now()
    await send(url, { what: 'a reader', path: '/livez', statuses: [200] })
    waits.push(performance.now() - start)
    await sleep(20)
  }
  return Math.round(waits.toSorted((one, other) => one - other)[Math.floor(waits.length * 0.99)] ?? 0)
}

/** A client that is still sending when the connection is closed may never read the response: `closed` counts as one. */
async function send(url: string, { method = 'GET', path, headers = {}, body }: Flood) {
  const all = { authorization: `Bearer ${adminKey}`, ...headers }
  const sent = request(url, { method, path, agent: false, headers: all })
  // Errors after the response do not matter.
  sent.on('error', () => undefined).end(body)
  try {
    const [answer] = await once(sent, 'response')
    let text = ''
    for await (const part of answer) text += part
    return { status: (answer.statusCode ?? 0) as number, text }
  } catch (error) {
    return { status: closed, text: String(error) }
  }
}

/** Resident memory of the process, in MB. */
function readMemoryMb(pid: number): number {
  const kb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kb) / 1024)
}

/** Processor time of the process so far, in ms: Linux counts hundredths of a second. */
function readProcessorMs(pid: number): number {
  const [, rest = ''] = /\) (.*)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
  return Number(rest.split(' ')[11]) * 10
}
