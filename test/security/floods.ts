// Too much of everything, against the whole program on a port: it refuses, goes on answering, and does not grow.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { deflateSync, gzipSync } from 'node:zlib'
import { newPlace, startKalends } from '../process.ts'
import { adminKey, calendar, campaign, event } from '../support.ts'
import { formOf } from '../walk.ts'
import { type Finding, finding } from './parts.ts'

const rounds = 10
/** More than its caches and the garbage of a busy moment. */
const growthMaxMb = 150
/** How long somebody else may wait meanwhile: nearly all of the time, and ever. */
const waitMaxMs = { nearlyAlways: 250, ever: 1500 }

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

function floods(campaignId: number): Flood[] {
  const donations = `/campaigns/${campaignId}/donations`
  const post = (
    what: string,
    path: string,
    body: string | Buffer,
    statuses: number[],
    headers: Record<string, string> = json
  ): Flood => ({
    ...{ what, path, body, statuses, headers },
    method: 'POST'
  })
  const bomb = gzipSync(Buffer.alloc(100 * million, ' '))
  const laughs = Array.from({ length: 9 }, (_, n) => `<!ENTITY a${n + 1} "${`&a${n};`.repeat(10)}">`).join('')
  const xml = { 'content-type': 'application/xml' }
  const { headers: form = {}, payload: parts } = formOf(
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
    post('20 MB of JSON', donations, `{"a":"${'x'.repeat(20 * million)}"}`, [413]),
    post('20 MB of a form', `${calendar}/events`, `a=${'x'.repeat(20 * million)}`, [413], {
      'content-type': 'application/x-www-form-urlencoded'
    }),
    post('a hundred thousand pairs', `${calendar}/events`, 'a=1&'.repeat(100_000), [400], {
      'content-type': 'application/x-www-form-urlencoded'
    }),
    post('5,000 parts', `${calendar}/media`, parts as Buffer, [400, 413], form as Record<string, string>),
    post(
      '40 MB as a picture',
      `${calendar}/media`,
      formOf({}, Buffer.alloc(40 * million)).payload as Buffer,
      [400, 413],
      form as Record<string, string>
    ),
    post(
      'entities in entities',
      '/bank-statements',
      `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a0 "ha">${laughs}]><a>&a9;</a>`,
      [400],
      xml
    ),
    post('a million elements', '/bank-statements', `<Document>${'<a>'.repeat(300_000)}`, [400, 413], xml),
    post('a long attribute', '/bank-statements', `<Document a="${'x'.repeat(5 * million)}">`, [400, 413], xml),
    ...['<', '<a', '<b>', '<div>', '&', '<!--', '</p>', '<<b>', '<a href="', '\n \n', '<ul><li>', '<script>'].map(
      piece =>
        post(
          `400 KB of ${JSON.stringify(piece)}`,
          `${calendar}/events`,
          anEvent(piece.repeat(400_000 / piece.length)),
          [201, 400, 413]
        )
    ),
    { what: 'a million parameters', path: `/campaigns?${'a=1&'.repeat(million)}`, statuses: [431] },
    { what: '3,000 parameters', path: `${calendar}/events?${'a[]=1&'.repeat(2500)}`, statuses: [200, 400, 431] },
    { what: 'a long path', path: `/${'a/'.repeat(7000)}`, statuses: [404, 414, 431] },
    { what: 'a header of 100 KB', path: '/campaigns', headers: { 'x-long': 'x'.repeat(100_000) }, statuses: [431] },
    {
      what: 'a thousand headers',
      path: '/campaigns',
      headers: Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`x-${n}`, 'y'])),
      statuses: [200, 431]
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

export async function floodsOf(): Promise<Finding[]> {
  const place = await newPlace()
  const program = await startKalends({
    ...place.env,
    ADMIN_KEY: adminKey,
    RATE_LIMIT: '0',
    RATE_LIMIT_DONATIONS: '0',
    LOG_LEVEL: 'warn'
  })
  const faults: string[] = []
  const waits: number[] = []
  let isOver = false
  try {
    const { id } = JSON.parse(
      (
        await send(program.url, {
          what: '',
          path: '/campaigns',
          method: 'POST',
          headers: json,
          body: JSON.stringify(campaign),
          statuses: [201]
        })
      ).text
    )
    const all = floods(id)
    const watching = watch(program.url, waits, () => isOver)
    await one(program.url, all, faults)
    const before = memoryOf(program.pid)
    for (let round = 1; round < rounds; round += 1) await one(program.url, all, [])
    await sleep(2000)
    const after = memoryOf(program.pid)
    isOver = true
    await watching
    if (after - before > growthMaxMb) faults.push(`grew from ${before} to ${after} MB`)
    const sorted = waits.toSorted((a, b) => a - b)
    const [nearly = 0, ever = 0] = [sorted[Math.floor(sorted.length * 0.99)], sorted.at(-1)]
    if (nearly > waitMaxMs.nearlyAlways || ever > waitMaxMs.ever)
      faults.push(`others waited ${Math.round(nearly)} ms, at most ${Math.round(ever)} ms`)
    if (/"level":(?:50|60)/.test(program.output())) faults.push(`the log has errors: ${program.output().slice(-800)}`)
    return [
      finding(
        'floods',
        `${all.length} kinds, ${rounds} times; ${before} MB, then ${after} MB; others waited ${Math.round(nearly)} ms (99 of 100), ${Math.round(ever)} ms at most`,
        `refused as they should be, ${growthMaxMb} MB more, ${waitMaxMs.nearlyAlways} ms and ${waitMaxMs.ever} ms`,
        faults
      )
    ]
  } finally {
    isOver = true
    await program.stop()
    await place.remove()
  }
}

async function one(url: string, all: Flood[], faults: string[]): Promise<void> {
  for (const flood of all) {
    const start = performance.now()
    const { status, text } = await send(url, flood)
    const ms = performance.now() - start
    if (!flood.statuses.includes(status)) faults.push(`${flood.what}: ${status} ${text.slice(0, 200)}`)
    if (ms > 3000) faults.push(`${flood.what}: took ${Math.round(ms)} ms`)
  }
}

/** How long an ordinary reader waits, several times a second. */
async function watch(url: string, waits: number[], isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const start = performance.now()
    await send(url, { what: '', path: '/livez', statuses: [200] })
    waits.push(performance.now() - start)
    await sleep(20)
  }
}

/** An answer may come before everything is sent, and end the connection: that is what is hoped for. */
async function send(
  url: string,
  { method = 'GET', path, headers = {}, body }: Flood
): Promise<{ status: number; text: string }> {
  const sent = request(url, {
    method,
    path,
    agent: false,
    headers: { authorization: `Bearer ${adminKey}`, ...headers }
  })
  const answered = once(sent, 'response')
  sent.on('error', () => undefined)
  sent.end(body)
  try {
    const [answer] = await answered
    let text = ''
    for await (const part of answer) text += part
    return { status: answer.statusCode ?? 0, text }
  } catch (error) {
    return { status: 0, text: String(error) }
  }
}

/** What the process holds, in MB. */
function memoryOf(pid: number): number {
  const kb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kb) / 1024)
}
