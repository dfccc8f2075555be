import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startAdmin } from '#test/support/admin-client.ts'
import { calendar, campaign, donation, event } from '#test/support/services.ts'

const env = {
  RATE_LIMIT_DONATIONS: '0',
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'give@example.org',
  PUBLIC_URL: 'http://localhost'
}
const { admin, visitor, signIn } = await startAdmin({ env })
const [ed, tess, vera] = [await signIn('editor'), await signIn('treasurer', 'de'), await signIn('viewer')]

const aCampaign = async () => (await admin.post('/campaigns', campaign)).body.id
const readEtag = (html: string) => /name="etag" value="([^"]*)"/.exec(html)?.[1]?.replaceAll('&quot;', '"') ?? ''
const update = {
  ...{ titleEn: 'The roof is on', textEn: '<p>Thank <script>x</script>you!</p>', titleDe: '', textDe: '' },
  ...{ date: '2026-01-05', status: 'draft', image: '', imageUrl: '', imageAlt: '', etag: '' }
}

test('an update is written in both languages, published, listed and deleted', async () => {
  const menu = `/admin/campaigns/${await aCampaign()}/updates`
  assert.match((await ed.get(menu)).text, /No updates yet/)
  const created = await ed.sendAndFollow(`${menu}/new`, update)
  assert.match(created.text, /Update created\./)
  const [own = ''] = new RegExp(`${menu}/\\d+`).exec(created.text) ?? []
  const api = own.replace('/admin', '')
  assert.equal((await admin.get(api)).body.texts.en.text, '<p>Thank you!</p>')
  assert.equal((await visitor.get(api)).status, 404)

  const changed = {
    ...update,
    titleDe: 'Das Dach ist drauf',
    status: 'published',
    imageUrl: '/roof.jpg',
    imageAlt: 'Roof'
  }
  const saved = await tess.sendAndFollow(own, { ...changed, etag: readEtag(created.text) })
  assert.match(saved.text, /Neuigkeit gespeichert\./)
  const { body } = await visitor.get(api)
  assert.deepEqual(
    [Object.keys(body.texts), body.imageUrl, body.imageAlt, body.date],
    [['en', 'de'], '/roof.jpg', 'Roof', '2026-01-05']
  )
  // Saved by another user in the meantime: nothing is overwritten, and the input is kept.
  const late = await ed.send(own, { ...changed, titleEn: 'My own words', etag: readEtag(created.text) })
  assert.equal(late.status, 422)
  assert.match(late.text, /value="My own words"/)
  assert.equal((await visitor.get(api)).body.texts.en.title, 'The roof is on')
  // An emptied language is removed.
  await ed.send(own, { ...changed, titleEn: '', textEn: '', etag: readEtag((await ed.get(own)).text) })
  assert.deepEqual(Object.keys((await visitor.get(api)).body.texts), ['de'])
  assert.match((await ed.get(menu)).text, /Das Dach ist drauf.*Published/s)

  assert.match((await ed.get(`${own}/delete`)).text, /Delete the update “Das Dach ist drauf” permanently\?/)
  assert.match((await ed.sendAndFollow(`${own}/delete`, {})).text, /Update deleted\..*No updates yet/s)
  assert.equal((await vera.get(menu)).status, 403)
  assert.equal((await ed.get('/admin/campaigns/999999/updates/new')).status, 404)
})

test('each invalid field of an update has an error at the field, and the input is kept', async () => {
  const path = `/admin/campaigns/${await aCampaign()}/updates/new`
  for (const [fields, field, message] of [
    [{ titleEn: '', textEn: '' }, 'titleEn', /title in at least one language/],
    [{ titleEn: '' }, 'titleEn', /A text needs a title/],
    [{ date: '2199-01-01' }, 'date', /must not be in the future/],
    [{ date: 'soon' }, 'date', /Date must be a date/],
    [{ imageUrl: 'javascript:x' }, 'imageUrl', /must be a URL/]
  ] as const) {
    const refused = await ed.send(path, { ...update, ...fields })
    assert.equal(refused.status, 422)
    assert.match(refused.text, new RegExp(`href="#field-${field}"`))
    assert.match(refused.text, message)
    assert.match(refused.text, /value="2026-01-05"|value="2199-01-01"|value="soon"/)
  }
})

test('an update shows its number of subscribed donors and is sent once; a donor can be unsubscribed in the console', async () => {
  const id = await aCampaign()
  const menu = `/admin/campaigns/${id}/updates`
  const [own = ''] =
    new RegExp(`${menu}/\\d+`).exec((await ed.sendAndFollow(`${menu}/new`, { ...update, status: 'published' })).text) ??
    []
  assert.match((await ed.get(own)).text, /No donor has asked for news/)
  const give = async (email: string) =>
    (
      await admin.post(`/campaigns/${id}/donations`, {
        ...{ ...donation, email, status: 'TRANSFERRED', news: { text: 'Send me news' } }
      })
    ).body.id
  const left = await give('left@example.org')
  await give('ada@example.org')
  const page = `/admin/donations/${id}/${left}`
  assert.match((await tess.get(page)).text, /Neuigkeiten per E-Mail.*Send me news.*Eingewilligt am/s)
  assert.match((await ed.get(own)).text, /2 donors asked for news/)
  const ended = await tess.sendAndFollow(`${page}/news/unsubscribe`, {})
  assert.match(ended.text, /Die Neuigkeiten sind abbestellt\..*Abbestellt durch die Verwaltung am/s)

  assert.match((await ed.get(own)).text, /One donor asked for news/)
  assert.match((await ed.get(`${own}/mailing`)).text, /Send “The roof is on” to one donor\?/)
  assert.match((await ed.sendAndFollow(`${own}/mailing`, {})).text, /is being sent to one donor.*Sent on/s)
  const again = await ed.send(`${own}/mailing`, {})
  assert.equal(again.status, 409)
  assert.match(again.text, /already sent/)
})

test('contact and events of a campaign, and the campaign of the home page, are set in the console', async () => {
  const id = await aCampaign()
  const dates = { start_date: '2099-05-01 19:00', end_date: '2099-05-01 21:00' }
  const { body: concert } = await admin.post(`${calendar}/events`, { ...event, ...dates, title: 'Benefit concert' })
  const contact = {
    ...{ contactName: 'Anna', textEn: 'Hello', textDe: '', email: 'anna@example.org', phone: '030 1' },
    ...{ image: '', imageUrl: '/anna.jpg', imageAlt: 'Anna', etag: '' }
  }
  const defaults = await tess.sendAndFollow('/admin/presentation', { ...contact, homeCampaign: String(id) })
  assert.match(defaults.text, /Gespeichert\./)
  const shared = (await visitor.get('/presentation')).body
  assert.deepEqual([shared.contact.name, shared.contact.imageUrl, shared.homeCampaignId], ['Anna', '/anna.jpg', id])

  const path = `/admin/campaigns/${id}/presentation`
  assert.match((await ed.get(path)).text, /contact of the organisation: Anna.*Benefit concert/s)
  const own = { ...contact, contactName: 'Ben', 'events[]': [String(concert.id)] }
  assert.match((await ed.sendAndFollow(path, own)).text, /Saved\./)
  const shown = (await visitor.get(`/campaigns/${id}/presentation`)).body
  assert.deepEqual([shown.contact.name, shown.eventIds], ['Ben', [concert.id]])
  // Without a name, the contact of the organisation is shown again.
  const emptied = Object.fromEntries(Object.keys(contact).map(name => [name, '']))
  await ed.send(path, { ...emptied, 'events[]': [String(concert.id)] })
  assert.equal((await visitor.get(`/campaigns/${id}/presentation`)).body.contact.name, 'Anna')

  const refused = await ed.send(path, { ...contact, contactName: '' })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /href="#field-contactName".*A contact needs a name/s)
  const wrong = await ed.send(path, { ...contact, email: 'nobody' })
  assert.match(wrong.text, /href="#field-email"/)
  assert.equal((await vera.get('/admin/presentation')).status, 403)
})
