import assert from 'node:assert/strict'
import { test } from 'node:test'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { startCampaignsAndCalendar, startServices } from '#test/support/services.ts'
import { newWebService } from './service.ts'

const services = await startCampaignsAndCalendar({ env: { TRUST_PROXY: 'loopback' } })
const apiUrl = await services.server.app.listen({ host: '127.0.0.1', port: 0 })

test('a web process without the services requests their data over HTTP', { skip: skipUnlessFull }, async () => {
  const campaign = {
    name: 'A roof',
    donationMinimum: 5,
    targetAmount: 800,
    account: { iban: 'DE89370400440532013000', name: 'School' }
  }
  assert.equal((await services.admin.post('/campaigns', campaign)).status, 201)
  const { visitor } = await startServices([newWebService], { env: { API_URL: apiUrl } })
  const page = await visitor.get('/en/donate')
  assert.equal(page.status, 200)
  assert.match(page.text, /A roof/)
})

test('pages respond 503 with Retry-After while the services are unavailable', async () => {
  const { visitor } = await startServices([newWebService], { env: { API_URL: 'http://127.0.0.1:9' } })
  const page = await visitor.get('/en/donate', { accept: 'text/html' })
  assert.equal(page.status, 503)
  assert.equal(page.headers['retry-after'], '2')
  assert.match(page.text, /<h1>Back in a moment<\/h1>/)
})
