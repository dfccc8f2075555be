import { setTimeout as sleep } from 'node:timers/promises'
import { gatherCrowd } from '../crowd.ts'
import { send, until } from '../process.ts'
import { campaign, donation } from '../support.ts'
import {
  adminKey,
  aProgram,
  aServer,
  asAdmin,
  atMost,
  isSo,
  msUntil,
  nothingLost,
  type Part,
  statusOf
} from './part.ts'

/** SIGSTOP of PostgreSQL: nothing is refused, nothing answers. */
export const databaseFrozen: Part = {
  name: 'database-frozen',
  run: async given => {
    const server = await aServer(given)
    const { url } = await aProgram(given, { DATABASE_URL: server.databaseUrl })
    let trouble = false
    const crowd = await gatherCrowd({ url: async () => url, adminKey, isTrouble: () => trouble })
    given.onEnd(async () => crowd.scatter())
    const { body } = await send(`${url}/campaigns`, { method: 'POST', body: campaign, headers: asAdmin })
    const requests: [string, object][] = [
      [`/campaigns/${body.id}`, {}],
      ['/campaigns', {}],
      [`/campaigns/${body.id}/donations`, { method: 'POST', body: donation }],
      [`/campaigns/${body.id}`, { method: 'PUT', body: campaign, headers: asAdmin }],
      ['/calendar/events/v1/events', {}],
      ['/', { headers: { accept: 'text/html' } }]
    ]
    const rounds = given.quick ? 1 : 5
    let slowestMs = 0
    let slowestThawMs = 0
    const wrong: string[] = []
    const probes: string[] = []

    for (let round = 1; round <= rounds; round += 1) {
      await sleep(500)
      trouble = true
      const frozen = server.pids()
      for (const pid of frozen.toReversed()) process.kill(pid, 'SIGSTOP')
      given.onEnd(async () => thaw(frozen))
      const asked = requests.map(async ([path, request]) => {
        const began = performance.now()
        const status = await statusOf(url + path, request)
        slowestMs = Math.max(slowestMs, performance.now() - began)
        if (status !== 503) wrong.push(`${path}: ${status}`)
      })
      const [livez, readyz] = await Promise.all([statusOf(`${url}/livez`), statusOf(`${url}/readyz`)])
      probes.push(`${livez}/${readyz}`)
      await Promise.all(asked)
      thaw(frozen)
      const before = crowd.acknowledged()
      const thawMs = await msUntil(async () => crowd.acknowledged() > before, 20_000)
      slowestThawMs = Math.max(slowestThawMs, thawMs)
      await until(async () => (await statusOf(`${url}/readyz`)) === 200)
      await sleep(200)
      trouble = false
      given.say(`round ${round}: answered 503 within ${Math.round(slowestMs)} ms, again after ${Math.round(thawMs)} ms`)
    }

    return [
      isSo(
        'every request is answered 503',
        wrong.length === 0,
        wrong.join(', ') || `${rounds * requests.length} of them`
      ),
      // Five seconds are the promise; the rest is what a busy machine adds.
      atMost('the longest wait for it', slowestMs, 5500, 'ms'),
      isSo(
        'liveness and readiness meanwhile',
        probes.every(one => one === '200/503'),
        probes.join(' '),
        '200/503'
      ),
      atMost('donations again after the thaw', slowestThawMs, 2000, 'ms'),
      nothingLost(await crowd.count())
    ]
  }
}

function thaw(pids: number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGCONT')
    } catch (error) {
      // One that was told to end ends when it goes on.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}
