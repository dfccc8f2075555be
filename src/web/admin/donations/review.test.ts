import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { startAdmin } from '#test/support/admin-client.ts'
import { campaign, donation } from '#test/support/services.ts'

const { admin, visitor, store, signIn } = await startAdmin({ env: { TIMEZONE: 'Europe/Berlin' } })
const [tess, theo, ed] = [await signIn('treasurer'), await signIn('treasurer', 'de'), await signIn('editor')]

before(async () => {
  assert.equal((await admin.patch('/organisation', { reviewAbove: 500 })).status, 200)
})

const aCampaign = async () => (await admin.post('/campaigns', campaign)).body.id as number
const donate = async (id: number, amount = 1000) =>
  (await visitor.post(`/campaigns/${id}/donations`, { ...donation, amount })).body
const readReview = async ({ campaignId, id }: { campaignId: number; id: string }) =>
  (await admin.get(`/campaigns/${campaignId}/donations/${id}`)).body.review
const toCheckboxValue = ({ campaignId, id }: { campaignId: number; id: string }) => `${campaignId} ${id}`

test('donations held for review are on the dashboard and in a list of their own, and can be approved there and on their page', async () => {
  const id = await aCampaign()
  const [first, second, third] = [await donate(id), await donate(id), await donate(id)]
  await donate(id, 20)
  const dashboard = await tess.get('/admin')
  assert.match(dashboard.text, /3 large donations are hidden and not counted until you approve them/)
  assert.doesNotMatch((await ed.get('/admin')).text, /large donations/)
  const fromDashboard = await tess.sendAndFollow('/admin/donations/release', {
    release: toCheckboxValue(first),
    page: 'dashboard'
  })
  assert.match(fromDashboard.text, /Approved: €1,000\.00 from Ada Lovelace/)
  assert.match(fromDashboard.text, /2 large donations/)
  assert.equal(await readReview(first), 'released')

  const list = await tess.get(`/admin/donations?campaign=${id}&review=waiting`)
  assert.ok(list.text.includes(`name="release" value="${toCheckboxValue(second)}"`))
  assert.ok(!list.text.includes(toCheckboxValue(first)))
  assert.match(list.text, /held for review/)
  assert.match((await theo.get(`/admin/donations?campaign=${id}`)).text, /wartet auf Freigabe/)
  const page = await tess.get(`/admin/donations/${id}/${second.id}`)
  assert.match(page.text, /is hidden and not counted until it is approved/)
  const released = await theo.sendAndFollow('/admin/donations/release', {
    release: toCheckboxValue(second),
    page: 'donation'
  })
  assert.match(released.text, /Freigegeben: 1\.000,00\s€ von Ada Lovelace/)
  assert.doesNotMatch(released.text, /bis sie freigegeben ist/)

  const several = await tess.sendAndFollow('/admin/donations/release', {
    release: 'ticked',
    'donations[]': [toCheckboxValue(second), toCheckboxValue(third)],
    back: `?campaign=${id}`
  })
  assert.match(several.text, /Approved: 1\./)
  assert.equal(await readReview(third), 'released')
  assert.match((await tess.sendAndFollow('/admin/donations/release', { release: 'ticked' })).text, /select donations/)
  const again = await tess.sendAndFollow('/admin/donations/release', { release: toCheckboxValue(third) })
  assert.match(again.text, /no longer held for review/)
  assert.equal((await ed.send('/admin/donations/release', { release: toCheckboxValue(third) })).status, 403)
  assert.doesNotMatch((await tess.get('/admin')).text, /large donation/)
})

test('a changed account of a campaign is shown for two weeks on the dashboard and the campaign, and stays in the history', async () => {
  const id = await aCampaign()
  const unchangedPage = await ed.get(`/admin/campaigns/${id}`)
  assert.doesNotMatch(unchangedPage.text, /was changed on|Previous accounts/)
  const moved = { ...campaign, account: { ...campaign.account, iban: 'GB82WEST12345698765432' } }
  await admin.put(`/campaigns/${id}`, moved)
  const accountChange = /The account of “New roof for the music school” was changed on .* by .*: DE89…3000 → GB82…5432/
  for (const { text } of [await ed.get('/admin'), await tess.get('/admin'), await ed.get(`/admin/campaigns/${id}`)]) {
    assert.match(text, accountChange)
  }
  assert.match((await ed.get(`/admin/campaigns/${id}`)).text, /Previous accounts/)
  assert.match((await theo.get('/admin')).text, /wurde am .* geändert \(.*\): DE89…3000 → GB82…5432/)

  await store.script(`
    alter table platform.activity disable trigger activity_keeps_rows;
    update platform.activity set at = at - interval '15 days' where action = 'campaign.account_changed';
    alter table platform.activity enable trigger activity_keeps_rows`)
  assert.doesNotMatch((await ed.get('/admin')).text, accountChange)
  const later = (await ed.get(`/admin/campaigns/${id}`)).text
  assert.doesNotMatch(later, accountChange)
  assert.match(later, /Previous accounts[\s\S]*DE89…3000 → GB82…5432/)
})

test('messages from donors are listed on the dashboard, and can be shown or hidden there and on the page of the donation', async () => {
  const id = await aCampaign()
  const write = async (message: string) =>
    (await visitor.post(`/campaigns/${id}/donations`, { ...donation, donorName: 'Mila', showName: true, message })).body
  const [first, second] = [await write('Alles <b>Gute</b>'), await write('Buy my watches')]
  const readMessage = async (one: { id: string }) =>
    (await visitor.get(`/campaigns/${id}/donations/${one.id}`)).body.message
  const dashboard = await tess.get('/admin')
  assert.match(dashboard.text, /2 messages from donors appear on the campaigns’ pages when you show them/)
  assert.match(dashboard.text, /Alles &lt;b>Gute&lt;\/b>/)
  assert.doesNotMatch((await ed.get('/admin')).text, /messages from donors|watches/)

  const shown = await theo.sendAndFollow('/admin/donations/message', {
    donation: toCheckboxValue(first),
    review: 'shown'
  })
  assert.match(shown.text, /Die Nachricht wird jetzt auf der Seite der Spendenaktion angezeigt/)
  assert.match(shown.text, /Eine Nachricht erscheint/)
  assert.deepEqual([await readMessage(first), await readMessage(second)], ['Alles <b>Gute</b>', null])

  const list = await tess.get(`/admin/donations?campaign=${id}&review=message`)
  assert.ok(list.text.includes(second.reference) && !list.text.includes(first.reference))
  assert.match((await tess.get(`/admin/donations/${id}/${second.id}`)).text, /The message appears when you show it/)
  const hide = { donation: toCheckboxValue(second), review: 'hidden', page: 'donation' }
  const hidden = await tess.sendAndFollow('/admin/donations/message', hide)
  assert.match(hidden.text, /Neither message nor name is shown/)
  assert.equal(await readMessage(second), null)
  assert.doesNotMatch((await tess.get('/admin')).text, /id="messages"/)
  assert.equal((await ed.send('/admin/donations/message', { ...hide, review: 'shown' })).status, 403)
  assert.equal((await tess.send('/admin/donations/message', { donation: '1 nothing', review: 'shown' })).status, 303)
})
