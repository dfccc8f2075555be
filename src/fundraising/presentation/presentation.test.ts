import assert from 'node:assert/strict'
import { test } from 'node:test'
import { organisation } from '#test/support/fundraising/receipts.ts'
import { startCampaigns } from '#test/support/services.ts'

const { admin, visitor, withRole, aCampaign } = await startCampaigns()
const editor = await withRole('editor')
const contact = {
  name: 'Anna Becker',
  text: { en: 'I lead the school.', de: 'Ich leite die Schule.' },
  imageUrl: '/media/1/anna.jpg',
  imageAlt: 'Anna Becker at the piano',
  email: 'anna@example.org',
  phone: '030 123456'
}

test('campaigns show the contact of the organisation unless they have their own', async () => {
  const { id } = await aCampaign()
  const path = `/campaigns/${id}/presentation`
  assert.deepEqual((await visitor.get(path)).body, {
    ...{ contact: null, hasOwnContact: false, taxStatus: null, eventIds: [], sendsNews: false, version: 0 }
  })
  assert.equal((await editor.patch('/presentation', { contact })).status, 200)
  assert.deepEqual((await visitor.get('/presentation')).body.contact, contact)
  const inherited = (await visitor.get(path)).body
  assert.deepEqual([inherited.contact.name, inherited.hasOwnContact], ['Anna Becker', false])

  const own = await editor.patch(path, { contact: { name: 'Ben' } })
  assert.deepEqual(own.body.contact, {
    ...{ name: 'Ben', text: { en: '', de: '' }, imageUrl: null, imageAlt: '', email: null, phone: null }
  })
  assert.deepEqual([(await visitor.get(path)).body.hasOwnContact, own.body.version], [true, 1])
  assert.equal((await editor.patch(path, {}, { 'if-match': '"0-x"' })).status, 412)
  await editor.patch(path, { contact: null })
  assert.equal((await visitor.get(path)).body.contact.name, 'Anna Becker')

  for (const [input, pointer] of [
    [{ contact: {} }, '/contact/name'],
    [{ contact: { name: 'A', email: 'no address' } }, '/contact/email'],
    [{ contact: { name: 'A', imageUrl: 'javascript:alert(1)' } }, '/contact/imageUrl'],
    [{ eventIds: ['x'] }, '/eventIds/0']
  ] as const) {
    const refused = await editor.patch(path, input)
    assert.deepEqual([refused.status, refused.body.errors[0].pointer], [400, pointer])
  }
  const draft = await aCampaign({ status: 'draft' })
  assert.equal((await visitor.get(`/campaigns/${draft.id}/presentation`)).status, 404)
})

test('the public tax status has the data of receipts without the tax number, and is null if the exemption is missing or expired', async () => {
  assert.equal((await visitor.get('/presentation')).body.taxStatus, null)
  await admin.patch('/organisation', organisation)
  const { body, text } = await visitor.get('/presentation')
  assert.deepEqual(Object.keys(body.taxStatus), ['legalName', 'taxOffice', 'kind', 'date', 'purposes'])
  assert.equal(body.taxStatus.legalName, organisation.legalName)
  assert.ok(!text.includes(organisation.taxNumber))
  await admin.patch('/organisation', { exemption: { kind: 'notice', date: '2001-01-01', period: '2000' } })
  assert.equal((await visitor.get('/presentation')).body.taxStatus, null, 'expired')
})

test('the related campaigns of an event are the public campaigns that contain its id', async () => {
  const [open, draft] = [await aCampaign(), await aCampaign({ status: 'draft' })]
  for (const { id } of [open, draft]) await editor.patch(`/campaigns/${id}/presentation`, { eventIds: [77, 78, 77] })
  assert.deepEqual((await visitor.get(`/campaigns/${open.id}/presentation`)).body.eventIds, [77, 78])
  const listRelatedCampaigns = async (event: number) =>
    (await visitor.get(`/related-campaigns?eventId=${event}`)).body.map(({ id }: { id: number }) => id)
  assert.deepEqual(await listRelatedCampaigns(77), [open.id])
  assert.deepEqual(await listRelatedCampaigns(79), [])
  const tooLarge = await visitor.get('/related-campaigns?eventId=9999999999999999999')
  assert.deepEqual([tooLarge.status, tooLarge.body.errors[0].code], [400, 'too-large'])
  await editor.patch(`/campaigns/${open.id}/presentation`, { eventIds: [] })
  assert.deepEqual(await listRelatedCampaigns(77), [])
})

test('the campaign of the home page has to exist', async () => {
  const { id } = await aCampaign()
  assert.equal((await editor.patch('/presentation', { homeCampaignId: id })).body.homeCampaignId, id)
  const refused = await editor.patch('/presentation', { homeCampaignId: 999_999 })
  assert.deepEqual([refused.status, refused.body.code], [422, 'campaign-not-found'])
  assert.equal((await visitor.get('/presentation')).body.homeCampaignId, id)
  await editor.patch('/presentation', { homeCampaignId: null })
  assert.equal((await visitor.get('/presentation')).body.homeCampaignId, null)
})
