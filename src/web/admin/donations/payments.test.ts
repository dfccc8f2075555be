import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startAdmin } from '#test/support/admin-client.ts'
import { buildStatement } from '#test/support/fundraising/bank-statements.ts'
import { campaign, donation } from '#test/support/services.ts'

const { admin, visitor, signIn } = await startAdmin({ env: { TIMEZONE: 'Europe/Berlin' } })
const [tess, theo, ed] = [await signIn('treasurer'), await signIn('treasurer', 'de'), await signIn('editor')]

interface CreatedDonation {
  campaignId: number
  id: string
  reference: string
}
interface PaymentLine {
  id: string
  amount: number
  receivedOn: string
  source: string
}

const aCampaign = async () => (await admin.post('/campaigns', { ...campaign, donationMinimum: 1 })).body.id as number
const donate = async (id: number, fields: object = {}): Promise<CreatedDonation> =>
  (await visitor.post(`/campaigns/${id}/donations`, { ...donation, amount: 100, ...fields })).body
const apiPath = ({ campaignId, id }: CreatedDonation) => `/campaigns/${campaignId}/donations/${id}`
const pagePath = ({ campaignId, id }: CreatedDonation) => `/admin/donations/${campaignId}/${id}`
const read = async (one: CreatedDonation) => (await admin.get(apiPath(one))).body
const pay = async (one: CreatedDonation, amount: number, more: object = {}) =>
  await admin.post(`${apiPath(one)}/payments`, { amount, receivedOn: '2026-03-01', ...more })
const listPayments = async (one: CreatedDonation) =>
  ((await read(one)).payments as PaymentLine[]).map(({ amount, receivedOn, source }) => [amount, receivedOn, source])
const readHidden = (html: string, name: string) =>
  (new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '').replaceAll('&quot;', '"')
const readFormFields = (html: string) => ({
  etag: readHidden(html, 'etag'),
  idempotencyKey: readHidden(html, 'idempotencyKey')
})
/** Later than today in every time zone. */
const tomorrow = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
const toCheckboxValue = ({ campaignId, id }: CreatedDonation) => `${campaignId} ${id}`

test('for a partial payment the form asks about the rest; the donation stays pending until the rest is received', async () => {
  const one = await donate(await aCampaign())
  const path = `${pagePath(one)}/payment`
  const form = readFormFields((await tess.get(path)).text)
  const fields = { ...form, amount: '40', receivedOn: '2026-03-02', how: 'manual' }
  const confirmation = await tess.send(path, fields)
  assert.equal(confirmation.status, 200)
  assert.match(confirmation.text, /With this payment, €40\.00 of €100\.00 is received\. What about the rest\?/)
  assert.equal((await read(one)).amountReceived, 0, 'nothing is recorded before the question is answered')
  const waits = await tess.sendAndFollow(path, { ...fields, rest: 'wait' })
  assert.match(waits.text, /Received: €40\.00 from Ada Lovelace [^<]*Waiting for €60\.00\./)
  assert.match(waits.text, /Accept €40\.00 of €100\.00/)
  assert.match(waits.text, /To wait for the rest, do nothing/)
  assert.equal((await read(one)).status, 'IN_PROCESS')
  const list = (await theo.get(`/admin/donations?campaign=${one.campaignId}`)).text
  assert.match(list, /40,00\s€<span class="below difference">60,00\s€ fehlen/)
  assert.match(list, /02\.03\.2026/)
  assert.ok(!waits.text.includes(`${pagePath(one)}/cancel`), 'a donation with a payment cannot be cancelled')
  const refused = await tess.get(`${pagePath(one)}/cancel`)
  assert.match(refused.text, /€40\.00 was received for this donation/)

  const next = (await theo.get(path)).text
  assert.match(next, /value="60"/, 'the form has the outstanding amount filled in')
  const done = await theo.sendAndFollow(path, {
    ...readFormFields(next),
    amount: '60',
    receivedOn: '2026-03-05',
    how: 'cash'
  })
  assert.match(done.text, /Eingegangen: 60,00\s€ von Ada Lovelace/)
  assert.deepEqual(await listPayments(one), [
    [40, '2026-03-02', 'manual'],
    [60, '2026-03-05', 'cash']
  ])
  assert.equal((await read(one)).status, 'TRANSFERRED')
  for (const words of ['Von Hand gebucht', 'Bar', 'The treasurer of the tests']) assert.ok(done.text.includes(words))
})

test('a partial payment can be accepted as complete, at once or later, and accepting can be undone', async () => {
  const [id] = [await aCampaign()]
  const [atOnce, later] = [await donate(id), await donate(id)]
  const path = `${pagePath(atOnce)}/payment`
  const form = readFormFields((await tess.get(path)).text)
  const accepted = await tess.sendAndFollow(path, {
    ...form,
    amount: '40',
    receivedOn: '2026-03-02',
    rest: 'accept'
  })
  assert.match(accepted.text, /Accepted €40\.00 of €100\.00/)
  assert.deepEqual([(await read(atOnce)).status, (await read(atOnce)).amountReceived], ['TRANSFERRED', 40])
  assert.match(accepted.text, /€60\.00 less than pledged|Accepted: €40\.00 of the pledged €100\.00/)

  await pay(later, 40)
  const opened = await tess.get(pagePath(later))
  const etag = readHidden(opened.text, 'etag')
  await pay(later, 5)
  const stale = await tess.send(`${pagePath(later)}/accept`, { etag })
  assert.equal(stale.status, 409)
  assert.match(stale.text, /was changed by another user/)
  const now = readHidden((await tess.get(pagePath(later))).text, 'etag')
  const done = await tess.sendAndFollow(`${pagePath(later)}/accept`, { etag: now })
  assert.match(done.text, /Accepted: €45\.00 of €100\.00 from Ada Lovelace/)
  assert.equal((await read(later)).status, 'TRANSFERRED')
  const undone = await tess.sendAndFollow('/admin/donations/undo', { changes: readHidden(done.text, 'changes') })
  assert.match(undone.text, /Undone: €100\.00 from Ada Lovelace [^<]*Status: Pending\./)
  assert.deepEqual([(await read(later)).status, (await read(later)).amountReceived], ['IN_PROCESS', 45])
})

test('a payment above the pledge is recorded in full, and list and page show the difference', async () => {
  const one = await donate(await aCampaign(), { amount: 50 })
  const path = `${pagePath(one)}/payment`
  const form = readFormFields((await tess.get(path)).text)
  const done = await tess.sendAndFollow(path, { ...form, amount: '60.50', receivedOn: '2026-03-02' })
  assert.match(done.text, /That is €10\.50 more than pledged\./)
  assert.match(done.text, /€10\.50 more than pledged was received/)
  assert.match((await theo.get(`/admin/donations?campaign=${one.campaignId}`)).text, /10,50\s€ mehr als zugesagt/)
  assert.equal((await read(one)).amountReceived, 60.5)
})

test('a payment form that is sent twice records one payment; invalid input has an error at its field and changes nothing', async () => {
  const one = await donate(await aCampaign())
  const path = `${pagePath(one)}/payment`
  const form = readFormFields((await tess.get(path)).text)
  const good = { ...form, amount: '100', receivedOn: '2026-03-02' }
  const wrong: [object, RegExp][] = [
    [{ amount: '' }, /id="field-amount-error"/],
    [{ amount: '0' }, /id="field-amount-error"/],
    [{ amount: '-5' }, /id="field-amount-error"/],
    [{ amount: 'abc' }, /id="field-amount-error"/],
    [{ amount: '99999999999' }, /id="field-amount-error"/],
    [{ receivedOn: '' }, /id="field-receivedOn-error"/],
    [{ receivedOn: tomorrow }, /id="field-receivedOn-error"[^>]*>The day must not be in the future/],
    [{ receivedOn: '2026-02-30' }, /id="field-receivedOn-error"/]
  ]
  for (const [fields, message] of wrong) {
    const answer = await tess.send(path, { ...good, ...fields })
    assert.equal(answer.status, 422, JSON.stringify(fields))
    assert.match(answer.text, message)
  }
  assert.deepEqual(await listPayments(one), [])
  await tess.sendAndFollow(path, good)
  await tess.sendAndFollow(path, good)
  assert.deepEqual(await listPayments(one), [[100, '2026-03-02', 'manual']])
  assert.equal((await ed.get(path)).status, 403)
  assert.equal((await ed.send(path, good)).status, 403)
  assert.equal((await tess.get(`/admin/donations/${one.campaignId}/nothing/payment`)).status, 404)
})

test('a partial refund leaves the rest received; a full refund sets the status to refunded; both can be undone', async () => {
  const one = await donate(await aCampaign())
  await pay(one, 100)
  const path = `${pagePath(one)}/went-back`
  const opened = (await tess.get(path)).text
  assert.match(opened, /value="100"/)
  const tooMuch = await tess.send(path, { ...readFormFields(opened), amount: '100.01', receivedOn: '2026-03-05' })
  assert.equal(tooMuch.status, 422)
  assert.match(tooMuch.text, /At most €100\.00 can be refunded/)
  const part = await tess.sendAndFollow(path, { ...readFormFields(opened), amount: '30', receivedOn: '2026-03-05' })
  assert.match(part.text, /Refunded: €30\.00 to Ada Lovelace\. €70\.00 stays received\./)
  assert.deepEqual([(await read(one)).status, (await read(one)).amountReceived], ['TRANSFERRED', 70])
  assert.match(part.text, /€30\.00 of it refunded/)
  assert.match(part.text, /€30\.00 was refunded\. €70\.00 stays received\./)
  const undone = await tess.sendAndFollow('/admin/donations/undo', { changes: readHidden(part.text, 'changes') })
  assert.match(undone.text, /Undone/)
  assert.equal((await read(one)).amountReceived, 100)

  const again = readFormFields((await theo.get(path)).text)
  const complete = await theo.sendAndFollow(path, { ...again, amount: '100', receivedOn: '2026-03-06', back: 'list' })
  assert.match(complete.text, /Erstattet: 100,00\s€ an Ada Lovelace\./)
  assert.match(complete.text, /<h1>Spenden<\/h1>/)
  assert.equal((await read(one)).status, 'REFUNDED')
  assert.match((await theo.get(path)).text, /Für diese Spende ist kein Geld eingegangen/)
  assert.match((await theo.get(`${pagePath(one)}/payment`)).text, /hat den Status „Erstattet“/)
  await theo.sendAndFollow('/admin/donations/undo', { changes: readHidden(complete.text, 'changes'), back: 'list' })
  assert.deepEqual([(await read(one)).status, (await read(one)).amountReceived], ['TRANSFERRED', 100])
})

test('cancelling a donation and marking it as failed need confirmation, and can be undone on its page', async () => {
  const one = await donate(await aCampaign())
  for (const [step, status, word] of [
    ['cancel', 'CANCELLED', 'Cancelled'],
    ['fail', 'FAILED', 'Failed']
  ] as const) {
    const path = `${pagePath(one)}/${step}`
    const confirmation = await tess.get(path)
    assert.match(confirmation.text, /€100\.00 from Ada Lovelace/)
    assert.equal((await read(one)).status, 'IN_PROCESS', 'opening the confirmation page changes nothing')
    const done = await tess.sendAndFollow(path, { etag: readHidden(confirmation.text, 'etag') })
    assert.match(done.text, new RegExp(`${word}: €100\\.00 from Ada Lovelace`))
    assert.match(done.text, new RegExp(`Undo: ${word}`))
    assert.equal((await read(one)).status, status)
    const twice = await tess.send(path, { etag: readHidden(confirmation.text, 'etag') })
    assert.equal(twice.status, 409 + 3, 'the donation has changed since')
    const page = (await tess.get(pagePath(one))).text
    await tess.sendAndFollow('/admin/donations/undo', { changes: readHidden(page, 'changes') })
    assert.equal((await read(one)).status, 'IN_PROCESS')
  }
  await pay(one, 100)
  const path = `${pagePath(one)}/fail`
  const confirmation = (await theo.get(path)).text
  assert.match(confirmation, /Zurückgezahlt am/)
  const refused = await theo.send(path, { etag: readHidden(confirmation, 'etag'), receivedOn: tomorrow })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /Der Tag darf nicht in der Zukunft liegen/)
  await theo.sendAndFollow(path, { etag: readHidden(confirmation, 'etag'), receivedOn: '2026-03-09' })
  assert.deepEqual(await listPayments(one), [
    [100, '2026-03-01', 'manual'],
    [-100, '2026-03-09', 'correction']
  ])
})

test('a bulk change of status is confirmed once, and undone as a whole, except for donations changed since', async () => {
  const id = await aCampaign()
  const created = [await donate(id), await donate(id), await donate(id)]
  const [first] = created
  assert.ok(first !== undefined)
  const back = `?campaign=${id}`
  const received = await tess.sendAndFollow('/admin/donations/status', {
    all: 'TRANSFERRED',
    receivedOn: '2026-03-02',
    'donations[]': created.map(toCheckboxValue),
    back
  })
  assert.match(received.text, /3 received\./)
  const changes = readHidden(received.text, 'changes')
  assert.equal(changes.split(',').length, 3)
  assert.ok(!/href="[^"]*undo=/.test(received.text), 'no link of the page undoes it')
  const undone = await tess.sendAndFollow('/admin/donations/undo', { changes, back })
  assert.match(undone.text, /3 undone\./)
  assert.deepEqual(await Promise.all(created.map(async one => (await read(one)).status)), Array(3).fill('IN_PROCESS'))
  assert.match((await tess.sendAndFollow('/admin/donations/undo', { changes, back })).text, /Nothing was undone\./)

  const confirmation = await tess.send('/admin/donations/status', {
    all: 'FAILED',
    'donations[]': created.map(toCheckboxValue),
    back
  })
  assert.equal(confirmation.status, 200)
  assert.match(confirmation.text, /Did 3 donations fail\?/)
  assert.equal(
    [...confirmation.text.matchAll(/>€100\.00 from Ada Lovelace \(/g)].length,
    3,
    'each is listed with its amount'
  )
  assert.deepEqual(await Promise.all(created.map(async one => (await read(one)).status)), Array(3).fill('IN_PROCESS'))
  const ticked = [...confirmation.text.matchAll(/name="donations\[\]" value="([^"]+)"/g)].map(
    ([, value]) => value ?? ''
  )
  await pay(first, 100)
  const failed = await tess.sendAndFollow('/admin/donations/status', {
    all: 'FAILED',
    confirmed: 'yes',
    receivedOn: '2026-03-02',
    'donations[]': ticked,
    back
  })
  assert.match(failed.text, /2 failed, 1 was changed by another user\./)
  assert.equal((await read(first)).status, 'TRANSFERRED')
  await tess.sendAndFollow('/admin/donations/undo', { changes: readHidden(failed.text, 'changes'), back })
  assert.deepEqual(
    await Promise.all(created.map(async one => (await read(one)).status)),
    ['TRANSFERRED', 'IN_PROCESS', 'IN_PROCESS'],
    'only changed donations are undone'
  )
})

test('a forged link or flash cookie offers no undo button', async () => {
  const one = await donate(await aCampaign())
  await pay(one, 100)
  const path = `${pagePath(one)}/payment`
  const form = readFormFields((await tess.get(path)).text)
  const sent = await tess.send(path, { ...form, amount: '5', receivedOn: '2026-03-02', back: 'list' })
  const location = new URL(sent.headers.location ?? '', 'http://site')
  const other = `${one.campaignId} ${one.id} 1`
  const forged = await tess.get(
    `/admin/donations?undo=${encodeURIComponent(other)}&proof=${location.searchParams.get('proof')}`
  )
  assert.match(forged.text, /Received: €5\.00/, 'the notice itself is shown')
  assert.ok(!forged.text.includes('name="changes"'))
  const notice = encodeURIComponent(
    JSON.stringify({ text: 'Planted', undo: { action: '/admin/donations/undo', fields: { changes: other } } })
  )
  const session = await signIn('treasurer')
  const planted = await session.get('/admin/donations', {})
  assert.equal(planted.status, 200)
  const cookie = await visitor.post('/sessions', { email: session.email, password: 'a password of the tests' })
  const page = await visitor.get('/admin/account', {
    cookie: `kalends_session=${cookie.body.token}; kalends_flash=${notice}`
  })
  assert.equal(page.status, 200)
  assert.ok(!page.text.includes('Planted') && !page.text.includes('name="changes"'))
  for (const changes of ['', 'x', `${one.campaignId} ${one.id}`, `${one.campaignId} ../../x 1`]) {
    const answer = await tess.sendAndFollow('/admin/donations/undo', { changes, back: 'https://example.org/' })
    assert.match(answer.text, /There is nothing to undo/)
  }
})

test('a payment recorded by hand is removed after confirmation; a payment from a bank statement links to its transaction', async () => {
  const one = await donate(await aCampaign())
  await pay(one, 40)
  const [payment] = (await read(one)).payments as PaymentLine[]
  const page = (await tess.get(pagePath(one))).text
  const path = `${pagePath(one)}/payments/${payment?.id}/remove`
  assert.ok(page.includes(`href="${path}"`))
  const confirmation = await tess.get(path)
  assert.match(confirmation.text, /€40\.00, 1 March 2026, Recorded by hand/)
  const etag = readHidden(confirmation.text, 'etag')
  await pay(one, 1)
  const stale = await tess.send(path, { etag })
  assert.equal(stale.status, 409)
  assert.match(stale.text, /was changed by another user/)
  const removed = await tess.sendAndFollow(path, { etag: readHidden((await tess.get(path)).text, 'etag') })
  assert.match(removed.text, /Payment of €40\.00 removed\./)
  assert.deepEqual(await listPayments(one), [[1, '2026-03-01', 'manual']])
  assert.equal((await tess.get(path)).status, 404)

  const booked = await donate(one.campaignId)
  const payload = buildStatement([{ amount: '100.00', text: booked.reference, bookedOn: '2026-03-04' }])
  const headers = { 'content-type': 'application/xml' }
  await admin.send({ method: 'POST', url: '/bank-statements', headers, payload })
  const complete = await read(booked)
  const [entry] = complete.payments
  assert.equal(entry.source, 'bank_entry')
  const shown = (await theo.get(pagePath(booked))).text
  const toEntry = `/admin/statements/${entry.statementId}/entries/${entry.entryId}`
  assert.ok(shown.includes(`<a href="${toEntry}">Kontoauszug</a>`))
  assert.ok(!shown.includes(`/payments/${entry.id}/remove"`))
  assert.equal((await theo.get(toEntry)).status, 200)
  const refused = await theo.send(`${pagePath(booked)}/payments/${entry.id}/remove`, {})
  assert.equal(refused.status, 409)
  assert.match(refused.text, /gehört zu einem Umsatz/)
  assert.ok(refused.text.includes(`href="${toEntry}"`))
  assert.match(shown, /Auch die Zuordnung des Umsatzes wird dann aufgehoben/)
  await theo.sendAndFollow('/admin/donations/undo', { changes: readHidden(shown, 'changes') })
  assert.equal((await read(booked)).status, 'IN_PROCESS')
})

test('the name of a donor is escaped on every page about payments', async () => {
  const one = await donate(await aCampaign(), { donorName: '<img src=x onerror=alert(1)>' })
  await pay(one, 40)
  const [payment] = (await read(one)).payments as PaymentLine[]
  for (const path of ['', '/payment', '/went-back', '/cancel', '/fail', `/payments/${payment?.id}/remove`]) {
    const { status, text } = await tess.get(pagePath(one) + path)
    assert.equal(status, 200, path)
    assert.ok(!text.includes('<img src=x'), path)
  }
})

test('the activity log has a text for changed payments', async () => {
  const one = await donate(await aCampaign())
  await pay(one, 40)
  const anna = await signIn('admin')
  assert.match((await anna.get('/admin/activity')).text, /changed the payments of a donation/)
})
