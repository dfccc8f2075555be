import pg from 'pg'
import {
  asAdmin,
  checkThat,
  type FaultScenario,
  startDatabaseServer,
  startProgram
} from '../support/faults/scenario.ts'
import { runKalends, sendRequest } from '../support/kalends-process.ts'
import { newRandom } from '../support/load.ts'
import { campaign, donation } from '../support/services.ts'

/** Concurrent changes of the same donations in random order: the totals must be correct in the end. */
export const collidingWrites: FaultScenario = {
  name: 'colliding-writes',
  run: async context => {
    const server = await startDatabaseServer(context)
    const env = { DATABASE_URL: server.databaseUrl }
    const { url, stop } = await startProgram(context, env)
    const chance = newRandom(context.seed)
    const campaigns: number[] = []
    const donations: { campaignId: number; id: string }[] = []
    for (let number = 0; number < 4; number += 1) {
      const created = await sendRequest(`${url}/campaigns`, { method: 'POST', body: campaign, headers: asAdmin })
      campaigns.push(created.body.id)
      for (let count = 0; count < 5; count += 1) {
        const donated = await sendRequest(`${url}/campaigns/${created.body.id}/donations`, {
          method: 'POST',
          body: donation
        })
        donations.push({ campaignId: created.body.id, id: donated.body.id })
      }
    }

    const until = performance.now() + (context.quick ? 5000 : 20_000)
    const statuses = new Map<number, number>()
    const unexpected: string[] = []
    await Promise.all(
      Array.from({ length: 24 }, async (_, worker) => {
        while (performance.now() < until) {
          const request = worker % 3 === 0 ? moveSeveral() : changeOne()
          const { status, text } = await sendRequest(url + request.path, { ...request, headers: asAdmin })
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
          if (![200, 409, 412, 422].includes(status)) unexpected.push(`${request.path}: ${status} ${text}`)
        }
      })
    )

    function moveSeveral() {
      const picked = donations.toSorted(() => chance() - 0.5).slice(0, 8)
      const status = chance() < 0.5 ? 'TRANSFERRED' : 'IN_PROCESS'
      return { method: 'POST', path: '/donations/status', body: { status, donations: picked } }
    }

    function changeOne() {
      const { campaignId, id } = donations[Math.floor(chance() * donations.length)] ?? { campaignId: 0, id: '' }
      const body = { amount: 5 + Math.floor(chance() * 10_000) / 100 }
      return { method: 'PATCH', path: `/campaigns/${campaignId}/donations/${id}`, body }
    }

    for (const line of unexpected.slice(0, 10)) context.log(line)
    let wrong = 0
    for (const id of campaigns) {
      const list = await sendRequest(`${url}/campaigns/${id}/donations?limit=200`, { headers: asAdmin })
      const cents = list.body.reduce((sum: number, { amount }: { amount: number }) => sum + Math.round(amount * 100), 0)
      const { body } = await sendRequest(`${url}/campaigns/${id}`)
      if (Math.round(body.amountDonatedSoFar * 100) !== cents || body.donationCount !== list.body.length) wrong += 1
    }
    const client = new pg.Client(server.databaseUrl)
    await client.connect()
    const { rows } = await client.query(
      'select deadlocks::int from pg_stat_database where datname = current_database()'
    )
    await client.end()
    await stop()
    const doctor = await runKalends(['doctor'], env)
    const seen = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')
    return [
      checkThat('collisions are retried, and no request fails with 5xx', unexpected.length === 0, seen, 'no 5xx'),
      checkThat('totals are the sums of the donations', wrong === 0, `${wrong} of ${campaigns.length} wrong`, '0'),
      checkThat(
        'doctor finds no problem',
        doctor.code === 0,
        `exit ${doctor.code}, ${rows[0]?.deadlocks} deadlocks`,
        'exit 0'
      )
    ]
  }
}
