import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startAdmin } from '#test/support/admin-client.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { buildBooking } from '#test/support/fundraising/bank-import.ts'
import { buildStatement } from '#test/support/fundraising/bank-statements.ts'
import { calendar, campaign, donation, event } from '#test/support/services.ts'
import { formatShortDay } from '../../format/format.ts'

const { admin, visitor, signIn } = await startAdmin()
const [anna, tess, ed, vera] = [
  await signIn('admin'),
  await signIn('treasurer', 'de'),
  await signIn('editor'),
  await signIn('viewer')
]

/** The day in this many days, near enough for the list of the next events. */
function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
}

test('an empty site shows the next steps, and an admin can load sample content once', async () => {
  const { text } = await anna.get('/admin')
  assert.match(text, /Load sample content/)
  assert.match(text, /href="\/admin\/events\/new">Create your first event/)
  assert.match(text, /No donations in these 30 days/)
  assert.ok(!(await ed.get('/admin')).text.includes('Load sample content'), 'only admins may')
  assert.equal((await ed.send('/admin/sample-content', {})).status, 403)

  assert.ok(!(await ed.sendAndFollow('/admin/checklist', {})).text.includes('Next steps'))
  assert.match((await anna.get('/admin')).text, /Next steps/, 'another user has hidden it only for themselves')

  const withSamples = await anna.sendAndFollow('/admin/sample-content', {})
  assert.match(withSamples.text, /events and campaigns created/)
  assert.ok(!withSamples.text.includes('Load sample content'))
  assert.match(withSamples.text, /Create a campaign <span class="visually-hidden">\(done\)/)
  for (const step of ['Write the legal notice', 'Enter the tax exemption', 'Create a backup', 'Set up a second factor'])
    assert.match(withSamples.text, new RegExp(`<a href="[^"]+">${step}`), 'steps for admins only')
  assert.match(withSamples.text, /<rect class="bars-bar"/)
  assert.match((await anna.sendAndFollow('/admin/sample-content', {})).text, /already exists/)
})

test('a pending donation is marked as received with its day, and the dashboard offers to undo it', async () => {
  const { id } = (await admin.post('/campaigns', campaign)).body
  const donorName = 'Zoë <script>alert(1)</script>'
  const made = (await visitor.post(`/campaigns/${id}/donations`, { ...donation, donorName, amount: 1234.5 })).body
  const page = await tess.get('/admin')
  assert.match(page.text, /Zoë &lt;script>|Zoë &lt;script&gt;/)
  assert.ok(!page.text.includes('<script>alert'))
  assert.match(page.text, /1\.234,50\s€/)

  const path = `/admin/donations/${id}/${made.id}/payment`
  assert.ok(page.text.includes(`href="${path}?back=dashboard"`))
  const fields = { amount: '1.234,50', receivedOn: inDays(0), back: 'dashboard' }
  const received = await tess.sendAndFollow(path, fields)
  assert.match(received.text, /Eingegangen: 1\.234,50\s€ von Zoë/)
  assert.match(received.text, /<h1>Übersicht<\/h1>/)
  assert.equal((await admin.get(`/campaigns/${id}/donations/${made.id}`)).body.status, 'TRANSFERRED')
  const changes = /name="changes" value="([^"]+)"/.exec(received.text)?.[1] ?? ''
  const undone = await tess.sendAndFollow('/admin/donations/undo', { changes, back: 'dashboard' })
  assert.match(undone.text, /Rückgängig gemacht: 1\.234,50\s€ von Zoë.*Status: Zugesagt/)
  assert.equal((await admin.get(`/campaigns/${id}/donations/${made.id}`)).body.status, 'IN_PROCESS')

  await admin.patch(`/campaigns/${id}/donations/${made.id}`, { status: 'CANCELLED' })
  const refused = await tess.send(path, fields)
  assert.equal(refused.status, 409)
  assert.match(refused.text, /Diese Spende hat den Status „Storniert“/)
})

test('the dashboard shows received amounts by the day of receipt, separate from pledged amounts', async () => {
  const day = inDays(-3)
  const shownDay = formatShortDay('de', day)
  // Sample content may have donations on the same day.
  const readReceivedCents = (text: string) => {
    const row = new RegExp(`<th scope="row">${shownDay}</th><td class="number">([^<]*)</td><td class="number">`).exec(
      text
    )
    const title = new RegExp(`<title>${shownDay}: ([^<]*?)\\s€ eingegangen, [^<]*zugesagt in`).exec(text)
    const cents = (amount = '') => Math.round(Number(amount.replace(/[^\d,-]/g, '').replace(',', '.')) * 100)
    assert.equal(cents(title?.[1]), cents(row?.[1]), 'chart and table have the same amount')
    return cents(row?.[1])
  }
  const { id } = (await admin.post('/campaigns', campaign)).body
  const made = (await visitor.post(`/campaigns/${id}/donations`, { ...donation, donorName: 'Parta', amount: 9000 }))
    .body
  const before = readReceivedCents((await tess.get('/admin')).text)
  await admin.patch(`/campaigns/${id}/donations/${made.id}`, { amountReceived: 4321, receivedOn: day })
  const { text } = await tess.get('/admin')
  assert.equal(readReceivedCents(text) - before, 432_100)
  assert.match(text, /9\.000,00\s€<span class="below">4\.321,00\s€ eingegangen/)
  assert.match((await tess.get('/admin/search?q=Parta')).text, /Parta: 9\.000,00\s€ zugesagt, 4\.321,00\s€ eingegangen/)
})

test('editors and viewers see no donors on the dashboard, and viewers no forms', async () => {
  const { id } = (await admin.post('/campaigns', campaign)).body
  await visitor.post(`/campaigns/${id}/donations`, { ...donation, donorName: 'Mrs Secret' })
  assert.match((await tess.get('/admin')).text, /Mrs Secret/)
  for (const one of [ed, vera]) {
    const { status, text } = await one.get('/admin')
    assert.equal(status, 200)
    assert.ok(!text.includes('Mrs Secret') && !text.includes('/admin/donations'))
    assert.ok(!(await one.get('/admin/search?q=Secret')).text.includes('Mrs Secret'))
    assert.equal((await one.send('/admin/donations/undo', { changes: '' })).status, 403)
  }
  assert.ok(!(await vera.get('/admin')).text.includes('/admin/events/new'))
  assert.match((await ed.get('/admin')).text, /Missing translations/)
})

test('the list of next events shows missing languages and cancellations', async () => {
  const first = { start_date: `${inDays(0)} 23:58:00`, end_date: `${inDays(0)} 23:59:00` }
  await admin.post(`${calendar}/events?language=en`, { title: 'Only in English', event_status: 'canceled', ...first })
  const { text } = await ed.get('/admin')
  const line = /<li class="line">(?:(?!<li).)*Only in English.*?<\/li>/s.exec(text)?.[0] ?? ''
  assert.match(line, /No German text/)
  assert.match(line, /Cancelled/)
  assert.ok(!line.includes('No English text'))
})

test('the search finds past events, drafts, venues, organizers, campaigns and donations, and escapes their HTML', async () => {
  const name = 'Quokka <img src=x onerror=alert(1)>'
  await admin.post(`${calendar}/events`, { title: `${name} past`, start_date: '2001-01-01', end_date: '2001-01-02' })
  await admin.post(`${calendar}/events`, {
    title: 'Quokka draft',
    status: 'draft',
    start_date: inDays(9),
    end_date: inDays(9)
  })
  await admin.post(`${calendar}/venues`, { venue: 'Quokka Hall' })
  await admin.post(`${calendar}/organizers`, { organizer: 'Quokka Friends' })
  const { id } = (await admin.post('/campaigns', { ...campaign, name })).body
  const made = await visitor.post(`/campaigns/${id}/donations`, { ...donation, donorName: 'Quentin Quokka' })

  const { text } = await anna.get('/admin/search?q=quokka')
  for (const found of ['past', 'Quokka draft', 'Quokka Hall', 'Quokka Friends', `/admin/campaigns/${id}`, 'Quentin']) {
    assert.ok(text.includes(found), found)
  }
  assert.ok(!text.includes('<img'))
  const forViewers = (await vera.get('/admin/search?q=quokka')).text
  assert.match(forViewers, /href="\/en\/venue\/quokka-hall"/, 'users who cannot edit get links to the site')
  assert.ok(!forViewers.includes('Quokka draft') && !/href="\/admin\/(?:events|venues|campaigns)\/\d/.test(forViewers))
  const byReference = await anna.get(`/admin/search?q=${encodeURIComponent(made.body.reference)}`)
  assert.match(byReference.text, /Quentin Quokka/)
  assert.match((await ed.get('/admin/search?q=nothing-like-this')).text, /Nothing was found/)
})

test('the search responds 200 to any input', async () => {
  for (const words of [
    '',
    ' ',
    '"',
    '%',
    '-',
    '"unbalanced -',
    '\\',
    "' or 1=1 --",
    'x'.repeat(5000),
    '(((',
    'a:*&|!',
    '🎷'
  ]) {
    const { status } = await anna.get(`/admin/search?q=${encodeURIComponent(words)}`)
    assert.equal(status, 200, words.slice(0, 20))
  }
})

test('sample content is marked in every list and removed after confirmation, except for items with real donations, which are listed', {
  skip: skipUnlessFull
}, async () => {
  const path = '/admin/samples/remove'
  for (const list of ['events', 'venues', 'organizers', 'categories', 'tags', 'campaigns', 'donations']) {
    assert.match((await anna.get(`/admin/${list}`)).text, /<span class="badge plain">Sample<\/span>/, list)
  }
  assert.match((await tess.get('/admin/donations')).text, />Beispiel<\/span>/)
  assert.match((await anna.get('/admin')).text, /7 campaigns.*href="\/admin\/samples\/remove"/s)
  for (const one of [tess, ed, vera]) {
    assert.ok(!(await one.get('/admin')).text.includes(path), 'only admins may')
    assert.equal((await one.get(path)).status, 403)
    assert.equal((await one.send(path, {})).status, 403)
  }
  const sample = (await admin.get('/campaigns')).body.find((one: { status: string }) => one.status === 'open')
  const given = (await visitor.post(`/campaigns/${sample.id}/donations`, { ...donation, amount: 60 })).body
  await admin.patch(`/campaigns/${sample.id}/donations/${given.id}`, { status: 'TRANSFERRED' })

  assert.match((await anna.get(path)).text, /40 events.*removed permanently/s)
  const answer = await anna.send(path, {})
  assert.equal(answer.status, 200)
  assert.match(answer.text, /Removed: .*6 campaigns/)
  assert.match(answer.text, new RegExp(`${given.reference} is not part of the sample content`))
  const after = await anna.get('/admin')
  assert.ok(!after.text.includes(path))
  assert.ok(!(await anna.get('/admin/campaigns')).text.includes('>Sample<'))
  assert.match((await anna.sendAndFollow(path, {})).text, /no sample content to remove/)
  assert.match((await anna.get('/admin/activity?action=samples.removed')).text, /removed the sample content/)
})

test('the dashboard lists the open tasks of each role, with links to their pages, and no others', async () => {
  const { admin: otherAdmin, visitor: otherVisitor, signIn: signInOther } = await startAdmin()
  const [adminUser, treasurer, editor, viewer] = [
    await signInOther('admin'),
    await signInOther('treasurer'),
    await signInOther('editor'),
    await signInOther('viewer')
  ]
  assert.match((await treasurer.get('/admin')).text, /To do today.*Nothing is waiting for you/)
  assert.match((await adminUser.get('/admin')).text, /href="\/admin\/data#backup">Create the first backup/)
  assert.doesNotMatch((await viewer.get('/admin')).text, /To do today/)

  const { id } = (await otherAdmin.post('/campaigns', campaign)).body
  const lastYear = new Date().getUTCFullYear() - 1
  const given = { ...donation, status: 'TRANSFERRED', receivedOn: `${lastYear}-05-05`, receiptRequested: true }
  assert.equal((await otherAdmin.post(`/campaigns/${id}/donations`, given)).status, 201)
  const headers = { 'content-type': 'application/xml' }
  const payload = buildStatement([buildBooking()])
  const statement = await otherAdmin.send({ method: 'POST', url: '/bank-statements', headers, payload })
  const suggested = await otherVisitor.post(`${calendar}/suggestions`, { ...event, sender_email: 'ada@example.org' })
  assert.ok(suggested.status < 300, suggested.text)

  const forTreasurer = (await treasurer.get('/admin')).text
  assert.match(forTreasurer, new RegExp(`href="/admin/statements/${statement.body.id}">1 transaction to match`))
  assert.match(forTreasurer, new RegExp(`href="/admin/organisation">Issue the receipts for ${lastYear}: 1 donor`))
  assert.doesNotMatch(forTreasurer, /suggestion to review|backup/)
  const forEditor = (await editor.get('/admin')).text
  assert.match(forEditor, /href="\/admin\/suggestions">1 suggestion to review/)
  assert.doesNotMatch(forEditor, /to match|Issue the receipts/)
})

test('admins read of a newer release if the server may ask for it; others never do', async () => {
  const env = { UPDATE_REGISTRY: 'https://packages.example.org' }
  const { store, signIn: signInOther } = await startAdmin({ env })
  const [adminUser, editor] = [await signInOther('admin'), await signInOther('editor')]
  assert.doesNotMatch((await adminUser.get('/admin')).text, /Update Kalends/)
  await store.script(`insert into platform.observations (name, seen_at, details)
    values ('newest-release', now(), '999.1.0')`)
  assert.match(
    (await adminUser.get('/admin')).text,
    /href="\/admin\/data#backup">Update Kalends to 999\.1\.0, after a backup/
  )
  assert.doesNotMatch((await editor.get('/admin')).text, /Update Kalends/)
})

test('a new account of the site is a warning on the dashboard of other admins, not of the admin who entered it', async () => {
  const { signIn: signInOther } = await startAdmin()
  const [one, other] = [await signInOther('admin'), await signInOther('admin')]
  const account = { 'account/iban': 'DE89370400440532013000', 'account/name': 'Choir', 'account/nameOfBank': '' }
  const fields = { name: 'Choir', languages: 'en', defaultLanguage: 'en', timezone: 'UTC', currency: 'EUR', ...account }
  await one.sendAndFollow('/admin/settings', { ...fields, weekStart: 'monday', etag: '*' })
  assert.doesNotMatch((await one.get('/admin')).text, /notice warn/)
  assert.match((await other.get('/admin')).text, /notice warn.*DE89/s)
})
