import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCampaigns } from '#test/support/services.ts'
import type { Campaign } from '../campaigns/schema.ts'
import { seedFundraising } from './seed.ts'

const { admin, visitor, store, settings } = await startCampaigns()
const now = new Date()
const made = await seedFundraising(store, settings, {}, now)

test('the sample campaigns show in two languages what a campaign can be, and none comes twice', async () => {
  const { body } = await admin.get('/campaigns')
  assert.equal(body.length, made)
  for (const { language, translations, name, description } of body) {
    const other = translations[language === 'en' ? 'de' : 'en']
    assert.ok(other.name.length > 0 && other.description.length > 0 && other.name !== name, name)
    assert.ok(description.length > 0 && other.description !== description, name)
  }
  const some = (is: (one: Campaign) => boolean) => body.some(is)
  assert.ok(some(({ language, name }) => language === 'de' && name.length > 100))
  assert.ok(some(({ status, progressPercent }) => status === 'closed' && progressPercent > 100))
  assert.ok(some(({ status }) => status === 'draft'))
  assert.ok(some(({ targetAmount }) => targetAmount === 1_250_000))
  assert.ok(some(({ presetAmounts }) => presetAmounts.length > 3))
  assert.equal(await seedFundraising(store, settings, {}, now), 0)
  assert.equal((await admin.get('/campaigns')).body.length, made)
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
  const shown = (await visitor.get('/campaigns/1/donations')).body as {
    donorName: string | null
    message: string | null
  }[]
  for (const field of ['donorName', 'message'] as const) {
    assert.ok(shown.some(one => one[field] === null) && shown.some(one => one[field] !== null), field)
  }
})

test('sample campaigns tell stories with items and milestones, and count what was collected offline', async () => {
  const { body } = await visitor.get('/campaigns/1/story')
  assert.ok(body.text.en.includes('<h2>') && body.text.de.includes('<h2>'))
  assert.ok(body.items.length >= 3 && body.milestones.length >= 3)
  assert.ok(body.milestones.some(({ isReached }: { isReached: boolean }) => isReached))
  assert.ok((await visitor.get('/campaigns/1')).body.amountOffline > 0)
})
