import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startAdmin } from '#test/support/admin-client.ts'
import { calendar } from '#test/support/services.ts'

const { admin, visitor, signIn } = await startAdmin()
const [ed, otto, vera, tess] = [
  await signIn('editor'),
  await signIn('editor', 'de'),
  await signIn('viewer'),
  await signIn('treasurer')
]
const menu = '/admin/suggestions'
const toText = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/&nbsp;|\s+/g, ' ')

let count = 0
async function suggest(fields: object = {}): Promise<number> {
  count += 1
  const body = {
    title: `Fair ${count}`,
    start_date: '2031-06-01 14:00:00',
    end_date: '2031-06-01 18:00:00',
    sender_email: `sender-${count}@example.org`,
    ...fields
  }
  const { headers, text } = await visitor.post(`${calendar}/suggestions`, body)
  assert.ok(headers.location, text)
  return Number(headers.location.split('/').at(-1))
}

test('a card shows all fields and possible duplicates of a suggestion, and the menu shows the number of waiting ones', async () => {
  assert.doesNotMatch((await ed.get(menu)).text, /side-count/)
  await admin.post(`${calendar}/events`, { title: 'Harvest fair', start_date: '2031-06-01', end_date: '2031-06-01' })
  const id = await suggest({
    ...{
      title: 'The harvest fair',
      description: '<p>With <b>pumpkins</b></p>',
      venue_name: 'Barn',
      organizer: 'Farmers'
    },
    ...{ cost: '3 €', website: 'https://example.org/fair', sender_name: 'Ada', message: 'Call me\nplease' }
  })
  const { text } = await ed.get(menu)
  const pageText = toText(text)
  for (const known of [
    'The harvest fair',
    'Barn',
    'Farmers',
    '3',
    'example.org',
    'Ada',
    'sender-1@example.org',
    'Call me'
  ]) {
    assert.ok(pageText.includes(known), known)
  }
  assert.match(pageText, /email address not confirmed/)
  assert.match(pageText, /Possible duplicates Harvest fair , .*similar title on the same day/)
  assert.match(text, /<b>pumpkins<\/b>/)
  assert.match(text, /<span class="side-count">1<span class="visually-hidden"> waiting<\/span>/)
  assert.match(text, /href="\/admin\/events\/\d+\?lang=en"/)
  assert.match(toText((await otto.get('/admin')).text), /Vorschläge 1 wartend/)
  assert.match((await ed.get(`${menu}/${id}`)).text, /<h1>The harvest fair<\/h1>/)
})

test('accepting a suggestion publishes its event', async () => {
  const id = await suggest({ title: 'One click' })
  const after = await ed.sendAndFollow(`${menu}/${id}/accept`, {})
  assert.match(toText(after.text), /Accepted: the event is in the calendar/)
  const { event } = (await admin.get(`${calendar}/suggestions/${id}`)).body
  assert.equal((await visitor.get(`${calendar}/events/${event.id}`)).status, 200)
  assert.match(
    toText((await ed.get(`${menu}?state=accepted`)).text),
    /One click .*Accepted on .*: The editor of the tests/
  )
  assert.match(toText((await ed.get(`${menu}/${id}`)).text), /Accepted on/)
})

test('declining a suggestion moves its event to the trash, and the card keeps answer and note', async () => {
  const id = await suggest({ title: 'Not for us' })
  const after = await otto.sendAndFollow(`${menu}/${id}/decline`, { answer: 'Leider nein', reason: 'Werbung' })
  assert.match(toText(after.text), /Abgelehnt: Der Termin ist im Papierkorb/)
  const pageText = toText((await otto.get(`${menu}?state=declined`)).text)
  assert.match(pageText, /Not for us .*Abgelehnt am .*Notiz: Werbung .*Leider nein/)
  const late = await ed.send(`${menu}/${id}/accept`, {})
  assert.equal(late.status, 409)
})

test('publishing the event in the editor accepts the suggestion', async () => {
  const id = await suggest({ title: 'Edit first' })
  const { event } = (await admin.get(`${calendar}/suggestions/${id}`)).body
  const editor = await ed.get(`/admin/events/${event.id}?lang=en`)
  assert.equal(editor.status, 200)
  assert.match(editor.text, /value="2031-06-01"/)
  const saved = await ed.send(`/admin/events/${event.id}?lang=en`, {
    ...{ title: 'Edited first', description: '', excerpt: '', slug: '', status: 'publish', event_status: 'scheduled' },
    ...{ start_date: '2031-06-01', start_time: '14:00', end_date: '2031-06-01', end_time: '18:00', timezone: 'UTC' },
    ...{ venue: '', cost: '', website: '', image: '', etag: '' }
  })
  assert.equal(saved.status, 303, saved.text)
  const { body } = await admin.get(`${calendar}/suggestions/${id}`)
  assert.deepEqual([body.state, body.event.title, body.event.status], ['accepted', 'Edited first', 'publish'])
})

test('sender data is erased after a confirmation page', async () => {
  const id = await suggest({ sender_name: 'Erase Me' })
  const confirmation = await ed.get(`${menu}/${id}/erase`)
  assert.match(toText(confirmation.text), /Erase sender data\?/)
  const after = await ed.sendAndFollow(`${menu}/${id}/erase`, {})
  assert.match(toText(after.text), /Sender data erased/)
  assert.doesNotMatch(toText(after.text), /Erase Me/)
})

test('viewers and treasurers get 403 for suggestions, and no number in the menu', async () => {
  const id = await suggest({ sender_name: 'Nobody Else' })
  for (const client of [vera, tess]) {
    for (const path of [menu, `${menu}/${id}`, `${menu}/${id}/erase`]) {
      const { status, text } = await client.get(path)
      assert.equal(status, 403)
      assert.doesNotMatch(text, /Nobody Else/)
    }
    for (const verb of ['accept', 'decline', 'erase']) {
      assert.equal((await client.send(`${menu}/${id}/${verb}`, {})).status, 403)
    }
    assert.doesNotMatch((await client.get('/admin')).text, /side-count|admin\/suggestions/)
  }
  assert.equal((await ed.get(`${menu}/99999999`)).status, 404)
})

test('the settings show whether suggestions are enabled and their retention; the list says when they are disabled', async () => {
  const anna = await signIn('admin')
  const { text } = await anna.get('/admin/settings')
  assert.match(text, /name="suggestions"[^>]*checked|checked[^>]*name="suggestions"/)
  assert.match(text, /name="suggestionRetentionDays"[^>]*/)
  await admin.patch('/site', { suggestions: false, suggestionRetentionDays: 30 })
  assert.match(toText((await ed.get(menu)).text), /disabled in the settings/)
  assert.match((await anna.get('/admin/settings')).text, /value="30"/)
  await admin.patch('/site', { suggestions: true })
})
