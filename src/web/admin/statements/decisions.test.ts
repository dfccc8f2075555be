// Every open transaction is decided with one or two clicks, in the console and without scripts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startAdmin } from '#test/support/admin-client.ts'
import { buildStatement, type StatementBooking, statementAccount } from '#test/support/fundraising/bank-statements.ts'

const { admin, visitor, signIn } = await startAdmin({ env: { TIMEZONE: 'Europe/Berlin' } })
const [tessa, theo] = [await signIn('treasurer'), await signIn('treasurer', 'de')]
const hostile = '<img src=x onerror=alert(1)>'
const ibans = ['DE02100500000054540402', 'DE02300209000106531065', 'DE02200505501015871393']
const [schulz = '', ada = '', grace = ''] = ibans

const aCampaign = async (name: string) =>
  (
    await admin.post('/campaigns', {
      name,
      donationMinimum: 1,
      targetAmount: 8000,
      account: { iban: statementAccount, name: 'Music School', nameOfBank: '' }
    })
  ).body
const roof = await aCampaign('New roof')
const piano = await aCampaign(`Piano ${hostile}`)

async function createDonation(amount: number, donorName: string) {
  const { body } = await visitor.post(`/campaigns/${roof.id}/donations`, {
    amount,
    donorName,
    account: { iban: grace, name: donorName, nameOfBank: '' }
  })
  return body as { id: string; reference: string }
}
const read = async ({ id }: { id: string }) => (await admin.get(`/campaigns/${roof.id}/donations/${id}`)).body

let fileCount = 0
async function uploadStatement(bookings: StatementBooking[]): Promise<string> {
  fileCount += 1
  const numbered = bookings.map((booking, place) => ({ bankReference: `D${fileCount}-${place}`, ...booking }))
  const sent = await tessa.upload('/admin/statements', {}, { name: 'a.xml', text: buildStatement(numbered).toString() })
  assert.equal(sent.status, 303, sent.text)
  return sent.headers.location ?? ''
}

/** Action and fields of the form that has a button with this label. */
function findForm(text: string, label: string) {
  const form = [...text.matchAll(/<form[^>]*action="([^"]+)"[^>]*>([\s\S]*?)<\/form>/g)].find(([, , inside = '']) =>
    new RegExp(`<button[^>]*>${label}`).test(inside)
  )
  assert.ok(form, `no button “${label}”`)
  const [, action = '', inside = ''] = form
  const hidden = [...inside.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
  const fields = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]))
  const button = new RegExp(`<button([^>]*)>${label}`).exec(inside)?.[1] ?? ''
  const value = /name="do" value="([^"]+)"/.exec(button)?.[1]
  return { action, fields: value === undefined ? fields : { ...fields, do: value } }
}

async function click(page: string, label: string, more: Record<string, string> = {}) {
  const { text } = await tessa.get(page)
  const { action, fields } = findForm(text, label)
  return await tessa.sendAndFollow(action, { ...fields, ...more })
}

test('for a payment below the pledge, the amount is accepted at once, or the donation waits for the rest', async () => {
  const [one, two] = [await createDonation(100, 'Ada Lovelace'), await createDonation(90, 'Grace Hopper')]
  const first = await uploadStatement([{ amount: '40.00', text: one.reference }])
  const { text } = await tessa.get(first)
  assert.match(text, /€100\.00 pledged/)
  assert.match(text, /€60\.00 less than pledged/)
  assert.match((await click(first, 'Accept €40\\.00 of €100\\.00')).text, /€40\.00 booked for/)
  assert.deepEqual([(await read(one)).status, (await read(one)).amountReceived], ['TRANSFERRED', 40])

  const second = await uploadStatement([{ amount: '30.00', text: two.reference }])
  assert.match((await click(second, 'Wait for the rest')).text, /The rest is outstanding\..*Undo/s)
  assert.deepEqual([(await read(two)).status, (await read(two)).amountReceived], ['IN_PROCESS', 30])
  const booked = `${second}?result=booked`
  assert.match((await tessa.get(booked)).text, /€90\.00 pledged, <span class="entry-off">€60\.00 less/)
  await click(booked, 'Accept €30\\.00 of €90\\.00')
  assert.equal((await read(two)).status, 'TRANSFERRED')
  const third = await createDonation(50, 'Jean Bartik')
  const parts = await uploadStatement([{ amount: '20.00', text: third.reference }])
  await click(parts, 'Wait for the rest')
  const rest = await uploadStatement([{ amount: '10.00', text: third.reference }])
  assert.match((await tessa.get(rest)).text, /€20\.00 received before.*Accept €30\.00 of €50\.00/s)
})

test('a payment above the pledge is booked in full, or the extra as a separate donation; a second payment as a separate donation', async () => {
  const [one, two] = [await createDonation(50, 'Ada Lovelace'), await createDonation(51, 'Grace Hopper')]
  const first = await uploadStatement([{ amount: '60.00', text: one.reference }])
  await click(first, 'Book all for it')
  assert.equal((await read(one)).amountReceived, 60)
  const second = await uploadStatement([{ amount: '60.00', text: two.reference }])
  const done = await click(second, 'Book the extra €9\\.00 as a separate donation')
  assert.match(done.text, /€60\.00 booked, the extra as a separate donation/)
  assert.equal((await read(two)).amountReceived, 51)
  const shown = (await tessa.get(`${second}?result=booked`)).text
  assert.match(shown, /€51\.00 of this transaction/)
  assert.match(shown, /€9\.00 of this transaction/)
  const paidTwice = await uploadStatement([{ amount: '51.00', text: two.reference }])
  assert.match((await tessa.get(paidTwice)).text, /This donation was already received/)
  await click(paidTwice, 'Book as a separate donation')
  assert.equal((await read(two)).amountReceived, 51)
})

test('a payment without a pledge becomes a donation; a rule remembers the campaign for later payments of the payer', async () => {
  const page = await uploadStatement([{ amount: '12.00', name: 'Ada Lovelace', iban: ada, text: 'for you' }])
  const { text } = await tessa.get(page)
  assert.match(text, /<option value>Choose a campaign/)
  assert.doesNotMatch(text, /<img src=x/)
  const withoutCampaign = await click(page, 'Create a donation')
  assert.match(withoutCampaign.text, /console-notice[^>]*><p>Choose a campaign/)
  const created = await click(page, 'Create a donation', { campaign: String(roof.id), remember: 'yes' })
  assert.match(created.text, /€12\.00 booked as a new donation, [\w-]+\./)
  const undone = await click(`${page}?result=booked`, 'Undo booking')
  assert.match(undone.text, /booking of €12\.00 was undone/)

  const later = await uploadStatement([
    { amount: '13.00', name: 'Ada Lovelace', iban: ada, text: 'again' },
    { amount: '14.00', name: 'Ada Lovelace', iban: ada, text: 'and again' }
  ])
  assert.match((await tessa.get(later)).text, /A rule for this payer names this campaign/)
  assert.match((await theo.get(later)).text, /Spende anlegen<span class="visually-hidden"> für New roof/)
  const all = await click(later, 'For all 2 payments of this payer')
  assert.match(all.text, /2 donations created, €27\.00 in all/)
  const other = await uploadStatement([{ amount: '15.00', name: 'Ada Lovelace', iban: ada, text: 'once more' }])
  assert.match(
    (await click(other, 'Create a donation<span class="visually-hidden"> to New roof')).text,
    /€15\.00 booked as a new donation/
  )
  const nameless = await uploadStatement([{ amount: '16.00', text: 'cash machine' }])
  assert.match((await tessa.get(nameless)).text, /<input id="donor-[^"]+" name="donor" type="text"/)
  const named = await click(nameless, 'Create a donation', { campaign: String(piano.id), donor: 'Box at the door' })
  assert.match(named.text, /€16\.00 booked as a new donation/)
})

test('a rule ignores all later payments of a payer, and can be listed and deleted', async () => {
  const from = { name: `Familie Schulz ${hostile}`, iban: schulz, text: 'Beitrag' }
  const page = await uploadStatement([
    { amount: '10.00', ...from },
    { amount: '11.00', ...from }
  ])
  const done = await click(page, 'Always ignore payments from Familie Schulz')
  assert.match(done.text, /€10\.00 ignored, and payments of this payer from now on/)
  const later = await uploadStatement([{ amount: '10.00', ...from }])
  assert.match((await tessa.get(`${later}?result=ignored`)).text, /By rule: Familie Schulz &lt;img/)
  const rules = await tessa.get('/admin/statements/rules')
  assert.match(rules.text, /Familie Schulz &lt;img/)
  assert.match(rules.text, /Suggest New roof/)
  assert.doesNotMatch(rules.text, new RegExp(schulz))
  assert.doesNotMatch(rules.text, /<img src=x/)
  assert.match((await tessa.get('/admin/statements')).text, /href="\/admin\/statements\/rules"/)
  assert.match((await theo.get('/admin/statements/rules')).text, /Regeln für Zahlungen/)
  const deleted = await click('/admin/statements/rules', 'Delete')
  assert.match(deleted.text, /The rule was deleted/)
  const again = await uploadStatement([{ amount: '10.00', ...from }])
  assert.match((await tessa.get(again)).text, /aria-current="page">Not matched <span class="count">1/)
  const edith = await signIn('editor')
  assert.equal((await edith.get('/admin/statements/rules')).status, 403)
  assert.equal((await tessa.send('/admin/statements/rules/x/delete', {})).status, 404)
})

test('a payment is split over several donations; amounts that do not add up are refused, and the input is kept', async () => {
  const [one, two] = [await createDonation(20, 'Ada Lovelace'), await createDonation(30, 'Grace Hopper')]
  const page = await uploadStatement([
    { amount: '50.00', text: `${one.reference} ${two.reference}`, name: 'Ada', iban: ada }
  ])
  const { text } = await tessa.get(page)
  const entry = /href="(\/admin\/statements\/\d+\/entries\/[0-9a-f-]+)#split"/.exec(text)?.[1] ?? ''
  const form = await tessa.get(entry)
  assert.match(form.text, new RegExp(`name="references\\[\\]" value="${one.reference}"`))
  assert.match(form.text, /name="amounts\[\]" value="20"/)
  assert.match(form.text, /Left to divide: <output>€0\.00<\/output>/)
  const references = [one.reference.toLowerCase(), two.reference]
  const send = async (rows: string[], amounts: string[]) =>
    await tessa.send(`${entry}/split`, { version: '1', 'references[]': rows, 'amounts[]': amounts })
  const uneven = await send(references, ['20', '29.50'])
  assert.equal(uneven.status, 422)
  assert.match(uneven.text, /must add up to 50/)
  assert.match(uneven.text, /name="amounts\[\]" value="29\.50"/)
  assert.match(uneven.text, /<output>€0\.50<\/output>/)
  const unknown = await send(['AC-XXXX-XXXX', two.reference], ['20', 'much'])
  assert.match(unknown.text, /There is no donation with the reference AC-XXXX-XXXX/)
  assert.match(unknown.text, /aria-describedby="field-amounts-1-error"/)
  assert.match((await send([one.reference], ['50'])).text, /at least two donations/)
  assert.equal((await read(one)).status, 'IN_PROCESS')
  const booked = await send([...references, ''], ['20', '30', ''])
  assert.equal(booked.status, 303, booked.text)
  assert.match((await tessa.get(page)).text, /€50\.00 booked for 2 donations/)
  assert.deepEqual([(await read(one)).status, (await read(two)).status], ['TRANSFERRED', 'TRANSFERRED'])
  assert.match((await send(references, ['20', '30'])).text, /Another user decided/)

  const [three, four] = [await createDonation(21, 'Ida Rhodes'), await createDonation(32, 'Mary Kenneth')]
  const exact = await uploadStatement([{ amount: '53.00', text: `${three.reference} and ${four.reference}` }])
  assert.match((await click(exact, 'Book for these 2 donations')).text, /€53\.00 booked for 2 donations/)
  assert.deepEqual([(await read(three)).amountReceived, (await read(four)).amountReceived], [21, 32])
})

test('the credit of a direct debit batch links to the batch, and is booked although its amount differs', async () => {
  await admin.patch('/organisation', { legalName: 'Music School', creditorId: 'DE98ZZZ09999999999' })
  const { texts } = (await visitor.get('/mandate')).body
  await visitor.post(`/campaigns/${roof.id}/donations`, {
    amount: 35,
    donorName: 'Zoë Müßig',
    account: { iban: ada },
    mandate: { text: texts.en }
  })
  const { body: batch } = await admin.post('/collections', { campaignId: roof.id })
  await admin.patch(`/collections/${batch.id}`, { status: 'submitted' })
  const credit = { amount: '34.00', payments: [], paymentInformationId: `${batch.messageId}-1` }
  const page = await uploadStatement([credit])
  assert.match((await tessa.get(page)).text, new RegExp(`href="/admin/collections/${batch.id}">Direct debit batch`))
  assert.match((await tessa.get(page)).text, /34\.00 received of 35\.00: 1\.00 less/)
  const booked = await click(page, `Book for direct debit batch ${batch.id}`)
  assert.match(booked.text, new RegExp(`€34\\.00 booked for direct debit batch ${batch.id}`))
  assert.equal((await admin.get(`/collections/${batch.id}`)).body.status, 'done')
})
