import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { sendDueEmails } from '#platform/email/send.ts'
import { startMailbox } from '#test/support/mailbox.ts'
import { calendar, startCalendar } from '#test/support/services.ts'
import { calendarEmails } from './emails.ts'
import { notifyEditors } from './notify.ts'
import { deleteOldSuggestions } from './retention.ts'

const mailbox = await startMailbox()
const started = await startCalendar({
  env: {
    ...{ RATE_LIMIT: '0', RATE_LIMIT_SUGGESTIONS: '0', PUBLIC_URL: 'https://calendar.example' },
    ...{ SMTP_URL: mailbox.url, MAIL_FROM: 'Calendar <calendar@example.org>' }
  }
})
const { admin, visitor, store, settings, withRole, aVenue } = started
const editor = await withRole('editor')
const path = `${calendar}/suggestions`
const hourMs = 3_600_000

let sent = 0
async function suggest(fields: object = {}): Promise<{ email: string; title: string }> {
  sent += 1
  const suggestion = {
    title: `Street party ${sent}`,
    start_date: '2031-06-01 14:00:00',
    sender_email: `sender-${sent}@example.org`,
    ...fields
  }
  const { status, body, text } = await visitor.post(path, suggestion)
  assert.deepEqual([status, body], [201, { state: 'unconfirmed' }], text)
  return { email: suggestion.sender_email, title: suggestion.title }
}

/** Sends the waiting emails, and returns those to this address, newest last. */
async function readEmailsTo(address: string) {
  while ((await sendDueEmails(store, settings, calendarEmails)) > 0);
  return mailbox.received.filter(({ to }) => to.includes(address))
}

async function readToken(email: string): Promise<string> {
  const letter = (await readEmailsTo(email)).at(-1)
  const token =
    /https:\/\/calendar\.example\/(?:en\/calendar\/suggest\/confirm|de\/kalender\/vorschlagen\/bestaetigen)\/(\S+)/.exec(
      letter?.text ?? ''
    )?.[1]
  assert.ok(token, letter?.text)
  return token
}

const listSuggestions = async (query = '') => (await editor.get(`${path}?per_page=50${query}`)).body.suggestions
const findByEmail = async (email: string) => (await listSuggestions(`&email=${email}`))[0]

async function suggestAndConfirm(fields: object = {}) {
  const { email } = await suggest(fields)
  assert.equal((await visitor.post(`${path}/confirm`, { token: await readToken(email) })).status, 200)
  return await findByEmail(email)
}

test('a suggestion is in the queue only after its sender opened the link, and the email does not contain its texts', async () => {
  const { email, title } = await suggest({ message: 'Buy my pills', sender_name: 'Spam Name' })
  assert.deepEqual(await listSuggestions(`&email=${email}`), [])
  const { count } = await store.one<{ count: number }>(sql`select count(*)::int as count from calendar.events`)
  assert.equal(count, 0)
  const token = await readToken(email)
  const [letter] = await readEmailsTo(email)
  assert.doesNotMatch(letter?.raw ?? '', new RegExp(`${title}|pills|Spam Name`))
  const stored = await store.one<{ row: string }>(sql`
    select row_to_json(one)::text as row from calendar.suggestions as one where sender_email = ${email}`)
  assert.ok(!stored.row.includes(token))

  assert.deepEqual((await visitor.post(`${path}/confirm`, { token })).body, { state: 'open' })
  const found = await findByEmail(email)
  assert.deepEqual([found.state, found.event.title, found.event.status], ['open', title, 'pending'])
  assert.deepEqual(found.sender, { name: 'Spam Name', email, is_confirmed: true })
  assert.equal((await visitor.post(`${path}/confirm`, { token })).status, 200)
  assert.equal((await listSuggestions(`&email=${email}`)).length, 1)
})

test('an invalid or expired link confirms nothing', async () => {
  for (const token of ['x', 'ksl_0123456789_01234567890123456789012345678901', "'; drop table x"]) {
    const { status, body } = await visitor.post(`${path}/confirm`, { token })
    assert.deepEqual([status, body.code], [410, 'link-ended'])
  }
  for (const token of ['', null, ['x'], 'x'.repeat(101)]) {
    assert.equal((await visitor.post(`${path}/confirm`, { token })).status, 400)
  }
  const { email } = await suggest()
  const token = await readToken(email)
  await store.run(sql`
    update calendar.suggestions set created_at = now() - interval '49 hours' where sender_email = ${email}`)
  assert.equal((await visitor.post(`${path}/confirm`, { token })).status, 410)
  await deleteOldSuggestions(store, settings, new Date())
  assert.equal((await visitor.post(`${path}/confirm`, { token })).status, 410)
  const left = await store.all(sql`select id from calendar.suggestions where sender_email = ${email}`)
  assert.equal(left.length, 0)
})

test('a venue that is deleted before the confirmation is left out', async () => {
  const venue = await aVenue({ venue: 'Closing soon' })
  const { email } = await suggest({ venue: venue.id })
  await admin.delete(`${calendar}/venues/${venue.id}?force=true`)
  assert.equal((await visitor.post(`${path}/confirm`, { token: await readToken(email) })).status, 200)
  assert.deepEqual((await findByEmail(email)).event.venue, [])
})

test('the sender gets one email with the URL of the accepted event', async () => {
  const { id, sender } = await suggestAndConfirm({ title: 'Harvest fair', language: 'de' })
  const before = (await readEmailsTo(sender.email)).length
  await editor.post(`${path}/${id}/accept`)
  await editor.post(`${path}/${id}/accept`)
  const letters = (await readEmailsTo(sender.email)).slice(before)
  assert.equal(letters.length, 1)
  assert.match(letters[0]?.headers.subject ?? '', /Harvest fair/)
  assert.match(letters[0]?.text ?? '', /https:\/\/calendar\.example\/event\/harvest-fair\//)
  assert.match(letters[0]?.text ?? '', /Vielen Dank|vielen Dank/)
})

test('the sender of a declined suggestion gets an email with the message, but none if the event was moved to the trash', async () => {
  const declined = await suggestAndConfirm({ title: 'Car boot sale' })
  const before = (await readEmailsTo(declined.sender.email)).length
  await editor.post(`${path}/${declined.id}/decline`, { message: 'We only list concerts.', reason: 'internal words' })
  const [letter, ...others] = (await readEmailsTo(declined.sender.email)).slice(before)
  assert.equal(others.length, 0)
  assert.match(letter?.text ?? '', /Car boot sale[\s\S]*We only list concerts\./)
  assert.doesNotMatch(letter?.text ?? '', /internal words/)

  const trashed = await suggestAndConfirm()
  const emailCount = (await readEmailsTo(trashed.sender.email)).length
  await editor.delete(`${calendar}/events/${trashed.event.id}`)
  assert.equal((await findByEmail(trashed.sender.email)).state, 'declined')
  assert.equal((await readEmailsTo(trashed.sender.email)).length, emailCount)
})

test('the organisation gets one email an hour about new suggestions, without the data of senders', async () => {
  await admin.patch('/site', { contactEmail: 'office@example.org' })
  await store.run(sql`update calendar.suggestions set notified_at = '2020-01-01'`)
  const [one, other] = [
    await suggestAndConfirm({ title: 'Digest one', sender_name: 'Secret Sender' }),
    await suggestAndConfirm({ title: 'Digest two' })
  ]
  const sendDigest = async () => {
    const before = (await readEmailsTo('office@example.org')).length
    await notifyEditors(store, settings, new Date())
    return (await readEmailsTo('office@example.org')).slice(before)
  }
  const waitMinutes = async (minutes: number) =>
    void (await store.run(sql`
      update calendar.suggestions set notified_at = notified_at - make_interval(mins => ${minutes}::int)`))
  const [letter, ...more] = await sendDigest()
  assert.equal(more.length, 0)
  assert.match(letter?.text ?? '', /Digest one[\s\S]*Digest two[\s\S]*\/admin\/suggestions/)
  assert.doesNotMatch(letter?.raw ?? '', new RegExp(`Secret Sender|${one.sender.email}|${other.sender.email}`))
  await suggestAndConfirm({ title: 'Digest three' })
  await waitMinutes(30)
  assert.equal((await sendDigest()).length, 0)
  await waitMinutes(31)
  const [later] = await sendDigest()
  assert.match(later?.text ?? '', /Digest three/)
  assert.doesNotMatch(later?.text ?? '', /Digest one/)
  await waitMinutes(61)
  assert.equal((await sendDigest()).length, 0)
})

test('after the retention period the sender is erased, and declined suggestions are deleted with their event', async () => {
  const accepted = await suggestAndConfirm({ message: 'Hello' })
  const declined = await suggestAndConfirm({ venue_name: 'Never built', organizer: 'Never met' })
  const open = await suggestAndConfirm()
  await editor.post(`${path}/${accepted.id}/accept`)
  await editor.post(`${path}/${declined.id}/decline`, { message: 'No' })
  const dayMs = 24 * hourMs
  await admin.patch('/site', { suggestionRetentionDays: 10 })
  await deleteOldSuggestions(store, settings, new Date(Date.now() + 9 * dayMs))
  assert.ok((await editor.get(`${path}/${accepted.id}`)).body.sender !== null)
  await deleteOldSuggestions(store, settings, new Date(Date.now() + 11 * dayMs))
  const kept = (await editor.get(`${path}/${accepted.id}`)).body
  assert.deepEqual([kept.sender, kept.message, kept.event.status], [null, '', 'publish'])
  assert.equal((await editor.get(`${path}/${declined.id}`)).status, 404)
  const gone = await store.all(sql`
    select id from calendar.events where id = ${declined.event.id}
    union all select id from calendar.venues where id = ${declined.event.venue.id}
    union all select id from calendar.organizers where id = ${declined.event.organizer[0].id}`)
  assert.equal(gone.length, 0)
  assert.equal((await editor.get(`${path}/${open.id}`)).body.sender.email, open.sender.email)
  assert.equal((await admin.patch('/site', { suggestionRetentionDays: 0 })).status, 400)
})

test('an editor erases a sender in all suggestions at once, and no more emails are sent', async () => {
  const email = 'forget-me@example.org'
  const first = await suggestAndConfirm({ sender_email: email, message: 'About me' })
  await suggestAndConfirm({ sender_email: email })
  await suggest({ sender_email: email })
  const letters = (await readEmailsTo(email)).length
  const erased = await editor.delete(`${path}/${first.id}/sender`)
  assert.deepEqual([erased.status, erased.body.sender, erased.body.message], [200, null, ''])
  await editor.post(`${path}/${first.id}/accept`)
  assert.equal((await readEmailsTo(email)).length, letters)
  for (const table of [sql`calendar.suggestions`, sql`calendar.events`, sql`platform.activity`, sql`platform.outbox`]) {
    const rows = await store.all<{ row: string }>(sql`select to_json(one)::text as row from ${table} as one`)
    assert.ok(!rows.some(({ row }) => row.includes(email)), table.text)
  }
  assert.equal((await editor.delete(`${path}/${first.id}/sender`)).status, 200)
})
