import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCampaigns } from '#test/support/services.ts'
import type { Campaign } from '../campaigns/schema.ts'
import { seedFundraising } from './seed.ts'

const { admin, visitor, store, settings } = await startCampaigns()
const now = new Date()
const seededCount = await seedFundraising(store, settings, {}, now)

test('the sample campaigns are in two languages and show the variants of a campaign, and a second seed creates none', async () => {
  const { body } = await admin.get('/campaigns')
  assert.equal(body.length, seededCount)
  for (const { language, translations, name, description } of body) {
    const other = translations[language === 'en' ? 'de' : 'en']
    assert.ok(other.name.length > 0 && other.description.length > 0 && other.name !== name, name)
    assert.ok(description.length > 0 && other.description !== description, name)
  }
  const hasCampaign = (is: (one: Campaign) => boolean) => body.some(is)
  assert.ok(hasCampaign(({ language, name }) => language === 'de' && name.length > 100))
  assert.ok(hasCampaign(({ status, progressPercent }) => status === 'closed' && progressPercent > 100))
  assert.ok(hasCampaign(({ status }) => status === 'draft'))
  assert.ok(hasCampaign(({ targetAmount }) => targetAmount === 1_250_000))
  assert.ok(hasCampaign(({ presetAmounts }) => presetAmounts.length > 3))
  assert.equal(await seedFundraising(store, settings, {}, now), 0)
  assert.equal((await admin.get('/campaigns')).body.length, seededCount)
})

test('the sample donations are spread over forty days, in several statuses, with and without names and messages', async () => {
  const { body, headers } = await admin.get('/donations?limit=200')
  const total = Number(headers['x-total-count'])
  assert.ok(total >= 55 && total <= 65, String(total))
  const days = new Set(body.map(({ createdAt }: { createdAt: string }) => createdAt.slice(0, 10)))
  assert.ok(days.size > 25, String(days.size))
  for (const { createdAt } of body) {
    const ago = now.getTime() - Date.parse(createdAt)
    assert.ok(ago > 0 && ago < 41 * 86_400_000, createdAt)
  }
  const { byStatus } = (await admin.get('/donations/summary')).body
  for (const status of ['IN_PROCESS', 'TRANSFERRED', 'CANCELLED']) assert.ok(byStatus[status].count >= 4, status)
  const publicDonations = (await visitor.get('/campaigns/1/donations')).body as {
    donorName: string | null
    message: string | null
  }[]
  for (const field of ['donorName', 'message'] as const) {
    assert.ok(
      publicDonations.some(one => one[field] === null) && publicDonations.some(one => one[field] !== null),
      field
    )
  }
})

test('a sample campaign has a story with items and milestones, and an offline amount', async () => {
  const { body } = await visitor.get('/campaigns/1/story')
  assert.ok(body.text.en.includes('<h2>') && body.text.de.includes('<h2>'))
  assert.ok(body.items.length >= 3 && body.milestones.length >= 3)
  assert.ok(body.milestones.some(({ isReached }: { isReached: boolean }) => isReached))
  assert.ok((await visitor.get('/campaigns/1')).body.amountOffline > 0)
})

test('sample campaigns have a contact and dated updates in both languages', async () => {
  const { contact } = (await visitor.get('/campaigns/1/presentation')).body
  assert.ok(contact.name.length > 0 && contact.text.en !== contact.text.de)
  const { body } = await visitor.get('/campaigns/1/updates')
  assert.equal(body.length, 3)
  for (const { texts, date } of body) {
    assert.ok(texts.en.text.length > 0 && texts.de.text.length > 0)
    assert.ok(date < now.toISOString().slice(0, 10))
  }
  const days = body.map(({ date }: { date: string }) => date)
  assert.deepEqual(days, [...days].sort().reverse())
})
