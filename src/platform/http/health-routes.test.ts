import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitUntil } from '#test/support/kalends-process.ts'
import { startCampaigns } from '#test/support/services.ts'

const { admin, visitor, withRole, aCampaign } = await startCampaigns()

test('health is answered to the letter', async () => {
  const { status, headers, text } = await visitor.get('/health')
  assert.equal(status, 200)
  assert.equal(text, '{"alive": true}')
  assert.match(headers['content-type'] ?? '', /^application\/json/)
})

test('a process that works lives and is ready', async () => {
  for (const path of ['/livez', '/readyz']) {
    const { status, body } = await visitor.get(path)
    assert.equal(status, 200, path)
    assert.deepEqual(body, { status: 'ok' }, path)
  }
})

test('figures are for callers at this machine, and for admins elsewhere', async () => {
  const elsewhere = { url: '/metrics', remoteAddress: '192.0.2.1' }
  assert.equal((await visitor.get('/metrics')).status, 200)
  assert.equal((await visitor.get('/metrics', { 'x-forwarded-for': '127.0.0.1' })).status, 401)
  assert.equal((await visitor.send(elsewhere)).status, 401)
  assert.equal((await (await withRole('treasurer')).send(elsewhere)).status, 403)
  assert.equal((await admin.send(elsewhere)).status, 200)
})

test('figures are in the form of Prometheus, and about the process too', async () => {
  const { headers, text } = await visitor.get('/metrics')
  assert.match(headers['content-type'] ?? '', /^text\/plain/)
  assert.match(text, /^# TYPE kalends_http_request_duration_seconds histogram$/m)
  assert.match(text, /^process_cpu_seconds_total \d/m)
})

test('a request is counted under the pattern of its route, by method and status', async () => {
  const { id } = await aCampaign()
  const asked: [path: string, times: number, labels: string][] = [
    [`/campaigns/${id}`, 3, 'method="GET",route="/campaigns/:campaignId",status="200"'],
    ['/campaigns/987654321', 2, 'method="GET",route="/campaigns/:campaignId",status="404"']
  ]
  for (const [path, times, labels] of asked) {
    const before = await count(labels)
    for (let number = 0; number < times; number += 1) await visitor.get(path)
    await waitUntil(async () => (await count(labels)) === before + times)
  }
  assert.doesNotMatch((await visitor.get('/metrics')).text, /987654321/)
})

test('addresses that do not exist are counted as one, so that nobody can make figures without end', async () => {
  const labels = 'method="GET",route="none",status="404"'
  const before = await count(labels)
  for (let number = 0; number < 20; number += 1) await visitor.get(`/nowhere/${number}`)
  await waitUntil(async () => (await count(labels)) === before + 20)
  assert.doesNotMatch((await visitor.get('/metrics')).text, /nowhere/)
})

async function count(labels: string): Promise<number> {
  const { text } = await visitor.get('/metrics')
  const line = text.split('\n').find(one => one.startsWith(`kalends_http_request_duration_seconds_count{${labels}}`))
  return line === undefined ? 0 : Number(line.split(' ').at(-1))
}
