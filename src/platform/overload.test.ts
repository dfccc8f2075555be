import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '#test/process.ts'
import { campaign, startCampaigns } from '#test/support.ts'

const { admin, visitor, store, aCampaign } = await startCampaigns()
const { id } = await aCampaign()
const path = `/campaigns/${id}`

/** Everybody who wants to change the campaign waits for as long as the work takes. */
async function whileHeld(work: () => Promise<void>): Promise<void> {
  await store.transaction(async tx => {
    await tx.script(`select id from fundraising.campaigns where id = ${id} for update`)
    await work()
  })
}

test('B9 whoever comes while too many are being served is told at once to come again, and probes are answered', async () => {
  const inside: Promise<{ status: number }>[] = []
  await whileHeld(async () => {
    for (let count = 0; count < 200; count += 1) inside.push(admin.put(path, campaign))
    await until(async () => (await visitor.get(path)).status === 503)
    const { status, headers, body } = await visitor.get(path, { 'accept-language': 'de' })
    assert.equal(status, 503)
    assert.equal(body.code, 'overloaded')
    assert.match(body.detail, /mehr Anfragen/)
    assert.equal(headers['retry-after'], '1')
    assert.match(headers['content-type'] ?? '', /^application\/problem\+json/)
    for (const probe of ['/livez', '/readyz', '/health', '/metrics']) {
      assert.equal((await visitor.get(probe)).status, 200, probe)
    }
    assert.match((await visitor.get('/metrics')).text, /^kalends_requests_refused [1-9]/m)
  })
  const statuses = new Set((await Promise.all(inside)).map(({ status }) => status))
  for (const status of statuses) assert.ok([200, 503].includes(status), String(status))
})

test('B9 when those who were in are served, everybody is let in again', async () => {
  await until(async () => (await visitor.get(path)).status === 200)
  const answers = await Promise.all(Array.from({ length: 100 }, async () => await visitor.get(path)))
  assert.ok(answers.every(({ status }) => status === 200))
})
