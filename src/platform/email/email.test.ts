// test: both stores
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createDatabase, silent } from '#test/support/database.ts'
import { startMailbox } from '#test/support/mailbox.ts'
import { readSettings, type Settings } from '../config.ts'
import { connectStore } from '../database/postgres.ts'
import { sql } from '../database/sql.ts'
import { platformChecks } from '../doctor/platform-checks.ts'
import { type Email, type EmailTemplates, queueEmail } from './outbox.ts'
import { countWaiting } from './queries.ts'
import { buildEmailJobs, deleteOldEmails, sendDueEmails } from './send.ts'
import { EmailFailure, getSmtpSettings, verifyServer } from './smtp.ts'

const database = await createDatabase()
const db = connectStore({ connectionString: database.url }, { noTimeouts: false, log: silent })
after(async () => {
  await db.close()
  await database.remove()
})

const settingsFor = (url: string, more: Record<string, string> = {}): Settings =>
  readSettings({ SMTP_URL: url, MAIL_FROM: 'Förderverein Käfer <give@example.org>', ...more })

const written: Email = { to: 'ada@example.org', subject: 'Thank you', text: 'It has come.' }
const kinds: EmailTemplates = {
  plain: async (_db, _settings, about) => ({ ...written, to: `${about}@example.org` }),
  unwanted: async () => undefined,
  broken: async () => {
    throw new Error('This is our own mistake.')
  }
}

/** A clock that the test moves, behind that of the machine. */
let moment = Date.parse('2026-01-01T00:00:00Z')
const now = () => new Date(moment)
const minuteMs = 60_000
const hourMs = 60 * minuteMs

async function letterOf(about: string) {
  return await db.one<{ id: string; state: string; attempts: number; error: string | null; next: string }>(sql`
    select id, state, attempts, last_error as error, next_attempt_at as next from platform.outbox where about = ${about}`)
}

const post = async (settings: Settings, kind: string, about: string, once = false) =>
  await db.transaction(async tx => await queueEmail(tx, settings, { kind, about, once }, now()))

test('a letter arrives once, with both texts, names in all letters, attachments, and an id that stays its own', async () => {
  const mailbox = await startMailbox()
  const settings = settingsFor(mailbox.url)
  const content = Buffer.from([0, 1, 2, 250, 251])
  const letters: EmailTemplates = {
    rich: async () => ({
      to: { name: 'Jörg "der Große" Müller, Köln', address: 'joerg@example.org' },
      subject: 'Ihre Spende von 25,00 €: herzlichen Dank für „Neues Dach über der Musikschule“',
      text: 'Guten Tag,\n\nGrüße aus Köln\n.\nEnde',
      html: '<p>Grüße aus Köln</p><img src="cid:code.png" alt="">',
      attachments: [
        { name: 'code.png', type: 'image/png', content },
        { name: 'Beleg Nr. 7.pdf', type: 'application/pdf', content }
      ]
    })
  }
  await post(settings, 'rich', '1')
  assert.equal(await sendDueEmails(db, settings, letters, { now }), 1)
  assert.equal(await sendDueEmails(db, settings, letters, { now }), 0)
  const [letter, ...others] = mailbox.received
  assert.ok(letter !== undefined && others.length === 0)
  const { id, state } = await letterOf('1')
  assert.equal(state, 'sent')
  assert.deepEqual([letter.from, letter.to], ['give@example.org', ['joerg@example.org']])
  assert.equal(letter.headers['message-id'], `<${id}@example.org>`)
  assert.equal(letter.headers['auto-submitted'], 'auto-generated')
  assert.match(letter.headers.from ?? '', /^Förderverein Käfer <give@example\.org>$/)
  assert.match(letter.headers.to ?? '', /Jörg \\?"der Große\\?" Müller, Köln.*<joerg@example\.org>$/)
  assert.equal(letter.headers.subject, 'Ihre Spende von 25,00 €: herzlichen Dank für „Neues Dach über der Musikschule“')
  assert.equal(letter.text.replaceAll('\r\n', '\n').trim(), 'Guten Tag,\n\nGrüße aus Köln\n.\nEnde')
  assert.match(letter.html, /Grüße aus Köln/)
  assert.deepEqual(
    letter.attachments.map(({ name, type, disposition, content: bytes }) => [name, type, disposition, bytes]),
    [
      ['code.png', 'image/png', 'inline', content],
      ['Beleg Nr. 7.pdf', 'application/pdf', 'attachment', content]
    ]
  )
})

test('what somebody writes into a name or a subject adds no line and no recipient to a letter', async () => {
  const mailbox = await startMailbox()
  const settings = settingsFor(mailbox.url)
  const letters: EmailTemplates = {
    hostile: async () => ({
      to: { name: 'Eve <eve@evil.example>,\r\nBcc: all@evil.example', address: 'eve@example.org' },
      subject: 'Thanks\r\nBcc: all@evil.example\r\n\r\nBuy this',
      text: 'x'
    }),
    address: async () => ({ to: 'a@example.org, b@evil.example', subject: 'x', text: 'x' }),
    command: async () => ({ to: 'a@example.org>\r\nRCPT TO:<b@evil.example', subject: 'x', text: 'x' })
  }
  for (const kind of Object.keys(letters)) await post(settings, kind, kind)
  assert.equal(await sendDueEmails(db, settings, letters, { now }), 1)
  const [letter, ...others] = mailbox.received
  assert.ok(letter !== undefined && others.length === 0)
  assert.deepEqual(letter.to, ['eve@example.org'])
  assert.equal(letter.headers.bcc, undefined)
  assert.equal(letter.headers.subject, 'Thanks Bcc: all@evil.example Buy this')
  for (const kind of ['address', 'command']) assert.equal((await letterOf(kind)).state, 'given_up')
})

test('nothing is posted where no mail can be sent, or when the transaction does not happen', async () => {
  const before = await countWaiting(db)
  await post(readSettings({}), 'plain', 'nowhere')
  await assert.rejects(
    db.transaction(async tx => {
      await queueEmail(tx, { smtpUrl: 'smtp://localhost' }, { kind: 'plain', about: 'undone' }, now())
      throw new Error('Something else went wrong.')
    })
  )
  assert.equal(await countWaiting(db), before)
})

test('one kind of letter about a thing goes once where that was asked for', async () => {
  const mailbox = await startMailbox()
  const settings = settingsFor(mailbox.url)
  for (const once of [true, true, false]) await post(settings, 'plain', 'twin', once)
  assert.equal(await sendDueEmails(db, settings, kinds, { now }), 2)
  await post(settings, 'plain', 'twin', true)
  assert.equal(await sendDueEmails(db, settings, kinds, { now }), 0)
})

test('while the server is away letters wait, and one at a time finds out when it is back', async () => {
  const mailbox = await startMailbox()
  const port = Number(new URL(mailbox.url).port)
  const settings = settingsFor(mailbox.url)
  await mailbox.close()
  await post(settings, 'plain', 'w1')
  // Letters of the same moment have no order.
  moment += 1
  await post(settings, 'plain', 'w2')
  assert.equal(await sendDueEmails(db, settings, kinds, { now }), 0)
  const first = await letterOf('w1')
  assert.deepEqual([first.state, first.attempts, first.error], ['waiting', 1, 'no connection to the server'])
  assert.equal(Date.parse(first.next) - moment, minuteMs)
  assert.equal((await letterOf('w2')).attempts, 0, 'A server that takes no letter is not asked for each.')

  const again = await startMailbox({ port })
  assert.equal(await sendDueEmails(db, settings, kinds, { now }), 1)
  assert.deepEqual(
    again.received.map(({ to }) => to[0]),
    ['w2@example.org']
  )
  moment += minuteMs
  assert.equal(await sendDueEmails(db, settings, kinds, { now }), 1)
  const last = await letterOf('w1')
  assert.deepEqual([last.state, last.attempts, last.error], ['sent', 2, null])
})

test('a refusal for now is tried again for two days, one for good is not, and neither keeps an address', async () => {
  const mailbox = await startMailbox()
  const settings = settingsFor(mailbox.url)
  mailbox.refusals.set('later@example.org', { code: 451, text: '4.7.1 <later@example.org> greylisted' })
  mailbox.refusals.set('never@example.org', { code: 550, text: '5.1.1 <never@example.org> is unknown' })
  for (const about of ['later', 'never', 'fine']) await post(settings, 'plain', about)
  assert.equal(await sendDueEmails(db, settings, kinds, { now }), 1, 'Others do not wait for those.')

  const never = await letterOf('never')
  assert.deepEqual([never.state, never.attempts], ['given_up', 1])
  assert.equal(never.error, 'the server refused sender or recipient: 550 5.1.1 at RCPT TO')
  const waited = moment
  for (let attempts = 1; (await letterOf('later')).state === 'waiting'; attempts += 1) {
    const { error, next, attempts: counted } = await letterOf('later')
    assert.equal(error, 'the server refused sender or recipient: 451 4.7.1 at RCPT TO')
    assert.equal(counted, attempts)
    assert.ok(Date.parse(next) > moment)
    moment = Date.parse(next)
    await sendDueEmails(db, settings, kinds, { now })
  }
  assert.equal((await letterOf('later')).state, 'given_up')
  assert.ok(moment - waited > 40 * hourMs && moment - waited < 50 * hourMs)

  mailbox.refusals.clear()
  assert.equal(await sendDueEmails(db, settings, kinds, { now }), 0)
  const kept = await db.one<{ all: string }>(sql`select json_agg(letter)::text as all from platform.outbox as letter`)
  assert.doesNotMatch(kept.all, /@/)
})

test('a wrong password gives up no letter: somebody can mend it', async () => {
  const mailbox = await startMailbox({
    authOptional: false,
    onAuth: ({ username, password }, _session, done) =>
      username === 'kalends@mail' && password === 'p:ss/word'
        ? done(null, { user: 1 })
        : done(new Error('no such user'))
  })
  const withPassword = (password: string) =>
    settingsFor(mailbox.url.replace('//', `//kalends%40mail:${encodeURIComponent(password)}@`))
  await post(withPassword('x'), 'plain', 'secret')
  for (let attempt = 0; attempt < 3; attempt += 1) {
    assert.equal(await sendDueEmails(db, withPassword('wrong-password'), kinds, { now }), 0)
    moment += 2 * hourMs
  }
  const { state, error } = await letterOf('secret')
  assert.equal(state, 'waiting')
  assert.match(error ?? '', /^the server refused user name or password: 535/)
  await assert.rejects(verifyServer(getSmtpSettings(withPassword('wrong-password')) as never), (failure: Error) => {
    assert.ok(failure instanceof EmailFailure)
    assert.doesNotMatch(failure.message, /wrong-password|kalends@mail/)
    return true
  })
  await verifyServer(getSmtpSettings(withPassword('p:ss/word')) as never)
  assert.equal(await sendDueEmails(db, withPassword('p:ss/word'), kinds, { now }), 1)
})

test('a connection is made secure where the server offers it, and a certificate that nobody vouches for is refused', async () => {
  const secured: boolean[] = []
  const mailbox = await startMailbox({
    disabledCommands: [],
    onMailFrom: (_address, session, done) => {
      secured.push(session.secure)
      done()
    }
  })
  for (const about of ['tls1', 'tls2']) await post(settingsFor(mailbox.url), 'plain', about)
  assert.equal(await sendDueEmails(db, settingsFor(mailbox.url), kinds, { now }), 0)
  assert.equal((await letterOf('tls1')).state, 'waiting')
  assert.deepEqual(secured, [])
  assert.equal(await sendDueEmails(db, settingsFor(`${mailbox.url}?tls=unverified`), kinds, { now }), 1)
  moment += minuteMs
  assert.equal(await sendDueEmails(db, settingsFor(`${mailbox.url}?tls=off`), kinds, { now }), 1)
  assert.deepEqual(secured, [true, false])
  const plain = await startMailbox()
  await assert.rejects(verifyServer(getSmtpSettings(settingsFor(`${plain.url}?tls=required`)) as never), EmailFailure)
})

test('a letter that is not wanted any more is dropped, and one that we cannot write holds up no other', async () => {
  const mailbox = await startMailbox()
  const settings = settingsFor(mailbox.url)
  for (const kind of ['broken', 'unwanted', 'unknown', 'plain']) await post(settings, kind, `of-${kind}`)
  await assert.rejects(sendDueEmails(db, settings, kinds, { now }), /our own mistake/)
  const states = await Promise.all(
    ['broken', 'unwanted', 'unknown', 'plain'].map(async kind => (await letterOf(`of-${kind}`)).state)
  )
  assert.deepEqual(states, ['waiting', 'dropped', 'waiting', 'sent'])
  assert.equal((await letterOf('of-broken')).error, 'it could not be written')
  await db.run(sql`delete from platform.outbox where state = 'waiting'`)
})

test('a process that dies while sending leaves its letter to others when its time is over, and not before', async () => {
  const mailbox = await startMailbox()
  const settings = settingsFor(mailbox.url)
  await post(settings, 'plain', 'left')
  const { id } = await letterOf('left')
  await db.run(sql`update platform.outbox set claimed_until = ${new Date(moment + 3 * minuteMs)} where id = ${id}`)
  assert.equal(await sendDueEmails(db, settings, kinds, { now }), 0)
  moment += 3 * minuteMs
  assert.equal(await sendDueEmails(db, settings, kinds, { now }), 1)
})

test('two processes that send at the same time send each letter once', async () => {
  const mailbox = await startMailbox()
  const settings = settingsFor(mailbox.url)
  for (let number = 0; number < 12; number += 1) await post(settings, 'plain', `pair-${number}`)
  const sent = await Promise.all([1, 2, 3].map(async () => await sendDueEmails(db, settings, kinds, { now })))
  assert.equal(
    sent.reduce((sum, one) => sum + one, 0),
    12
  )
  assert.equal(new Set(mailbox.received.map(({ to }) => to[0])).size, 12)
  assert.equal(mailbox.received.length, 12)
})

test('the job sends what was posted meanwhile, and stops between letters', async () => {
  const mailbox = await startMailbox()
  const settings = settingsFor(mailbox.url)
  const job = buildEmailJobs(settings, kinds).find(({ name }) => name === 'send-emails')
  await post(settings, 'plain', 'by-job')
  await job?.run(db, {}, AbortSignal.abort())
  assert.equal(mailbox.received.length, 0)
  await Promise.all([job?.run(db, {}, new AbortController().signal), job?.run(db, {}, new AbortController().signal)])
  assert.deepEqual(
    mailbox.received.map(({ to }) => to[0]),
    ['by-job@example.org']
  )
})

test('letters are forgotten a month after they ended, and doctor tells of those that did not go', async () => {
  const check = platformChecks.find(({ name }) => name === 'emails are sent')
  await db.run(sql`
    insert into platform.outbox (id, kind, about, is_once, state, next_attempt_at, last_error, created_at, ended_at)
    values
      (gen_random_uuid(), 'old', 'o', false, 'sent', now(), null, now(), ${new Date(moment - 31 * 24 * hourMs)}),
      (gen_random_uuid(), 'kept', 'k', false, 'sent', now(), null, now(), ${new Date(moment - 29 * 24 * hourMs)}),
      (gen_random_uuid(), 'receipt', 'g', false, 'given_up', now(), '550 5.1.1', now(), now()),
      (gen_random_uuid(), 'late', 'l', false, 'waiting', now() - interval '1 hour', null, now(), null)`)
  const told = (await check?.run(db)) ?? []
  assert.ok(told.some(line => /^\d+ emails are overdue/.test(line)))
  assert.ok(told.includes('1 emails of type receipt failed permanently within a week: 550 5.1.1'))
  await deleteOldEmails(db, now())
  const left = await db.all<{ kind: string }>(sql`
    select kind from platform.outbox where kind in ('old', 'kept', 'late') order by kind`)
  assert.deepEqual(
    left.map(({ kind }) => kind),
    ['kept', 'late']
  )
})
