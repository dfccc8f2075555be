import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaign, donation, startCampaigns } from '#test/support/services.ts'

const { admin, visitor, withRole, aCampaign, aDonation } = await startCampaigns()
const treasurer = await withRole('treasurer')
const editor = await withRole('editor')

interface Activity {
  action: string
  actor: string
  subject: string
  subjectId: string
  requestId: string
  details: Record<string, unknown>
}

/** The activity log of one subject, oldest first. */
async function readActivity(subject: string, id: number | string): Promise<Activity[]> {
  const { body } = await admin.get(`/activity?subject=${subject}&subjectId=${id}`)
  return body.toReversed()
}

const donor = { ...donation, email: 'ada@secret.example', message: 'Best wishes' }
const treasurerActor = /^key \d+ \(the tests' treasurer\)$/

test('creating, replacing, deleting and restoring a campaign are recorded once each', async () => {
  const responses = [await editor.post('/campaigns', campaign)]
  const { id } = responses[0]?.body ?? {}
  responses.push(await editor.put(`/campaigns/${id}`, { ...campaign, name: 'Renamed' }))
  responses.push(await treasurer.delete(`/campaigns/${id}`))
  responses.push(await admin.post(`/campaigns/${id}/restore`))
  const activities = await readActivity('campaign', id)
  assert.deepEqual(
    activities.map(({ action, subjectId, details }) => ({ action, subjectId, details })),
    [
      { action: 'campaign.created', subjectId: String(id), details: { name: campaign.name } },
      {
        action: 'campaign.updated',
        subjectId: String(id),
        details: { name: 'Renamed', changed: ['name'], changes: { name: [campaign.name, 'Renamed'] } }
      },
      { action: 'campaign.deleted', subjectId: String(id), details: {} },
      { action: 'campaign.restored', subjectId: String(id), details: {} }
    ]
  )
  assert.deepEqual(
    activities.map(one => one.requestId),
    responses.map(response => response.headers['x-request-id'])
  )
  assert.match(activities[0]?.actor ?? '', /^key \d+ \(the tests' editor\)$/)
  assert.match(activities[2]?.actor ?? '', treasurerActor)
  assert.equal(activities[3]?.actor, 'ADMIN_KEY')
})

test('a change of the account of a campaign is a record of its own, with masked IBANs', async () => {
  const { id } = await aCampaign()
  await editor.put(`/campaigns/${id}`, {
    ...campaign,
    account: { ...campaign.account, iban: 'GB82WEST12345698765432' }
  })
  const [, updated, changed] = await readActivity('campaign', id)
  assert.deepEqual(updated?.details, { name: campaign.name, changed: [], changes: {} })
  assert.equal(changed?.action, 'campaign.account_changed')
  assert.deepEqual(changed?.details, {
    name: campaign.name,
    version: 2,
    accountBefore: 'DE89…3000',
    accountAfter: 'GB82…5432'
  })
})

test('creating, correcting, cancelling and deleting a donation are recorded once each, without donor data', async () => {
  const { id: campaignId } = await aCampaign()
  const path = `/campaigns/${campaignId}/donations`
  const { id } = (await visitor.post(path, donor)).body
  await treasurer.patch(`${path}/${id}`, { donorName: 'Ada King', email: 'king@secret.example', message: 'Other' })
  await treasurer.patch(`${path}/${id}`, { status: 'CANCELLED', donorName: 'Ada Byron' })
  await treasurer.delete(`${path}/${id}`)
  const activities = await readActivity('donation', id)
  const common = { campaignId, amount: 25, amountReceived: 0 }
  assert.deepEqual(
    activities.map(({ action, details }) => ({ action, details })),
    [
      { action: 'donation.created', details: { ...common, status: 'IN_PROCESS' } },
      { action: 'donation.updated', details: { ...common, status: 'IN_PROCESS' } },
      { action: 'donation.status_changed', details: { ...common, status: 'CANCELLED', before: 'IN_PROCESS' } },
      { action: 'donation.deleted', details: { ...common, status: 'CANCELLED', before: 'CANCELLED' } }
    ]
  )
  assert.equal(activities[0]?.actor, 'visitor')
  for (const { actor } of activities.slice(1)) assert.match(actor, treasurerActor)
})

test('a cash donation is recorded as created, with the treasurer who entered it', async () => {
  const { id: campaignId } = await aCampaign()
  const cash = { amount: 12.34, donorName: 'Box', status: 'TRANSFERRED' }
  const { body } = await treasurer.post(`/campaigns/${campaignId}/donations`, cash)
  const [created, ...rest] = await readActivity('donation', body.id)
  assert.deepEqual(rest, [])
  assert.equal(created?.action, 'donation.created')
  assert.deepEqual(created?.details, { campaignId, amount: 12.34, amountReceived: 12.34, status: 'TRANSFERRED' })
  assert.match(created?.actor ?? '', treasurerActor)
})

test('refused requests, reads and replayed responses are not recorded', async () => {
  const { id } = await aCampaign()
  const received = await aDonation(id, { status: 'TRANSFERRED' })
  const path = `/campaigns/${id}/donations`
  const key = { 'idempotency-key': 'activity-once' }
  const firstResponse = await visitor.post(path, donor, key)
  const countActivities = async () => Number((await admin.get('/activity?limit=1')).headers['x-total-count'])
  const before = await countActivities()
  const responses = [
    await visitor.post(path, donor, key),
    await visitor.post(path, { ...donor, amount: 0 }),
    await visitor.post(path, { ...donor, amount: 1 }),
    await visitor.post('/campaigns/999999999/donations', donor),
    await treasurer.patch(`${path}/${received.id}`, { status: 'CANCELLED' }),
    await treasurer.patch(`${path}/${received.id}`, { status: 'REFUNDED' }, { 'if-match': '"77-all"' }),
    await treasurer.delete(`${path}/${received.id}`),
    await editor.put(`/campaigns/${id}`, { ...campaign, name: '' }),
    await editor.put(`/campaigns/${id}`, campaign, { 'if-match': '"77-0"' }),
    await editor.delete('/campaigns/999999999'),
    await admin.post(`/campaigns/${id}/restore`),
    await visitor.get(path),
    await treasurer.get(`${path}.csv`)
  ]
  assert.deepEqual(
    responses.map(response => response.status),
    [201, 400, 422, 404, 422, 412, 409, 400, 412, 404, 200, 200, 200]
  )
  assert.equal(await countActivities(), before)
  assert.equal((await readActivity('donation', firstResponse.body.id)).length, 1)
})

test('the activity log contains no IBAN, email address, donor data or API key', async () => {
  const { id } = await aCampaign()
  const { body } = await visitor.post(`/campaigns/${id}/donations`, { ...donor, donorName: 'Hedwig Verborgen' })
  await treasurer.patch(`/campaigns/${id}/donations/${body.id}`, { status: 'TRANSFERRED', email: 'h@secret.example' })
  const { text } = await admin.get('/activity?limit=200')
  assert.ok(text.includes(body.id))
  assert.doesNotMatch(text, /hedwig|verborgen|lovelace|secret\.example|best wishes/i)
  assert.doesNotMatch(text, /DE0212|DE8937|GB82WEST|kal_/)
  assert.ok(!text.includes(body.reference))
})

test('only admins can read the activity log', async () => {
  assert.equal((await visitor.get('/activity')).status, 401)
  for (const client of [editor, treasurer]) assert.equal((await client.get('/activity')).status, 403)
})
