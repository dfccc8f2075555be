import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newDonorToken, toTokenColumns } from '#fundraising/encryption/donor-token.ts'
import { sql } from '#platform/database/sql.ts'
import { organisation } from '#test/support/fundraising/receipts.ts'
import { calendar, donation, event, startSite } from '#test/support/services.ts'

const env = {
  RATE_LIMIT_DONATIONS: '0',
  RATE_LIMIT_DONATIONS_PER_ACCOUNT: '0',
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'give@example.org',
  PUBLIC_URL: 'http://localhost'
}
const { admin, visitor, settings, store } = await startSite({ env })
const account = { iban: 'DE89370400440532013000', name: 'Music School', nameOfBank: '' }

async function aCampaign(fields: object = {}) {
  const { body } = await admin.post('/campaigns', {
    ...{ name: 'New roof', donationMinimum: 5, targetAmount: 1000, account, language: 'en' },
    ...fields
  })
  return { ...body, page: `/en/donate/${body.id}-new-roof` }
}

const createDonation = async (campaignId: number, fields: object = {}) =>
  (await admin.post(`/campaigns/${campaignId}/donations`, { ...donation, status: 'TRANSFERRED', ...fields })).body

const toText = (html: string) => html.replace(/<script.*?<\/script>/gs, '').replace(/<[^>]+>/g, ' ')

test('published updates are on the page of the campaign, in a paged list, on pages of their own, and in an Atom feed', async () => {
  const { id, page } = await aCampaign()
  for (let day = 1; day <= 12; day += 1) {
    const texts = { en: { title: `Step ${day}`, text: `<p>We have <em>done</em> ${day}.</p>` } }
    const date = `2026-01-${String(day).padStart(2, '0')}`
    await admin.post(`/campaigns/${id}/updates`, { texts, date, status: 'published' })
  }
  const draft = { texts: { en: { title: 'Secret plan', text: '' } } }
  await admin.post(`/campaigns/${id}/updates`, draft)

  const campaign = (await visitor.get(page)).text
  assert.match(campaign, /Step 12.*Step 11.*Step 10/s)
  assert.doesNotMatch(campaign, /Step 9|Secret plan/)
  assert.match(campaign, new RegExp(`href="${page}/updates">All updates \\(12\\)`))
  assert.match(campaign, new RegExp(`type="application/atom\\+xml"[^>]* href="[^"]*${page}/updates\\.atom"`))

  const list = (await visitor.get(`${page}/updates`)).text
  assert.match(list, /Step 12.*Step 3/s)
  const next = /href="([^"]+)" rel="next">Next page/.exec(list)?.[1]?.replaceAll('&amp;', '&') ?? ''
  assert.match((await visitor.get(next)).text, /Step 2.*Step 1.*First page/s)

  const own = /href="([^"]+\/updates\/\d+)"[^>]*>Step 12/.exec(list)?.[1] ?? ''
  const one = await visitor.get(own)
  assert.match(one.text, /<h1[^>]*>Step 12<\/h1>.*We have <em>done<\/em> 12\./s)
  assert.equal((await visitor.get(own.replace('-new-roof', ''))).headers.location, own)
  assert.match(
    (await visitor.get(own.replace('/en/donate', '/de/spenden').replace('/updates/', '/neuigkeiten/'))).text,
    /nur auf Englisch/
  )
  for (const path of ['/updates/999999', '/updates/x']) assert.equal((await visitor.get(page + path)).status, 404)

  const feed = await visitor.get(`${page}/updates.atom`)
  assert.equal(feed.headers['content-type'], 'application/atom+xml; charset=utf-8')
  assert.match(feed.text, /<title>Updates about New roof<\/title>.*Step 12.*Step 1</s)
  assert.doesNotMatch(feed.text, /Secret plan/)
})

test('contact and tax status are shown beside the form, with HTML escaped', async () => {
  const { id, page } = await aCampaign()
  assert.doesNotMatch((await visitor.get(page)).text, /campaign-contact/)
  await admin.patch('/organisation', organisation)
  const contact = {
    ...{ name: '<b>Anna</b>', text: { en: 'Call me.', de: '' }, phone: '+49 (30) 123', email: 'anna@example.org' },
    imageUrl: '/media/1/x.jpg',
    imageAlt: 'Anna'
  }
  await admin.patch(`/campaigns/${id}/presentation`, { contact })
  const shown = (await visitor.get(page)).text
  assert.match(shown, /&lt;b>Anna&lt;\/b>|&lt;b&gt;Anna/)
  assert.match(shown, /href="tel:\+4930123"/)
  assert.match(toText(shown), new RegExp(`${organisation.legalName}.*tax office ${organisation.taxOffice}`, 's'))
  assert.match((await visitor.get(`/de/spenden/${id}-new-roof`)).text, /<div lang="en" dir="auto"><p>Call me/)
})

test('the thanks page lists the names of donors who agreed and whose donation was received, without amounts', async () => {
  const { id, page } = await aCampaign()
  assert.match((await visitor.get(`${page}/thanks`)).text, /No donor has agreed to be named yet/)
  for (const donorName of ['Ada Lovelace', 'Grace Hopper'])
    await createDonation(id, { donorName, showName: true, amount: 77 })
  await createDonation(id, { donorName: 'Konrad Zuse', amount: 77 })
  await visitor.post(`/campaigns/${id}/donations`, { ...donation, donorName: 'Rude Person', showName: true })
  const wall = (await visitor.get(`${page}/thanks`)).text
  assert.match(toText(wall), /Grace Hopper\s+Ada Lovelace/)
  assert.doesNotMatch(wall, /Konrad|Rude|77/)
  assert.match(wall, /<meta name="robots" content="noindex/)
  assert.match((await visitor.get(page)).text, new RegExp(`href="${page}/thanks">All names \\(2\\)`))
})

test('a campaign shows its upcoming events, and the pages of these events link to the campaign', async () => {
  const { id, page } = await aCampaign()
  const createEvent = async (title: string, day: string, status = 'publish') =>
    (
      await admin.post(`${calendar}/events`, {
        ...event,
        title,
        start_date: `${day} 19:00`,
        end_date: `${day} 21:00`,
        status
      })
    ).body
  const [past, next, draft] = [
    await createEvent('Past concert', '2020-05-01'),
    await createEvent('Benefit concert', '2099-05-01'),
    await createEvent('Planned concert', '2099-06-01', 'draft')
  ]
  await admin.patch(`/campaigns/${id}/presentation`, { eventIds: [past.id, next.id, draft.id, 999_999] })
  const shown = toText((await visitor.get(page)).text)
  assert.match(shown, /Events for this campaign.*Benefit concert/s)
  assert.doesNotMatch(shown, /Past concert|Planned concert/)
  const eventPage = (await visitor.get(`/en/event/${next.slug}`)).text
  assert.match(eventPage, new RegExp(`This event supports a campaign.*href="${page}".*href="${page}#donate"`, 's'))
  const other = await createEvent('Other concert', '2099-05-02')
  assert.doesNotMatch((await visitor.get(`/en/event/${other.slug}`)).text, /supports a campaign/)
})

test('a closed campaign shows its results unless they are zero, no form, and links to open campaigns', async () => {
  const open = await aCampaign({ name: 'Open one' })
  const full = await aCampaign()
  await createDonation(full.id, { amount: 250, donorName: 'Ada Lovelace', showName: true })
  const texts = { en: { title: 'All done', text: '' } }
  await admin.post(`/campaigns/${full.id}/updates`, { texts, status: 'published' })
  const empty = await aCampaign()
  const pledged = await aCampaign()
  await visitor.post(`/campaigns/${pledged.id}/donations`, donation)
  for (const { id } of [full, empty, pledged]) await admin.patch(`/campaigns/${id}`, { status: 'closed' })

  const shown = (await visitor.get(full.page)).text
  assert.match(toText(shown), /What we achieved together.*€250.*1 donation.*All done.*Ada Lovelace/s)
  assert.doesNotMatch(shown, /<form[^>]*donate-form/)
  assert.match(shown, new RegExp(`You can help here now.*href="/en/donate/${open.id}-open-one"`, 's'))
  for (const { page } of [empty, pledged]) {
    const zero = (await visitor.get(page)).text
    const [about = ''] = toText(zero).split('You can help here now')
    assert.doesNotMatch(about, /€0|0%|0 donations/)
    assert.doesNotMatch(zero, /campaign-figures/)
  }
  const list = toText((await visitor.get('/en/donate')).text)
  assert.match(list, /€250/)
  assert.doesNotMatch(list.slice(list.indexOf('What we achieved together')), /€0/)
})

test('the home page shows the configured campaign while it is open, else the one that ends next', async () => {
  await store.script('update fundraising.campaigns set deleted_at = now()')
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const late = await aCampaign({ name: 'Late', endsAt: day(90) })
  await aCampaign({ name: 'Soon over', endsAt: day(9) })
  await aCampaign({ name: 'Endless' })
  await admin.post('/campaigns', { ...late, name: 'Not begun', startsAt: day(1), endsAt: day(2) })
  const getShown = async () => /id="home-campaign"><a[^>]*>([^<]+)/.exec((await visitor.get('/en')).text)?.[1]
  assert.equal(await getShown(), 'Soon over')
  await admin.patch('/presentation', { homeCampaignId: late.id })
  assert.equal(await getShown(), 'Late')
  await admin.patch(`/campaigns/${late.id}`, { status: 'closed' })
  assert.equal(await getShown(), 'Soon over')
})

test('the checkbox for news is not checked by default, and the consent is stored with the text of the form', async () => {
  const { id, page } = await aCampaign()
  const form = (await visitor.get(page)).text
  const box = /<input[^>]*name="news"[^>]*>/.exec(form)?.[0] ?? ''
  assert.ok(box !== '' && !box.includes('checked'))
  const value = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(form)?.[1] ?? ''
  const send = async (fields: object) =>
    await visitor.send({
      method: 'POST',
      url: page,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({
        ...{ own: '20', name: 'Ada', key: value('key'), started: String(Number(value('started')) - 60_000) },
        ...fields
      }).toString()
    })
  const refused = await send({ news: 'on' })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /href="#field-email"/)
  const accepted = await send({ news: 'on', email: 'ada@example.org' })
  assert.equal(accepted.status, 303, accepted.text)
  const [stored] = (await admin.get(`/campaigns/${id}/donations`)).body
  const { news } = (await admin.get(`/campaigns/${id}/donations/${stored.id}`)).body
  assert.match(news.text, /^Send me news about this campaign\nBy email\./)

  const { smtpUrl } = settings
  Object.assign(settings, { smtpUrl: undefined })
  await admin.patch(`/campaigns/${id}`, { description: 'Changed, so that nothing is cached.' })
  assert.doesNotMatch((await visitor.get(page)).text, /name="news"/)
  Object.assign(settings, { smtpUrl })
})

test('opening the unsubscribe link changes nothing; its button and a one-click request of a mail program unsubscribe', async () => {
  const { id } = await aCampaign()
  for (const [contentType, payload] of [
    ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
    [
      'multipart/form-data; boundary=b',
      '--b\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n'
    ]
  ] as const) {
    const newDonation = await createDonation(id, { email: 'ada@example.org', news: { text: 'Send me news' } })
    const token = newDonorToken()
    const { encryptedToken, tokenHash } = toTokenColumns(settings, token)
    await store.run(sql`
      update fundraising.news_consents set token_encrypted = ${encryptedToken}, token_hash = ${tokenHash}
      where donation_id = ${newDonation.id}`)
    const url = `/en/donate/news/${token}`
    const isActive = async () => (await visitor.get(`/news/${token}`)).body.isActive
    const page = await visitor.get(url)
    assert.match(page.text, /no more emails with news about “New roof”\?.*<button[^>]*>Unsubscribe/s)
    assert.doesNotMatch(page.text, /ada@|Ada Lovelace/)
    assert.match(page.headers['cache-control'] ?? '', /no-store/)
    assert.equal(await isActive(), true)
    const done = await visitor.send({ method: 'POST', url, headers: { 'content-type': contentType }, payload })
    assert.equal(done.status, 200, done.text)
    assert.match(done.text, /You are unsubscribed/)
    assert.equal(await isActive(), false)
    assert.match((await visitor.get(url)).text, /You are unsubscribed/)
  }
  assert.equal((await visitor.get('/en/donate/news/0123456789012345678901')).status, 404)
})
