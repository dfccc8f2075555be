// Two organisations in one process, each with its own database, as docs/scale.md describes for platforms: nothing of one
// may appear at the other, although campaigns and events have the same ids and URLs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendar, campaign, event, newClient, startSite } from '#test/support/services.ts'

async function startOrganisation(name: string, env: Record<string, string>) {
  const started = await startSite({ env })
  const { admin } = started
  const site = await admin.patch('/site', { name, tagline: { en: `${name} for all` } })
  assert.equal(site.status, 200, site.text)
  const created = [
    await admin.post('/campaigns', { ...campaign, name: `Roof of ${name}` }),
    await admin.post(`${calendar}/events`, {
      ...event,
      title: `Evening of ${name}`,
      start_date: '2030-07-01 19:30:00',
      end_date: '2030-07-01 21:30:00'
    })
  ]
  for (const { status, text } of created) assert.equal(status, 201, text)
  const [{ id: campaignId }, { id: eventId }] = created.map(({ body }) => body) as [{ id: number }, { id: number }]
  return { ...started, name, campaignId, eventId }
}

const [berlin, newYork] = await Promise.all([
  startOrganisation('Lindenhof', { TIMEZONE: 'Europe/Berlin', CURRENCY: 'EUR' }),
  startOrganisation('Riverside', { TIMEZONE: 'America/New_York', CURRENCY: 'USD' })
])

test('two organisations in one process have the same URLs and share no content', async () => {
  assert.equal(berlin.campaignId, newYork.campaignId)
  assert.equal(berlin.eventId, newYork.eventId)
  const paths = [
    '/campaigns',
    `/campaigns/${berlin.campaignId}`,
    `${calendar}/events?start_date=2030-01-01`,
    `${calendar}/events/${berlin.eventId}`,
    '/en',
    '/en/donate',
    '/en/calendar/2030-07',
    '/en/events.ics'
  ]
  // Several times at once, so that responses come from handlers, from other requests in flight, and from caches.
  for (let round = 0; round < 3; round += 1) {
    const requests = [berlin, newYork].flatMap(one =>
      paths.flatMap(path => [
        { one, path },
        { one, path }
      ])
    )
    const responses = await Promise.all(requests.map(async ({ one, path }) => await one.visitor.get(path)))
    for (const [index, { status, text }] of responses.entries()) {
      const { one, path } = requests[index] as (typeof requests)[number]
      const other = one === berlin ? newYork : berlin
      assert.equal(status, 200, `${path} of ${one.name}`)
      assert.ok(text.includes(one.name), `${path} of ${one.name} does not name it`)
      assert.ok(!text.includes(other.name), `${path} of ${one.name} names ${other.name}`)
    }
  }
})

test('each organisation has its own time zone, currency, settings and keys', async () => {
  for (const [one, timezone, currency] of [
    [berlin, 'Europe/Berlin', 'EUR'],
    [newYork, 'America/New_York', 'USD']
  ] as const) {
    assert.equal((await one.visitor.get(`${calendar}/events/${one.eventId}`)).body.timezone, timezone)
    assert.equal((await one.visitor.get(`/campaigns/${one.campaignId}`)).body.currency, currency)
  }
  const issued = await berlin.admin.post('/keys', { name: 'Editor', role: 'editor' })
  assert.equal(issued.status, 201, issued.text)
  assert.equal((await newClient(berlin.server, issued.body.key).get('/campaigns')).status, 200)
  assert.equal((await newClient(newYork.server, issued.body.key).get('/campaigns')).status, 401)
})

test('a change at one organisation invalidates nothing but its own responses', async () => {
  const read = async () => (await newYork.visitor.get(`/campaigns/${newYork.campaignId}`)).body.name
  assert.equal(await read(), 'Roof of Riverside')
  const changed = await berlin.admin.put(`/campaigns/${berlin.campaignId}`, {
    ...campaign,
    name: 'Roof and walls of Lindenhof'
  })
  assert.equal(changed.status, 200, changed.text)
  assert.equal((await berlin.visitor.get(`/campaigns/${berlin.campaignId}`)).body.name, 'Roof and walls of Lindenhof')
  assert.equal(await read(), 'Roof of Riverside')
})
