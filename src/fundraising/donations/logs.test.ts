import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Log } from '#platform/log.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { createDataLocation, sendRequest, startKalends, waitUntil } from '#test/support/kalends-process.ts'
import { adminKey, campaign, startCampaigns } from '#test/support/services.ts'
import { foldTotals } from '../campaigns/totals/totals.ts'

const donor = {
  amount: 25,
  donorName: 'Hedwig Verborgen',
  email: 'hedwig@geheim.example',
  account: { iban: 'DE02100500000054540402', name: 'Hedi Heimlich', nameOfBank: 'Verschwiegene Bank' }
}
const json = { 'content-type': 'application/json' }

/** Fails if the text contains an IBAN, an email address, the name of a donor or a key. */
function assertNoPersonalData(text: string, ...keys: string[]): void {
  assert.doesNotMatch(text, /DE02(?:\s|%20)*1005|5454(?:\s|%20)*0402/i)
  assert.doesNotMatch(text, /hedwig|verborgen|heimlich|geheim|verschwiegen/i)
  assert.doesNotMatch(text, /DE8937040044|kal_/)
  for (const key of keys) assert.ok(!text.includes(key))
}

function newCollectingLog(): { log: Log; lines: string[] } {
  const lines: string[] = []
  const write = (...parts: unknown[]) => {
    lines.push(JSON.stringify(parts))
  }
  return { log: { debug: write, info: write, warn: write, error: write }, lines }
}

test('the log of all kinds of requests for campaigns and donations contains no donor, IBAN, email address or key', async () => {
  const { log, lines } = newCollectingLog()
  const { admin, visitor, store, server, withRole, withKey } = await startCampaigns({ log })
  const treasurer = await withRole('treasurer')
  const { id } = (await admin.post('/campaigns', campaign)).body
  const path = `/campaigns/${id}/donations`
  const key = { 'idempotency-key': 'hedwig-geheim-1' }
  const donated = await visitor.post(path, donor, key)
  await visitor.post(path, donor, key)
  await visitor.post(path, { ...donor, amount: 26 }, key)
  await treasurer.get(path)
  await treasurer.get(`${path}/${donated.body.id}`)
  await treasurer.get(`${path}.csv`)
  await treasurer.patch(`${path}/${donated.body.id}`, { status: 'TRANSFERRED', email: 'hedwig@geheim.example' })
  await treasurer.patch(`${path}/${donated.body.id}`, { status: 'CANCELLED' })
  await treasurer.delete(`${path}/${donated.body.id}`)
  await admin.put(`/campaigns/${id}`, { ...campaign, account: donor.account })
  await foldTotals(store)

  for (const bad of [
    { ...donor, account: { ...donor.account, iban: 'DE02 1005' } },
    { ...donor, donorName: 'Hedwig\u0007' },
    { ...donor, email: 'hedwig@geheim' },
    { ...donor, status: donor.account.iban },
    { ...donor, amount: 1 },
    { ...donor, message: '\u0000hedwig@geheim.example' }
  ]) {
    assert.ok((await visitor.post(path, bad)).status >= 400)
  }
  const payload = JSON.stringify(donor)
  await visitor.send({ method: 'POST', url: path, headers: json, payload: payload.slice(0, -3) })
  await visitor.send({ method: 'POST', url: path, headers: { 'content-type': 'text/plain' }, payload })
  await visitor.get(`${path}?email=hedwig@geheim.example&iban=${donor.account.iban}&cursor=hedwig`)
  for (const address of [
    `/campaigns/${donor.account.iban}`,
    `/campaigns/${donor.account.iban.toLowerCase()}/donations`,
    '/campaigns/DE02%201005%200000%200054%205404%2002',
    `/donors/${donor.account.iban}/receipts`
  ]) {
    assert.equal((await visitor.get(address)).status, 404)
  }
  const wrong = `kal_${'a'.repeat(10)}_${'b'.repeat(32)}`
  assert.equal((await withKey(wrong).get('/campaigns')).status, 401)
  const basic = Buffer.from(`hedwig@geheim.example:${wrong}`).toString('base64')
  await visitor.get('/campaigns', { authorization: `Basic ${basic}` })
  await server.drain()

  assert.ok(lines.length > 25)
  assert.ok(lines.some(line => line.includes(`/campaigns/${id}/donations`)))
  assertNoPersonalData(lines.join('\n'), adminKey, basic)
})

test('a database error that quotes a row is logged without the row', {
  skip: skipUnlessFull
}, async () => {
  const dataLocation = await createDataLocation()
  const program = await startKalends({ ...dataLocation.env, ADMIN_KEY: adminKey, LOG_LEVEL: 'debug' })
  after(async () => {
    await program.stop()
    await dataLocation.remove()
  })
  const authorization = `Bearer ${adminKey}`
  const created = await sendRequest(`${program.url}/campaigns`, {
    method: 'POST',
    headers: { authorization },
    body: campaign
  })
  const donations = `${program.url}/campaigns/${created.body.id}/donations`
  const donated = await sendRequest(donations, { method: 'POST', body: donor })
  assert.equal(donated.status, 201)
  await dataLocation.query(`
    alter table fundraising.donations add constraint no_more check (amount_cents <> 6600) not valid;
    alter table fundraising.donations add constraint no_transfer check (status <> 'TRANSFERRED') not valid`)

  const failed = [
    await sendRequest(donations, { method: 'POST', body: { ...donor, amount: 66 } }),
    await sendRequest(donations, {
      method: 'POST',
      headers: { 'idempotency-key': 'k' },
      body: { ...donor, amount: 66 }
    }),
    await sendRequest(`${donations}/${donated.body.id}`, {
      method: 'PATCH',
      headers: { authorization },
      body: { status: 'TRANSFERRED' }
    })
  ]
  for (const { status, text, headers } of failed) {
    assert.equal(status, 500)
    assertNoPersonalData(text)
    const requestId = headers['x-request-id'] ?? ''
    await waitUntil(() => program.output().split(requestId).length > 2)
  }
  await program.stop()
  assert.equal(program.output().match(/"constraint":"no_(more|transfer)"/g)?.length, 3)
  assertNoPersonalData(program.stderr(), adminKey)
})
