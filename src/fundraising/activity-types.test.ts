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

/** What was recorded of one thing, oldest first. */
async function recordOf(subject: string, id: number | string): Promise<Activity[]> {
  const { body } = await admin.get(`/activity?subject=${subject}&subjectId=${id}`)
  return body.toReversed()
}

const donor = { ...donation, email: 'ada@secret.example', message: 'Best wishes' }
const treasurersName = /^key \d+ \(the tests' treasurer\)$/

test('creating, replacing, deleting and restoring a campaign are one record each', async () => {
  const answers = [await editor.post('/campaigns', campaign)]
  const { id } = answers[0]?.body ?? {}
  answers.push(await editor.put(`/campaigns/${id}`, { ...campaign, name: 'Renamed' }))
  answers.push(await treasurer.delete(`/campaigns/${id}`))
  answers.push(await admin.post(`/campaigns/${id}/restore`))
  const record = await recordOf('campaign', id)
  assert.deepEqual(
    record.map(({ action, subjectId, details }) => ({ action, subjectId, details })),
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
    record.map(one => one.requestId),
    answers.map(answer => answer.headers['x-request-id'])
  )
  assert.match(record[0]?.actor ?? '', /^key \d+ \(the tests' editor\)$/)
  assert.match(record[2]?.actor ?? '', treasurersName)
  assert.equal(record[3]?.actor, 'ADMIN_KEY')
})

test('a change of the account that receives the money stands out, masked', async () => {
  const { id } = await aCampaign()
  await editor.put(`/campaigns/${id}`, {
    ...campaign,
    account: { ...campaign.account, iban: 'GB82WEST12345698765432' }
  })
  const [, updated, changed] = await recordOf('campaign', id)
  assert.deepEqual(updated?.details, { name: campaign.name, changed: [], changes: {} })
  assert.equal(changed?.action, 'campaign.account_changed')
  assert.deepEqual(changed?.details, {
    name: campaign.name,
    version: 2,
    accountBefore: 'DE89…3000',
    accountAfter: 'GB82…5432'
  })
})

test('donating, correcting, moving on and deleting a donation are one record each, without the donor', async () => {
  const { id: campaignId } = await aCampaign()
  const path = `/campaigns/${campaignId}/donations`
  const { id } = (await visitor.post(path, donor)).body
  await treasurer.patch(`${path}/${id}`, { donorName: 'Ada King', email: 'king@secret.example', message: 'Other' })
  await treasurer.patch(`${path}/${id}`, { status: 'CANCELLED', donorName: 'Ada Byron' })
  await treasurer.delete(`${path}/${id}`)
  const record = await recordOf('donation', id)
  const common = { campaignId, amount: 25, amountReceived: 0 }
  assert.deepEqual(
    record.map(({ action, details }) => ({ action, details })),
    [
      { action: 'donation.created', details: { ...common, status: 'IN_PROCESS' } },
      { action: 'donation.updated', details: { ...common, status: 'IN_PROCESS' } },
      { action: 'donation.status_changed', details: { ...common, status: 'CANCELLED', before: 'IN_PROCESS' } },
      { action: 'donation.deleted', details: { ...common, status: 'CANCELLED', before: 'CANCELLED' } }
    ]
  )
  assert.equal(record[0]?.actor, 'visitor')
  for (const { actor } of record.slice(1)) assert.match(actor, treasurersName)
})

test('cash is recorded as created, by the treasurer who took it', async () => {
  const { id: campaignId } = await aCampaign()
  const cash = { amount: 12.34, donorName: 'Box', status: 'TRANSFERRED' }
  const { body } = await treasurer.post(`/campaigns/${campaignId}/donations`, cash)
  const [created, ...rest] = await recordOf('donation', body.id)
  assert.deepEqual(rest, [])
  assert.equal(created?.action, 'donation.created')
  assert.deepEqual(created?.details, { campaignId, amount: 12.34, amountReceived: 12.34, status: 'TRANSFERRED' })
  assert.match(created?.actor ?? '', treasurersName)
})

test('a refused request, a read and an answer that comes again leave no record', async () => {
  const { id } = await aCampaign()
  const made = await aDonation(id, { status: 'TRANSFERRED' })
  const path = `/campaigns/${id}/donations`
  const key = { 'idempotency-key': 'activity-once' }
  const once = await visitor.post(path, donor, key)
  const total = async () => Number((await admin.get('/activity?limit=1')).headers['x-total-count'])
  const before = await total()
  const refused = [
    await visitor.post(path, donor, key),
    await visitor.post(path, { ...donor, amount: 0 }),
    await visitor.post(path, { ...donor, amount: 1 }),
    await visitor.post('/campaigns/999999999/donations', donor),
    await treasurer.patch(`${path}/${made.id}`, { status: 'CANCELLED' }),
    await treasurer.patch(`${path}/${made.id}`, { status: 'REFUNDED' }, { 'if-match': '"77-all"' }),
    await treasurer.delete(`${path}/${made.id}`),
    await editor.put(`/campaigns/${id}`, { ...campaign, name: '' }),
    await editor.put(`/campaigns/${id}`, campaign, { 'if-match': '"77-0"' }),
    await editor.delete('/campaigns/999999999'),
    await admin.post(`/campaigns/${id}/restore`),
    await visitor.get(path),
    await treasurer.get(`${path}.csv`)
  ]
  assert.deepEqual(
    refused.map(answer => answer.status),
    [201, 400, 422, 404, 422, 412, 409, 400, 412, 404, 200, 200, 200]
  )
  assert.equal(await total(), before)
  assert.equal((await recordOf('donation', once.body.id)).length, 1)
})

test('the whole record has no account number, e-mail address, donor or key', async () => {
  const { id } = await aCampaign()
  const { body } = await visitor.post(`/campaigns/${id}/donations`, { ...donor, donorName: 'Hedwig Verborgen' })
  await treasurer.patch(`/campaigns/${id}/donations/${body.id}`, { status: 'TRANSFERRED', email: 'h@secret.example' })
  const { text } = await admin.get('/activity?limit=200')
  assert.ok(text.includes(body.id))
  assert.doesNotMatch(text, /hedwig|verborgen|lovelace|secret\.example|best wishes/i)
  assert.doesNotMatch(text, /DE0212|DE8937|GB82WEST|kal_/)
  assert.ok(!text.includes(body.reference))
})

test('only admins read the record', async () => {
  assert.equal((await visitor.get('/activity')).status, 401)
  for (const client of [editor, treasurer]) assert.equal((await client.get('/activity')).status, 403)
})
