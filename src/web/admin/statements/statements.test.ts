import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startAdmin } from '#test/support/admin-client.ts'
import { buildStatement, type StatementBooking, statementAccount } from '#test/support/fundraising/bank-statements.ts'

const { admin, visitor, signIn } = await startAdmin({ env: { TIMEZONE: 'Europe/Berlin' } })
const [tessa, theo] = [await signIn('treasurer'), await signIn('treasurer', 'de')]
const hostile = '<img src=x onerror=alert(1)>'
const iban = 'DE02120300000000202051'

const { body: campaign } = await admin.post('/campaigns', {
  name: 'New roof',
  donationMinimum: 1,
  targetAmount: 8000,
  account: { iban: statementAccount, name: 'Music School', nameOfBank: '' }
})

interface Given {
  id: string
  reference: string
}

async function donation(amount: number, donorName: string): Promise<Given> {
  const { body } = await visitor.post(`/campaigns/${campaign.id}/donations`, {
    amount,
    donorName,
    receiptRequested: false,
    status: 'IN_PROCESS',
    account: { iban, name: donorName, nameOfBank: '' }
  })
  const { body: known } = await admin.get(`/campaigns/${campaign.id}/donations/${body.id}`)
  return { id: body.id, reference: known.reference }
}

const statusOf = async ({ id }: Given): Promise<string> =>
  (await admin.get(`/campaigns/${campaign.id}/donations/${id}`)).body.status

let files = 0

/** Uploads a statement and answers where its page is. */
async function uploaded(bookings: StatementBooking[], adminClient = tessa): Promise<string> {
  files += 1
  const numbered = bookings.map((booking, place) => ({ bankReference: `B${files}-${place}`, ...booking }))
  const file = { name: `${hostile}.xml`, text: buildStatement(numbered).toString() }
  const sent = await adminClient.upload('/admin/statements', {}, file)
  assert.equal(sent.status, 303, sent.text)
  return sent.headers.location ?? ''
}

const entryIn = (text: string) => /action="(\/admin\/statements\/\d+\/entries\/[0-9a-f-]+)"/.exec(text)?.[1] ?? ''
const fieldIn = (text: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? ''

test('a statement is uploaded, a suggestion confirmed with one click, taken back, and ignored, without a script', async () => {
  const [clear, less] = [await donation(25, 'Ada Lovelace'), await donation(40, 'Grace Hopper')]
  const page = await uploaded([
    { amount: '25.00', text: `Spende ${clear.reference}`, name: 'Ada Lovelace', iban },
    { amount: '35.00', text: `Gift ${less.reference} ${hostile}`, name: `Grace ${hostile}`, iban }
  ])
  const { text } = await tessa.get(page)
  assert.match(text, /Transactions imported: 2\. Booked: 1\. To decide: 1\./)
  assert.equal(await statusOf(clear), 'TRANSFERRED')
  assert.match(text, /aria-current="page">To confirm <span class="count">1/, 'what is to be decided comes first')
  assert.match(text, new RegExp(`<mark>${less.reference}</mark>`))
  assert.match(text, /€5\.00 less than pledged/)
  assert.match(text, /&lt;img src=x onerror/)
  assert.doesNotMatch(text, /<img src=x/)
  assert.doesNotMatch(text, new RegExp(iban), 'an account is shown as much as is needed to recognise it')

  const fields = { do: 'accept', donation: fieldIn(text, 'donation'), version: fieldIn(text, 'version') }
  const confirmed = await tessa.sendAndFollow(entryIn(text), fields)
  assert.match(confirmed.text, new RegExp(`€35\\.00 booked for ${less.reference}`))
  assert.match(confirmed.text, /<button[^>]*>Undo/)
  assert.equal(await statusOf(less), 'TRANSFERRED')

  const stale = await tessa.sendAndFollow(entryIn(text), { ...fields, do: 'ignore' })
  assert.match(stale.text, /Another user decided this in the meantime/)

  const taken = await tessa.sendAndFollow(entryIn(text), { do: 'back', back: '?result=all' })
  assert.match(taken.text, /The booking of €35\.00 was undone/)
  assert.match(taken.text, /aria-current="page">All/, 'and it leads back to where it was')
  assert.equal(await statusOf(less), 'IN_PROCESS')
  assert.match((await tessa.sendAndFollow(entryIn(text), { do: 'ignore' })).text, /€35\.00 ignored/)
  assert.match((await tessa.sendAndFollow(entryIn(text), { do: 'unignore' })).text, /€35\.00 no longer ignored/)
})

test('all exact suggestions of a page are confirmed together, and only these', async () => {
  const [one, two, less] = [
    await donation(71, 'Ida Rhodes'),
    await donation(72, 'Mary Kenneth'),
    await donation(73, 'Jean Bartik')
  ]
  const page = await uploaded([
    { amount: '71.00', text: 'my gift', name: 'Ida Rhodes' },
    { amount: '72.00', text: 'my gift', name: 'Mary Kenneth' },
    { amount: '70.00', text: less.reference, name: 'Jean Bartik' }
  ])
  const { text } = await tessa.get(page)
  assert.match(text, /Confirm all 2 exact suggestions/)
  const entries = [...text.matchAll(/name="entries\[\]" value="([^"]+)"/g)].map(([, value = '']) => value)
  const done = await tessa.sendAndFollow(`${page}/confirm`, { 'entries[]': entries })
  assert.match(done.text, /Confirmed: 2\./)
  assert.deepEqual(
    [await statusOf(one), await statusOf(two), await statusOf(less)],
    ['TRANSFERRED', 'TRANSFERRED', 'IN_PROCESS']
  )
  assert.equal((await tessa.send(`${page}/confirm`, { 'entries[]': ['nonsense'] })).status, 404)
})

test('a donation is found by hand, by name or amount, and assigned', async () => {
  const other = await donation(18.5, 'Hedy Lamarr')
  const page = await uploaded([{ amount: '19.00', text: 'for the roof', name: 'H. Kiesler' }])
  const { text } = await tessa.get(page)
  assert.match(text, /No matching donation/)
  const find = /href="(\/admin\/statements\/\d+\/entries\/[0-9a-f-]+)">Find a donation/.exec(text)?.[1] ?? ''
  assert.match((await tessa.get(find)).text, /No pending donation has this amount/)
  assert.match((await tessa.get(`${find}?search=nobody`)).text, /No donations found/)
  const wrong = await tessa.get(`${find}?amount=much`)
  assert.equal(wrong.status, 422)
  const byAmount = await tessa.get(`${find}?amount=18.50`)
  assert.match(byAmount.text, /Hedy Lamarr/)
  const byName = await tessa.get(`${find}?search=Hedy`)
  assert.match(byName.text, /€0\.50 more than pledged/)
  const fields = { do: 'assign', donation: fieldIn(byName.text, 'donation'), version: fieldIn(byName.text, 'version') }
  const assigned = await tessa.sendAndFollow(find, fields)
  assert.match(assigned.text, new RegExp(`€19\\.00 booked for ${other.reference}`))
  assert.equal(await statusOf(other), 'TRANSFERRED')
})

test('a file that was there before says so; one that is none says why at the form, in the language of who looks', async () => {
  const file = { name: 'a.xml', text: buildStatement([{ amount: '1.00', bankReference: 'again' }]).toString() }
  const first = await tessa.upload('/admin/statements', {}, file)
  const second = await tessa.upload('/admin/statements', {}, file)
  assert.equal(second.headers.location, first.headers.location)
  assert.match((await tessa.get(second.headers.location ?? '')).text, /was already imported/)

  const none = await theo.upload('/admin/statements', {}, { name: 'b.xml', text: '<html></html>' })
  assert.equal(none.status, 422)
  assert.match(none.text, /Das Dateiformat wird nicht unterstützt/)
  assert.match(none.text, /Kontoauszug hochladen/)
  const nothing = await theo.send('/admin/statements', {})
  assert.equal(nothing.status, 422)
  assert.match(nothing.text, /<a href="#field-file">/)
})

test('a table with columns that nobody knows asks what they are, keeps the file, and is read then', async () => {
  const given = await donation(64, 'Joan Clarke')
  const table = { name: 'umsatz.csv', text: `Was;Wann;Wie viel;Wer\n${given.reference};02.03.2026;64,00;${hostile}\n` }
  const asked = await tessa.upload('/admin/statements', {}, table)
  assert.equal(asked.status, 422)
  assert.match(asked.text, /Map the columns/)
  assert.match(asked.text, /<label for="meaning-2">Wie viel/)
  const fields = {
    columns: JSON.stringify(['Was', 'Wann', 'Wie viel', 'Wer']),
    kept: fieldIn(asked.text, 'kept'),
    keptName: 'umsatz.csv'
  }
  const half = await tessa.send('/admin/statements', { ...fields, 'meanings[]': ['text', '', '', 'name'] })
  assert.equal(half.status, 422)
  assert.match(half.text, /<option value="text" selected>/, 'what was chosen is kept')
  const read = await tessa.sendAndFollow('/admin/statements', {
    ...fields,
    'meanings[]': ['text', 'bookedOn', 'amount', 'name']
  })
  assert.match(read.text, /Booked: 1\./)
  assert.doesNotMatch(read.text, /<img src=x/)
  assert.equal(await statusOf(given), 'TRANSFERRED')
})

test('statements are for treasurers, and what does not exist is not there', async () => {
  const edith = await signIn('editor')
  for (const path of ['/admin/statements', '/admin/statements/1', '/admin/statements/1/entries/x']) {
    assert.equal((await edith.get(path)).status, 403, path)
  }
  assert.doesNotMatch((await edith.get('/admin')).text, /href="\/admin\/statements"/)
  assert.match((await theo.get('/admin')).text, /href="\/admin\/statements"[^>]*>Kontoauszüge/)
  for (const path of ['/admin/statements/999999', '/admin/statements/x', '/admin/statements/1/entries/x']) {
    assert.equal((await tessa.get(path)).status, 404, path)
  }
  assert.equal((await tessa.send('/admin/statements/1/entries/x', { do: 'nothing' })).status, 404)
})
