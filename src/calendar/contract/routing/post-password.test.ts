import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendForm } from '#test/support/admin-client.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { calendar, event, startSite } from '#test/support/services.ts'

const { admin, visitor } = await startSite()

let count = 0
async function createProtectedEvent(password: string) {
  count += 1
  const fields = { ...event, title: `Locked ${count}`, description: 'The hidden text', post_password: password }
  const { status, body, text } = await admin.post(`${calendar}/events`, fields)
  assert.equal(status, 201, text)
  return body as { id: number; slug: string }
}

async function readFrom(remoteAddress: string, url: string, headers: Record<string, string> = {}) {
  return await visitor.send({ method: 'GET', url, remoteAddress, headers })
}

test('wrong passwords are limited per network, over all routes that accept a password', {
  skip: skipUnlessFull
}, async () => {
  const { id, slug } = await createProtectedEvent('sesame')
  const buildUrls = (guess: string) => [
    `${calendar}/events/${id}?password=${guess}`,
    `${calendar}/events/by-slug/${slug}?password=${guess}`,
    `${calendar}/events?include=${id}&password=${guess}`,
    `${calendar}/venues?password=${guess}`,
    `${calendar}/organizers?search=x&password=${guess}`,
    `${calendar}/events/${id}.ics?password=${guess}`,
    `/wp-json/tribe/events/v1/events/${id}?password=${guess}`
  ]
  const count = async (from: (index: number) => string) => {
    const refused: Awaited<ReturnType<typeof readFrom>>[] = []
    for (let index = 0; index < 70; index += 1) {
      const path = buildUrls(`guess-${from(index).replace(/\W/g, '')}-${index}`)[index % 7] ?? ''
      const answer = await readFrom(from(index), path)
      if (answer.status === 429) refused.push(answer)
      else assert.ok(answer.status < 500, `${path} ${answer.text}`)
    }
    return refused
  }
  const ofOneAddress = await count(() => '198.51.100.9')
  assert.equal(ofOneAddress.length, 60)
  assert.ok(
    ofOneAddress.every(({ headers }) => Number(headers['retry-after']) >= 1 && Number(headers['retry-after']) <= 60)
  )
  assert.equal((await count(index => `2001:db8:5:${index.toString(16)}::1`)).length, 50, 'of a /56')
  assert.equal((await count(index => `2001:db8:6:${(index * 257).toString(16)}::1`)).length, 30, 'of a /48')

  // The limited network is refused even with the right password; other networks are not.
  const right = await readFrom('198.51.100.9', `${calendar}/events/${id}?password=sesame`)
  assert.deepEqual([right.status, right.body.code], [429, 'too-many-guesses'])
  assert.equal((await readFrom('203.0.113.1', `${calendar}/events/${id}?password=sesame`)).status, 200)
})

test('requests with the right password are not limited', async () => {
  const { id } = await createProtectedEvent('open it')
  for (let times = 0; times < 50; times += 1) {
    const { status } = await readFrom('198.51.101.1', `${calendar}/events/${id}?password=open%20it&times=${times}`)
    assert.equal(status, 200)
  }
})

test('the Event-Password header works like the query parameter, appears in no link, and its response is not cached for others', async () => {
  const { id, slug } = await createProtectedEvent('Öffne dich 100%')
  const headers = { 'event-password': encodeURIComponent('Öffne dich 100%') }
  const path = `${calendar}/events/${id}`
  assert.equal((await visitor.get(path)).status, 403)
  for (const address of [path, `${calendar}/events/by-slug/${slug}`]) {
    const opened = await visitor.get(address, headers)
    assert.equal(opened.status, 200, opened.text)
    assert.match(opened.body.description, /The hidden text/)
    assert.match(opened.headers['cache-control'] ?? '', /no-store/)
    assert.equal((await visitor.get(address)).status, 403)
  }
  assert.equal((await visitor.get(path, { 'event-password': 'wrong' })).status, 403)
  const list = `${calendar}/events?include=${id}`
  const closed = await visitor.get(list)
  const opened = await visitor.get(list, headers)
  assert.equal(closed.body.events[0].description, '')
  assert.match(opened.body.events[0].description, /The hidden text/)
  assert.ok(!/password/.test(JSON.stringify([opened.body.rest_url, opened.headers.link])))
  assert.equal((await visitor.get(list)).body.events[0].description, '')
  const long = await visitor.get(path, { 'event-password': 'x'.repeat(201) })
  assert.equal(long.status, 400)
})

test('after ten wrong passwords the page of an event answers 429 and says when to try again, in its language', async () => {
  const { slug } = await createProtectedEvent('pssst')
  const guess = async (password: string) =>
    await visitor.send({
      method: 'POST',
      url: `/de/termin/${slug}`,
      remoteAddress: '198.51.102.1',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ password }).toString()
    })
  for (let times = 0; times < 10; times += 1) assert.equal((await guess(`guess ${times}`)).status, 403)
  const refused = await guess('pssst')
  assert.equal(refused.status, 429)
  assert.match(refused.text, /Zu viele falsche Versuche\. Bitte in \d+ Sekunden? noch einmal/)
  assert.equal((await sendForm(visitor, `/de/termin/${slug}`, { password: 'pssst' })).status, 200)
})
