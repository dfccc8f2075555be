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
const commonTemplates: EmailTemplates = {
  plain: async (_db, _settings, about) => ({ ...written, to: `${about}@example.org` }),
  unwanted: async () => undefined,
  broken: async () => {
    throw new Error('This is our own mistake.')
  }
}

/** The current time of these tests, in the past of the real clock. */
let moment = Date.parse('2026-01-01T00:00:00Z')
const now = () => new Date(moment)
const minuteMs = 60_000
const hourMs = 60 * minuteMs

async function findEmail(about: string) {
  return await db.one<{ id: string; state: string; attempts: number; error: string | null; next: string }>(sql`
    select id, state, attempts, last_error as error, next_attempt_at as next from platform.outbox where about = ${about}`)
}

const queue = async (settings: Settings, kind: string, about: string, once = false) =>
  await db.transaction(async tx => await queueEmail(tx, settings, { kind, about, once }, now()))

test('an email is sent once, with text and HTML, non-ASCII names, attachments, and its own message id', async () => {
  const mailbox = await startMailbox()
  const settings = settingsFor(mailbox.url)
  const content = Buffer.from([0, 1, 2, 250, 251])
  const templates: EmailTemplates = {
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
  await queue(settings, 'rich', '1')
  assert.equal(await sendDueEmails(db, settings, templates, { now }), 1)
  assert.equal(await sendDueEmails(db, settings, templates, { now }), 0)
  const [letter, ...others] = mailbox.received
  assert.ok(letter !== undefined && others.length === 0)
  const { id, state } = await findEmail('1')
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

test('line breaks and addresses in names, subjects and recipients add no header and no recipient', async () => {
  const mailbox = await startMailbox()
  const settings = settingsFor(mailbox.url)
  const templates: EmailTemplates = {
    hostile: async () => ({
      to: { name: 'Eve <eve@evil.example>,\r\nBcc: all@evil.example', address: 'eve@example.org' },
      subject: 'Thanks\r\nBcc: all@evil.example\r\n\r\nBuy this',
      text: 'x'
    }),
    address: async () => ({ to: 'a@example.org, b@evil.example', subject: 'x', text: 'x' }),
    command: async () => ({ to: 'a@example.org>\r\nRCPT TO:<b@evil.example', subject: 'x', text: 'x' })
  }
  for (const kind of Object.keys(templates)) await queue(settings, kind, kind)
  assert.equal(await sendDueEmails(db, settings, templates, { now }), 1)
  const [letter, ...others] = mailbox.received
  assert.ok(letter !== undefined && others.length === 0)
  assert.deepEqual(letter.to, ['eve@example.org'])
  assert.equal(letter.headers.bcc, undefined)
  assert.equal(letter.headers.subject, 'Thanks Bcc: all@evil.example Buy this')
  for (const kind of ['address', 'command']) assert.equal((await findEmail(kind)).state, 'given_up')
})

test('no email is queued without SMTP settings or if the transaction is rolled back', async () => {
  const before = await countWaiting(db)
  await queue(readSettings({}), 'plain', 'nowhere')
  await assert.rejects(
    db.transaction(async tx => {
      await queueEmail(tx, { smtpUrl: 'smtp://localhost' }, { kind: 'plain', about: 'undone' }, now())
      throw new Error('Something else went wrong.')
    })
  )
  assert.equal(await countWaiting(db), before)
})

test('an email queued with “once” is sent only once for its kind and subject', async () => {
  const mailbox = await startMailbox()
  const settings = settingsFor(mailbox.url)
  for (const once of [true, true, false]) await queue(settings, 'plain', 'twin', once)
  assert.equal(await sendDueEmails(db, settings, commonTemplates, { now }), 2)
  await queue(settings, 'plain', 'twin', true)
  assert.equal(await sendDueEmails(db, settings, commonTemplates, { now }), 0)
})

test('while the mail server is unavailable emails wait, and only one per run is attempted', async () => {
  const mailbox = await startMailbox()
  const port = Number(new URL(mailbox.url).port)
  const settings = settingsFor(mailbox.url)
  await mailbox.close()
  await queue(settings, 'plain', 'w1')
  // Emails of the same time have no order.
  moment += 1
  await queue(settings, 'plain', 'w2')
  assert.equal(await sendDueEmails(db, settings, commonTemplates, { now }), 0)
  const first = await findEmail('w1')
  assert.deepEqual([first.state, first.attempts, first.error], ['waiting', 1, 'no connection to the server'])
  assert.equal(Date.parse(first.next) - moment, minuteMs)
  assert.equal((await findEmail('w2')).attempts, 0, 'After a failed connection the other emails are not attempted.')

  const again = await startMailbox({ port })
  assert.equal(await sendDueEmails(db, settings, commonTemplates, { now }), 1)
  assert.deepEqual(
    again.received.map(({ to }) => to[0]),
    ['w2@example.org']
  )
  moment += minuteMs
  assert.equal(await sendDueEmails(db, settings, commonTemplates, { now }), 1)
  const last = await findEmail('w1')
  assert.deepEqual([last.state, last.attempts, last.error], ['sent', 2, null])
})

test('a temporary refusal is retried for two days, a permanent one is not, and no address is stored', async () => {
  const mailbox = await startMailbox()
  const settings = settingsFor(mailbox.url)
  mailbox.refusals.set('later@example.org', { code: 451, text: '4.7.1 <later@example.org> greylisted' })
  mailbox.refusals.set('never@example.org', { code: 550, text: '5.1.1 <never@example.org> is unknown' })
  for (const about of ['later', 'never', 'fine']) await queue(settings, 'plain', about)
  assert.equal(await sendDueEmails(db, settings, commonTemplates, { now }), 1, 'Other emails are sent.')

  const never = await findEmail('never')
  assert.deepEqual([never.state, never.attempts], ['given_up', 1])
  assert.equal(never.error, 'the server refused sender or recipient: 550 5.1.1 at RCPT TO')
  const waited = moment
  for (let attempts = 1; (await findEmail('later')).state === 'waiting'; attempts += 1) {
    const { error, next, attempts: counted } = await findEmail('later')
    assert.equal(error, 'the server refused sender or recipient: 451 4.7.1 at RCPT TO')
    assert.equal(counted, attempts)
    assert.ok(Date.parse(next) > moment)
    moment = Date.parse(next)
    await sendDueEmails(db, settings, commonTemplates, { now })
  }
  assert.equal((await findEmail('later')).state, 'given_up')
  assert.ok(moment - waited > 40 * hourMs && moment - waited < 50 * hourMs)

  mailbox.refusals.clear()
  assert.equal(await sendDueEmails(db, settings, commonTemplates, { now }), 0)
  const kept = await db.one<{ all: string }>(sql`select json_agg(letter)::text as all from platform.outbox as letter`)
  assert.doesNotMatch(kept.all, /@/)
})

test('after a wrong SMTP password emails keep waiting until it is corrected', async () => {
  const mailbox = await startMailbox({
    authOptional: false,
    onAuth: ({ username, password }, _session, done) =>
      username === 'kalends@mail' && password === 'p:ss/word'
        ? done(null, { user: 1 })
        : done(new Error('no such user'))
  })
  const withPassword = (password: string) =>
    settingsFor(mailbox.url.replace('//', `//kalends%40mail:${encodeURIComponent(password)}@`))
  await queue(withPassword('x'), 'plain', 'secret')
  for (let attempt = 0; attempt < 3; attempt += 1) {
    assert.equal(await sendDueEmails(db, withPassword('wrong-password'), commonTemplates, { now }), 0)
    moment += 2 * hourMs
  }
  const { state, error } = await findEmail('secret')
  assert.equal(state, 'waiting')
  assert.match(error ?? '', /^the server refused user name or password: 535/)
  await assert.rejects(verifyServer(getSmtpSettings(withPassword('wrong-password')) as never), (failure: Error) => {
    assert.ok(failure instanceof EmailFailure)
    assert.doesNotMatch(failure.message, /wrong-password|kalends@mail/)
    return true
  })
  await verifyServer(getSmtpSettings(withPassword('p:ss/word')) as never)
  assert.equal(await sendDueEmails(db, withPassword('p:ss/word'), commonTemplates, { now }), 1)
})

test('a connection uses TLS if the server offers it, and an untrusted certificate is refused', async () => {
  const secured: boolean[] = []
  const mailbox = await startMailbox({
    disabledCommands: [],
    onMailFrom: (_address, session, done) => {
      secured.push(session.secure)
      done()
    }
  })
  for (const about of ['tls1', 'tls2']) await queue(settingsFor(mailbox.url), 'plain', about)
  assert.equal(await sendDueEmails(db, settingsFor(mailbox.url), commonTemplates, { now }), 0)
  assert.equal((await findEmail('tls1')).state, 'waiting')
  assert.deepEqual(secured, [])
  assert.equal(await sendDueEmails(db, settingsFor(`${mailbox.url}?tls=unverified`), commonTemplates, { now }), 1)
  moment += minuteMs
  assert.equal(await sendDueEmails(db, settingsFor(`${mailbox.url}?tls=off`), commonTemplates, { now }), 1)
  assert.deepEqual(secured, [true, false])
  const plain = await startMailbox()
  await assert.rejects(verifyServer(getSmtpSettings(settingsFor(`${plain.url}?tls=required`)) as never), EmailFailure)
})

test('an email that is not needed any more is dropped, and one that cannot be rendered does not block others', async () => {
  const mailbox = await startMailbox()
  const settings = settingsFor(mailbox.url)
  for (const kind of ['broken', 'unwanted', 'unknown', 'plain']) await queue(settings, kind, `of-${kind}`)
  await assert.rejects(sendDueEmails(db, settings, commonTemplates, { now }), /our own mistake/)
  const states = await Promise.all(
    ['broken', 'unwanted', 'unknown', 'plain'].map(async kind => (await findEmail(`of-${kind}`)).state)
  )
  assert.deepEqual(states, ['waiting', 'dropped', 'waiting', 'sent'])
  assert.equal((await findEmail('of-broken')).error, 'it could not be written')
  await db.run(sql`delete from platform.outbox where state = 'waiting'`)
})

test('the email of a process that died while sending is sent by another one after its lease, and not before', async () => {
  const mailbox = await startMailbox()
  const settings = settingsFor(mailbox.url)
  await queue(settings, 'plain', 'left')
  const { id } = await findEmail('left')
  await db.run(sql`update platform.outbox set claimed_until = ${new Date(moment + 3 * minuteMs)} where id = ${id}`)
  assert.equal(await sendDueEmails(db, settings, commonTemplates, { now }), 0)
  moment += 3 * minuteMs
  assert.equal(await sendDueEmails(db, settings, commonTemplates, { now }), 1)
})

test('concurrent senders send each email once', async () => {
  const mailbox = await startMailbox()
  const settings = settingsFor(mailbox.url)
  for (let number = 0; number < 12; number += 1) await queue(settings, 'plain', `pair-${number}`)
  const sent = await Promise.all([1, 2, 3].map(async () => await sendDueEmails(db, settings, commonTemplates, { now })))
  assert.equal(
    sent.reduce((sum, one) => sum + one, 0),
    12
  )
  assert.equal(new Set(mailbox.received.map(({ to }) => to[0])).size, 12)
  assert.equal(mailbox.received.length, 12)
})

test('the job sends queued emails, and nothing when the process stops', async () => {
  const mailbox = await startMailbox()
  const settings = settingsFor(mailbox.url)
  const job = buildEmailJobs(settings, commonTemplates).find(({ name }) => name === 'send-emails')
  await queue(settings, 'plain', 'by-job')
  await job?.run(db, {}, AbortSignal.abort())
  assert.equal(mailbox.received.length, 0)
  await Promise.all([job?.run(db, {}, new AbortController().signal), job?.run(db, {}, new AbortController().signal)])
  assert.deepEqual(
    mailbox.received.map(({ to }) => to[0]),
    ['by-job@example.org']
  )
})

test('emails are deleted a month after they were sent or dropped, and doctor reports overdue and failed ones', async () => {
  const check = platformChecks.find(({ name }) => name === 'emails are sent')
  await db.run(sql`
    insert into platform.outbox (id, kind, about, is_once, state, next_attempt_at, last_error, created_at, ended_at)
    values
      (gen_random_uuid(), 'old', 'o', false, 'sent', now(), null, now(), ${new Date(moment - 31 * 24 * hourMs)}),
      (gen_random_uuid(), 'kept', 'k', false, 'sent', now(), null, now(), ${new Date(moment - 29 * 24 * hourMs)}),
      (gen_random_uuid(), 'receipt', 'g', false, 'given_up', now(), '550 5.1.1', now(), now()),
      (gen_random_uuid(), 'late', 'l', false, 'waiting', now() - interval '1 hour', null, now(), null)`)
  const findings = (await check?.run(db)) ?? []
  assert.ok(findings.some(line => /^\d+ emails are overdue/.test(line)))
  assert.ok(findings.includes('1 emails of type receipt failed permanently within a week: 550 5.1.1'))
  await deleteOldEmails(db, now())
  const left = await db.all<{ kind: string }>(sql`
    select kind from platform.outbox where kind in ('old', 'kept', 'late') order by kind`)
  assert.deepEqual(
    left.map(({ kind }) => kind),
    ['kept', 'late']
  )
})
