import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitUntil } from '#test/support/kalends-process.ts'
import { startCampaigns } from '#test/support/services.ts'

const { admin, visitor, withRole, aCampaign } = await startCampaigns()

test('the response of /health is exactly as specified', async () => {
  const { status, headers, text } = await visitor.get('/health')
  assert.equal(status, 200)
  assert.equal(text, '{"alive": true}')
  assert.match(headers['content-type'] ?? '', /^application\/json/)
})

test('a working process is alive and ready', async () => {
  for (const path of ['/livez', '/readyz']) {
    const { status, body } = await visitor.get(path)
    assert.equal(status, 200, path)
    assert.deepEqual(body, { status: 'ok' }, path)
  }
})

test('metrics need no credentials for local callers, and the role admin for others', async () => {
  const remoteRequest = { url: '/metrics', remoteAddress: '192.0.2.1' }
  assert.equal((await visitor.get('/metrics')).status, 200)
  assert.equal((await visitor.get('/metrics', { 'x-forwarded-for': '127.0.0.1' })).status, 401)
  assert.equal((await visitor.send(remoteRequest)).status, 401)
  assert.equal((await (await withRole('treasurer')).send(remoteRequest)).status, 403)
  assert.equal((await admin.send(remoteRequest)).status, 200)
})

test('metrics have the Prometheus format and include those of the process', async () => {
  const { headers, text } = await visitor.get('/metrics')
  assert.match(headers['content-type'] ?? '', /^text\/plain/)
  assert.match(text, /^# TYPE kalends_http_request_duration_seconds histogram$/m)
  assert.match(text, /^process_cpu_seconds_total \d/m)
})

test('requests are counted by method, route pattern and status', async () => {
  const { id } = await aCampaign()
  const expectations: [path: string, times: number, labels: string][] = [
    [`/campaigns/${id}`, 3, 'method="GET",route="/campaigns/:campaignId",status="200"'],
    ['/campaigns/987654321', 2, 'method="GET",route="/campaigns/:campaignId",status="404"']
  ]
  for (const [path, times, labels] of expectations) {
    const before = await count(labels)
    for (let number = 0; number < times; number += 1) await visitor.get(path)
    await waitUntil(async () => (await count(labels)) === before + times)
  }
  assert.doesNotMatch((await visitor.get('/metrics')).text, /987654321/)
})

test('requests for unknown paths are counted under one label, so that clients cannot create metrics', async () => {
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
