import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaign, donation, startCampaigns } from '#test/support/services.ts'

const { admin, visitor, aCampaign } = await startCampaigns({
  env: { CURRENCY: 'CHF', PUBLIC_URL: 'https://give.example.org/api/', DEFAULT_LANGUAGE: 'de' }
})

test('amounts are in the currency of the settings', async () => {
  const created = await aCampaign({ donationMinimum: 19.5, currency: 'EUR' })
  assert.equal(created.currency, 'CHF')
  const refused = await visitor.post(`/campaigns/${created.id}/donations`, { ...donation, amount: 1 })
  assert.match(refused.body.errors[0].message, /mindestens 19,50\sCHF/)
  const { text } = await admin.get(`/campaigns/${created.id}/donations.csv`)
  assert.ok(text.startsWith('\ufeff'))
  await visitor.post(`/campaigns/${created.id}/donations`, donation)
  assert.match((await admin.get(`/campaigns/${created.id}/donations.csv`)).text, /;25,00;0,00;;CHF;/)
})

test('URLs in responses begin with PUBLIC_URL', async () => {
  const origin = 'https://give.example.org/api'
  const created = await admin.post('/campaigns', campaign)
  assert.equal(created.headers.location, `${origin}/campaigns/${created.body.id}`)
  await aCampaign()
  const path = `/campaigns/${created.body.id}/donations`
  const first = await visitor.post(path, donation)
  assert.equal(first.headers.location, `${origin}${path}/${first.body.id}`)
  await visitor.post(path, donation)
  assert.ok((await visitor.get('/campaigns?limit=1')).headers.link?.startsWith(`<${origin}/campaigns?`))
  assert.ok((await visitor.get(`${path}?limit=1`)).headers.link?.startsWith(`<${origin}${path}?`))
})

test('errors are in the default language if the request has no Accept-Language', async () => {
  const { headers, body } = await visitor.post('/campaigns/999999999/donations', donation)
  assert.equal(headers['content-language'], 'de')
  assert.equal(body.detail, 'Die Spendenaktion 999999999 gibt es nicht.')
  const english = await visitor.get('/campaigns/999999999', { 'accept-language': 'en' })
  assert.equal(english.body.detail, 'There is no campaign 999999999.')
})
