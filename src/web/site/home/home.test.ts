import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendar, campaign, startSite } from '#test/support/services.ts'

const { visitor, admin } = await startSite({ env: { TIMEZONE: 'Europe/Berlin', RATE_LIMIT: '0' } })

async function openHome(language = 'en'): Promise<string> {
  const answer = await visitor.get(`/${language}`)
  assert.equal(answer.status, 200)
  return answer.text
}

const days = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Berlin' })
const inDays = (count: number) => days.format(Date.now() + count * 86_400_000)

async function anEvent(title: string, days: number, more: object = {}) {
  const day = inDays(days)
  const created = await admin.post(`${calendar}/events`, {
    title,
    start_date: `${day} 10:00`,
    end_date: `${day} 11:00`,
    ...more
  })
  assert.equal(created.status, 201, created.text)
  return created.body
}

test('the week begins on the day of the site setting', async () => {
  assert.equal((await admin.patch('/site', { weekStart: 'sunday' })).status, 200)
  const html = await openHome()
  assert.ok(html.indexOf('>Sunday<') > 0 && html.indexOf('>Sunday<') < html.indexOf('>Monday<'))
})

test('the home page of an empty site links to the setup and to the feed', async () => {
  const html = await openHome()
  assert.match(html, /href="\/admin\/setup"/)
  assert.match(html, /No events yet\. Subscribe/)
  assert.ok(!html.includes('home-campaign'))
  assert.match(await openHome('de'), /Diese Seite ist neu und noch leer/)
})

test('the home page lists five upcoming events, featured ones first', async () => {
  for (const day of [1, 2, 3, 4, 5, 6]) await anEvent(`Day ${day}`, day)
  await anEvent('Highlight', 7, { featured: true })
  await anEvent('Later highlight', 60, { featured: true })
  const html = await openHome()
  const titles = [...html.matchAll(/<h3 class="event-card-title">.*?<span>(.*?)<\/span><\/a>/gs)].map(one => one[1])
  assert.deepEqual(titles, ['Highlight', 'Later highlight', 'Day 1', 'Day 2', 'Day 3'])
  assert.ok(!html.includes('/admin/setup'))
})

test('the newest open campaign is shown with its progress, in the language of the page', async () => {
  const createCampaign = async (fields: object) => (await admin.post('/campaigns', { ...campaign, ...fields })).body
  await createCampaign({ name: 'Older' })
  const { id } = await createCampaign({
    name: 'New <b>roof</b>',
    targetAmount: 12_000,
    language: 'en',
    translations: { de: { name: 'Neues Dach', description: 'Es regnet hinein.' } }
  })
  await createCampaign({ name: 'Closed', status: 'closed' })
  await createCampaign({ name: 'Over', endsAt: '2020-01-01T00:00:00Z' })
  await createCampaign({ name: 'Draft', status: 'draft' })
  await admin.post(`/campaigns/${id}/donations`, {
    amount: 7340,
    donorName: 'Ada',
    receiptRequested: false,
    status: 'IN_PROCESS',
    account: { iban: 'DE02120300000000202051', name: 'Ada', nameOfBank: 'Bank' }
  })
  await admin.post(`/campaigns/${id}/donations`, { amount: 600, donorName: 'Box', status: 'TRANSFERRED' })
  const html = await openHome()
  assert.match(html, /New &lt;b>roof&lt;\/b>/)
  assert.match(html, /aria-valuetext="5%: €600 of €12,000 received, €7,340 pledged"/)
  assert.match(html, /bar-promised" width="66.2".*bar-received" width="5"/)
  const german = await openHome('de')
  assert.match(german, new RegExp(`href="/de/spenden/${id}-neues-dach"`))
  assert.match(german, /600\s€ von 12\.000\s€ eingegangen, 7\.340\s€ zugesagt/)
  for (const name of ['Older', 'Closed', 'Over', 'Draft']) assert.ok(!html.includes(`>${name}<`), name)
})

test('days with events are links in the small month, and categories show their number of events', async () => {
  const category = await admin.post(`${calendar}/categories`, { name: 'Music' })
  await anEvent('Now', 0, { categories: [category.body.id] })
  const html = await openHome()
  assert.match(html, new RegExp(`<td aria-current="date"><a href="/en/calendar/${inDays(0)}"`))
  assert.match(html, /href="\/en\/category\/music".*?Music <span class="count">1<\/span>/s)
})
