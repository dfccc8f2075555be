import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { sendDueEmails } from '#platform/email/send.ts'
import { startMailbox } from '#test/support/mailbox.ts'
import { donation, startCampaigns } from '#test/support/services.ts'
import { fundraisingEmails } from '../../emails/templates.ts'

const mailbox = await startMailbox()
const env = {
  RATE_LIMIT_DONATIONS: '0',
  RATE_LIMIT_DONATIONS_PER_ACCOUNT: '0',
  SMTP_URL: mailbox.url,
  MAIL_FROM: 'Music School <give@example.org>',
  PUBLIC_URL: 'https://give.example.org'
}
const { admin, visitor, store, settings, withRole, aCampaign } = await startCampaigns({ env })
await admin.patch('/organisation', { confirmationMails: false })
const editor = await withRole('editor')
const treasurer = await withRole('treasurer')
const news = { text: 'Send me news about this campaign by email.' }

async function createUpdate(campaignId: number, fields: object = {}) {
  const texts = { en: { title: 'The roof is on', text: '<p>Thank <b>you</b>!</p><p>More soon.</p>' } }
  const created = await editor.post(`/campaigns/${campaignId}/updates`, { texts, status: 'published', ...fields })
  assert.equal(created.status, 201, created.text)
  return { ...created.body, path: `/campaigns/${campaignId}/updates/${created.body.id}` }
}

/** Creates a donation whose donor subscribed to news; it is received unless `fields` has another status. */
async function createSubscriber(campaignId: number, email: string, fields: object = {}) {
  const input = { ...donation, email, news, status: 'TRANSFERRED', ...fields }
  const { status, body, text } = await treasurer.post(`/campaigns/${campaignId}/donations`, input)
  assert.equal(status, 201, text)
  return { ...body, path: `/campaigns/${campaignId}/donations/${body.id}` }
}

async function sendAndCollectEmails() {
  const before = mailbox.received.length
  await sendDueEmails(store, settings, fundraisingEmails)
  return mailbox.received.slice(before)
}

test('updates are listed newest first, in pages, without drafts for visitors', async () => {
  const { id } = await aCampaign()
  const old = await createUpdate(id, { date: '2026-01-05' })
  const recent = await createUpdate(id, { date: '2026-03-01' })
  const middle = await createUpdate(id, { date: '2026-02-01' })
  const draft = await createUpdate(id, { status: 'draft' })
  const toIds = (list: { id: number }[]) => list.map(one => one.id)

  const shown = await visitor.get(`/campaigns/${id}/updates`)
  assert.deepEqual(toIds(shown.body), [recent.id, middle.id, old.id])
  assert.equal(shown.headers['x-total-count'], '3')
  assert.ok(!('sentAt' in shown.body[0]))
  assert.deepEqual(toIds((await editor.get(`/campaigns/${id}/updates`)).body), [draft.id, recent.id, middle.id, old.id])
  assert.equal((await visitor.get(draft.path)).body.code, 'update-not-found')
  assert.equal((await visitor.get(draft.path.replace(/\d+$/, '999999'))).status, 404)

  const first = await visitor.get(`/campaigns/${id}/updates?limit=2`)
  const next = /<[^>]*(\/campaigns\/[^>]+)>; rel="next"/.exec(first.headers.link ?? '')?.[1] ?? ''
  assert.deepEqual(toIds((await visitor.get(next)).body), [old.id])
  assert.equal((await visitor.get(`/campaigns/${id}/updates?cursor=eHg`)).status, 400)
})

test('an update can be edited in one language, published, withdrawn and deleted, and each step is recorded', async () => {
  const { id } = await aCampaign()
  const { path, ...draft } = await createUpdate(id, { status: 'draft' })
  assert.equal(draft.publishedAt, null)
  const { headers } = await editor.get(path)
  const german = { texts: { de: { title: 'Das Dach ist drauf', text: 'Danke!' } }, status: 'published' }
  const changed = await editor.patch(path, german, { 'if-match': headers.etag ?? '' })
  assert.equal(changed.status, 200, changed.text)
  assert.deepEqual(changed.body.texts, {
    en: { title: 'The roof is on', text: '<p>Thank <b>you</b>!</p>\n<p>More soon.</p>' },
    de: { title: 'Das Dach ist drauf', text: '<p>Danke!</p>' }
  })
  assert.ok(changed.body.publishedAt !== null)
  assert.equal((await editor.patch(path, german, { 'if-match': headers.etag ?? '' })).status, 412)
  assert.equal((await visitor.get(path)).body.texts.de.title, 'Das Dach ist drauf')

  assert.deepEqual(Object.keys((await editor.patch(path, { texts: { en: null } })).body.texts), ['de'])
  assert.equal((await editor.patch(path, { texts: { de: null } })).body.code, 'update-without-text')
  assert.equal((await editor.patch(path, { texts: { en: { text: 'x' } } })).body.code, 'update-without-title')
  await editor.patch(path, { status: 'draft' })
  assert.equal((await visitor.get(path)).status, 404)
  assert.equal((await editor.delete(path)).status, 204)
  assert.equal((await editor.get(path)).status, 404)

  const { body: log } = await admin.get(`/activity?subject=campaign_update&subjectId=${draft.id}`)
  assert.deepEqual(
    log.map(({ action }: { action: string }) => action.replace('campaign_update.', '')),
    ['deleted', 'updated', 'updated', 'updated', 'created']
  )
})

test('the text of an update is sanitised, and a future date, a missing text and too much markup are refused', async () => {
  const { id } = await aCampaign()
  const path = `/campaigns/${id}/updates`
  const hostile = { en: { title: '<b>Title</b>', text: '<p onclick="x()">Hi<script>alert(1)</script></p>' } }
  const { body } = await editor.post(path, { texts: hostile })
  assert.deepEqual(body.texts.en, { title: '<b>Title</b>', text: '<p>Hi</p>' })
  const text = { title: 'One', text: '' }
  for (const [input, status, code, pointer] of [
    [{ texts: {} }, 422, 'update-without-text', '/texts'],
    [{ texts: { en: text }, date: '2199-01-01' }, 422, 'in-the-future', '/date'],
    [{ texts: { en: { title: 'One', text: '<b></b>'.repeat(4000) } } }, 400, 'too-much-markup', '/texts/en/text'],
    [{ texts: { en: text }, date: 'today' }, 400, 'invalid-input', '/date'],
    [{ texts: { en: { title: '', text: '' } } }, 400, 'invalid-input', '/texts/en/title']
  ] as const) {
    const refused = await editor.post(path, input)
    assert.deepEqual([refused.status, refused.body.code, refused.body.errors[0].pointer], [status, code, pointer])
  }
  assert.equal((await editor.get(path)).body.length, 1)
  assert.equal((await editor.post('/campaigns/999999/updates', { texts: { en: text } })).status, 404)
})

test('subscribed donors get an update once, in their language, with a link for one-click unsubscribe', async () => {
  const { id } = await aCampaign({ name: 'New roof', translations: { de: { name: 'Neues Dach' } } })
  await createSubscriber(id, 'ada@example.org', { donorName: 'Ada Lovelace', language: 'en' })
  await createSubscriber(id, 'ADA@example.org')
  await createSubscriber(id, 'konrad@example.org', { donorName: 'Konrad Zuse', language: 'de' })
  await createSubscriber(id, 'pledged@example.org', { status: 'IN_PROCESS' })
  await createSubscriber(id, 'silent@example.org', { news: null })
  await createSubscriber((await aCampaign()).id, 'elsewhere@example.org')
  const update = await createUpdate(id)
  const mailing = `${update.path}/mailing`
  assert.deepEqual((await editor.get(mailing)).body, { recipients: 2, sentAt: null, obstacle: null })
  assert.deepEqual(await sendAndCollectEmails(), [])

  const sent = await editor.post(mailing)
  assert.deepEqual([sent.status, sent.body.recipients, sent.body.obstacle], [200, 2, 'sent'], sent.text)
  const emails = await sendAndCollectEmails()
  assert.deepEqual(emails.flatMap(({ to }) => to.map(one => one.toLowerCase())).sort(), [
    'ada@example.org',
    'konrad@example.org'
  ])
  assert.deepEqual(await sendAndCollectEmails(), [])
  assert.equal((await editor.post(mailing)).body.code, 'update-already-sent')

  const german = emails.find(({ to }) => to.includes('konrad@example.org'))
  assert.equal(german?.headers.subject, 'Neues Dach: The roof is on')
  assert.match(german?.text ?? '', /Guten Tag Konrad Zuse,/)
  assert.match(german?.text ?? '', /Thank you!\s+More soon\./)
  assert.ok(german?.text.includes(`https://give.example.org/de/spenden/${id}/neuigkeiten/${update.id}`))
  const [, link] = /^<(https:\/\/give\.example\.org\/de\/spenden\/abmelden\/[0-9A-Za-z]{22})>$/.exec(
    german?.headers['list-unsubscribe'] ?? ''
  ) ?? ['', '']
  assert.equal(german?.headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click')
  assert.ok(link !== '' && german?.text.includes(link ?? '') && german.html.includes(`href="${link}"`))

  const { body: log } = await admin.get(`/activity?subject=campaign_update&subjectId=${update.id}`)
  assert.deepEqual(log[0].details, { campaignId: id, name: 'The roof is on', recipients: 2 })
})

test('unsubscribing ends the news for all donations with the same email address, and is recorded', async () => {
  const { id } = await aCampaign()
  const first = await createSubscriber(id, 'ada@example.org')
  const second = await createSubscriber(id, 'Ada@Example.org')
  const other = await createSubscriber(id, 'konrad@example.org')
  const update = await createUpdate(id)
  await editor.post(`${update.path}/mailing`)
  const email = (await sendAndCollectEmails()).find(({ to }) => to.join().toLowerCase() === 'ada@example.org')
  const token = /\/donate\/news\/(\w+)/.exec(email?.headers['list-unsubscribe'] ?? '')?.[1] ?? ''
  assert.ok(!`${first.id}${second.id}`.includes(token) && token.length === 22)

  const shown = await visitor.get(`/news/${token}`)
  assert.deepEqual(Object.keys(shown.body).sort(), ['campaignId', 'campaignName', 'isActive', 'language'])
  assert.equal(shown.body.isActive, true)
  for (let time = 0; time < 2; time += 1) {
    const ended = await visitor.post(`/news/${token}/unsubscribe`)
    assert.deepEqual([ended.status, ended.body.isActive], [200, false])
  }
  for (const { path } of [first, second]) {
    const { news: consent } = (await treasurer.get(path)).body
    assert.deepEqual([consent.text, consent.endedBy, consent.endedAt !== null], [news.text, 'donor', true])
  }
  assert.equal((await treasurer.get(other.path)).body.news.endedAt, null)
  const { body: log } = await admin.get(`/activity?subject=donation&subjectId=${first.id}`)
  assert.equal(log.filter(({ action }: { action: string }) => action === 'donation.unsubscribed').length, 1)

  const next = await createUpdate(id)
  assert.equal((await editor.get(`${next.path}/mailing`)).body.recipients, 1)
  assert.equal((await visitor.get('/news/0123456789012345678901')).body.code, 'news-not-found')
  assert.equal((await visitor.post('/news/short/unsubscribe')).status, 404)
})

test('an email is dropped if the donor unsubscribes, is erased, or the update is withdrawn before it is sent', async () => {
  const { id } = await aCampaign()
  const [unsubscribed, erased] = [
    await createSubscriber(id, 'left@example.org'),
    await createSubscriber(id, 'erased@example.org')
  ]
  await createSubscriber(id, 'stays@example.org')
  const update = await createUpdate(id)
  await editor.post(`${update.path}/mailing`)
  const ended = await treasurer.post(`${unsubscribed.path}/news/unsubscribe`)
  assert.deepEqual([ended.status, ended.body.endedBy], [200, 'treasurer'])
  await treasurer.post(`/donors/${erased.id}/erase`, { scope: 'donation' })
  assert.deepEqual(
    (await sendAndCollectEmails()).flatMap(({ to }) => to),
    ['stays@example.org']
  )
  const withdrawn = await createUpdate(id)
  await editor.post(`${withdrawn.path}/mailing`)
  await editor.patch(withdrawn.path, { status: 'draft' })
  assert.deepEqual(await sendAndCollectEmails(), [])
  assert.equal((await treasurer.post(`${erased.path}/news/unsubscribe`)).body.code, 'news-not-found')
})

test('an update is not sent if it is a draft, has no recipients, or SMTP_URL or PUBLIC_URL is missing', async () => {
  const { id } = await aCampaign()
  const draft = await createUpdate(id, { status: 'draft' })
  const update = await createUpdate(id)
  assert.equal((await editor.post(`${draft.path}/mailing`)).body.code, 'update-is-draft')
  assert.equal((await editor.post(`${update.path}/mailing`)).body.code, 'no-recipients')
  await createSubscriber(id, 'ada@example.org')
  const { smtpUrl, publicUrl } = settings
  for (const missing of [{ smtpUrl: undefined }, { publicUrl: undefined }]) {
    Object.assign(settings, missing)
    const refused = await editor.post(`${update.path}/mailing`)
    Object.assign(settings, { smtpUrl, publicUrl })
    assert.deepEqual([refused.status, refused.body.code], [409, 'email-not-configured'])
  }
  assert.equal((await editor.post(`${update.path}/mailing`)).status, 200)
})

test('news require an email address, and a mailing queues 60 emails per minute', async () => {
  const { id } = await aCampaign()
  const refused = await visitor.post(`/campaigns/${id}/donations`, { ...donation, news })
  assert.deepEqual(
    [refused.status, refused.body.code, refused.body.errors[0].pointer],
    [422, 'news-without-email', '/email']
  )
  for (let count = 0; count < 62; count += 1) await createSubscriber(id, `donor${count}@example.org`)
  await store.run(sql`delete from platform.outbox`)
  const update = await createUpdate(id)
  await editor.post(`${update.path}/mailing`)
  const due = await store.all<{ minutes: number; count: number }>(sql`
    select extract(epoch from next_attempt_at - created_at)::int / 60 as minutes, count(*)::int as count
    from platform.outbox group by 1 order by 1`)
  assert.deepEqual(due, [
    { minutes: 0, count: 60 },
    { minutes: 1, count: 2 }
  ])
})

test('the published updates of all public campaigns are one list, latest first, in pages', async () => {
  const [shown, hidden] = [await aCampaign(), await aCampaign({ status: 'draft' })]
  const { id: first } = await createUpdate(shown.id, { date: '2026-01-02' })
  const { id: second } = await createUpdate(shown.id, { date: '2026-01-01' })
  const others = [(await createUpdate(shown.id, { status: 'draft' })).id, (await createUpdate(hidden.id)).id]
  const page = await visitor.get('/campaign-updates?limit=1')
  assert.deepEqual([page.status, page.body.map(({ id }: { id: number }) => id)], [200, [second]])
  assert.ok(!('sentAt' in page.body[0]))
  const next = /cursor=([^&>]+)[^>]*>; rel="next"/.exec(String(page.headers.link))?.[1]
  const rest = (await visitor.get(`/campaign-updates?cursor=${next}`)).body.map(({ id }: { id: number }) => id)
  assert.equal(rest[0], first)
  assert.ok(others.every(id => !rest.includes(id)))
  await admin.delete(`/campaigns/${shown.id}`)
  const left = (await visitor.get('/campaign-updates?limit=200')).body.map(({ id }: { id: number }) => id)
  assert.ok(!left.includes(first))
  assert.equal((await visitor.get('/campaign-updates?cursor=nonsense')).status, 400)
})
