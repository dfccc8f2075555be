import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendar, startCalendar } from '#test/support/services.ts'

const { admin, visitor, anEvent } = await startCalendar()
const at = { start_date: '2060-03-01 10:00', end_date: '2060-03-01 11:00' }
const range = 'start_date=2060-01-01&end_date=2060-12-31&per_page=50'

async function find(query: string): Promise<string[]> {
  const { status, body, text } = await visitor.get(`${calendar}/events?${range}&${query}`)
  assert.equal(status, 200, text)
  return body.events.map(({ title }: { title: string }) => title).sort()
}

test('the lowest price decides, as cost_details has it', async () => {
  const costs = [
    ...['8', 8, '8.00', '8,00 €', '$8', 'CHF 8.-', ['20', '8'], '8–12 €', '€8 - €12', '12 Euro, ermäßigt 8 Euro'],
    ...[
      '0',
      'Free',
      'Eintritt frei',
      'kostenlos',
      '0 – 10',
      'Donation',
      '7,99',
      '8,01',
      '1.000',
      '1,000.50',
      '1.000,50'
    ],
    ...['.50', '12 345', 'Fr. 20', '008', '3.5']
  ]
  for (const [place, cost] of costs.entries()) await anEvent({ title: `Cost ${place}`, cost, ...at })
  const { body } = await visitor.get(`${calendar}/events?${range}`)
  interface Priced {
    title: string
    cost: string
    cost_details: { values: string[] }
  }
  const isFree = ({ cost, cost_details: { values } }: Priced) =>
    values.every(value => Number.isNaN(Number(value))) && /\b(?:free|frei|gratis|kostenlos)\b/i.test(cost)
  for (const most of [0, 0.5, 7.99, 8, 8.01, 20, 1000, 1000.5, 12_345, 1_000_000]) {
    const expected = (body.events as Priced[])
      .filter(one => isFree(one) || one.cost_details.values.some(value => Number(value) <= most))
      .map(({ title }) => title)
    assert.deepEqual(await find(`cost_max=${most}`), expected.sort(), `up to ${most}`)
  }
  assert.ok((await find('cost_max=0')).length >= 5)
  // What is no price is unknown.
  for (const cost of ['19:30', '50 %', null]) await anEvent({ title: 'Unknown', cost, ...at })
  assert.ok(!(await find('cost_max=1000000')).includes('Unknown'))
})

test('the cost of a protected event is not revealed', async () => {
  await anEvent({ title: 'Locked', cost: '3', post_password: 'key', ...at })
  assert.ok((await find('')).includes('Locked'))
  assert.ok(!(await find('cost_max=5')).includes('Locked'))
})

test('a limit that is no amount is refused', async () => {
  for (const value of ['', '-1', 'free', '1e3', '10000000']) {
    const { status, body } = await visitor.get(`${calendar}/events?cost_max=${value}`)
    assert.equal(status, 400, value)
    assert.deepEqual(Object.keys(body.data.params), ['cost_max'])
  }
})

test('an event takes place online or not, and lists, days and search engines say so', async () => {
  const online = await anEvent({ title: 'Talk', is_virtual: true, website: 'https://meet.example/talk', ...at })
  assert.equal(online.is_virtual, true)
  const place = await anEvent({ title: 'Both', is_virtual: true, venue: { venue: 'Hall' }, ...at })
  const there = await anEvent({ title: 'There', ...at })
  assert.equal(there.is_virtual, false)
  assert.deepEqual(await find('is_virtual=true'), ['Both', 'Talk'])
  assert.ok((await find('is_virtual=false')).includes('There'))
  const days = (await visitor.get(`${calendar}/days?from=2060-03-01&to=2060-03-01&per_day=50&is_virtual=true`)).body
  assert.equal(days.days[0].total, 2)
  const readMode = async (id: number) => (await visitor.get(`${calendar}/events/${id}`)).body.json_ld
  assert.match((await readMode(online.id)).eventAttendanceMode, /OnlineEventAttendanceMode$/)
  assert.deepEqual((await readMode(online.id)).location, {
    '@type': 'VirtualLocation',
    url: 'https://meet.example/talk'
  })
  assert.match((await readMode(place.id)).eventAttendanceMode, /MixedEventAttendanceMode$/)
  assert.match((await readMode(there.id)).eventAttendanceMode, /OfflineEventAttendanceMode$/)
  const changed = await admin.patch(`${calendar}/events/${online.id}`, { is_virtual: false })
  assert.equal(changed.body.is_virtual, false)
})
