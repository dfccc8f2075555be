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

interface PledgedDonation {
  id: string
  reference: string
}

async function createDonation(amount: number, donorName: string): Promise<PledgedDonation> {
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

const readStatus = async ({ id }: PledgedDonation): Promise<string> =>
  (await admin.get(`/campaigns/${campaign.id}/donations/${id}`)).body.status

let fileCount = 0

/** Uploads a statement and returns the path of its page. */
async function uploadStatement(bookings: StatementBooking[], adminClient = tessa): Promise<string> {
  fileCount += 1
  const numbered = bookings.map((booking, place) => ({ bankReference: `B${fileCount}-${place}`, ...booking }))
  const file = { name: `${hostile}.xml`, text: buildStatement(numbered).toString() }
  const sent = await adminClient.upload('/admin/statements', {}, file)
  assert.equal(sent.status, 303, sent.text)
  return sent.headers.location ?? ''
}

const readEntryPath = (text: string) => /action="(\/admin\/statements\/\d+\/entries\/[0-9a-f-]+)"/.exec(text)?.[1] ?? ''
const readField = (text: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? ''

test('a statement is uploaded, and a suggestion is confirmed, undone and ignored, without scripts', async () => {
  const [clear, less] = [await createDonation(25, 'Ada Lovelace'), await createDonation(40, 'Grace Hopper')]
  const page = await uploadStatement([
    { amount: '25.00', text: `Spende ${clear.reference}`, name: 'Ada Lovelace', iban },
    { amount: '35.00', text: `Gift ${less.reference} ${hostile}`, name: `Grace ${hostile}`, iban }
  ])
  const { text } = await tessa.get(page)
  assert.match(text, /Transactions imported: 2\. Booked: 1\. To decide: 1\./)
  assert.equal(await readStatus(clear), 'TRANSFERRED')
  assert.match(text, /aria-current="page">To confirm <span class="count">1/, 'transactions to decide are shown first')
  assert.match(text, new RegExp(`<mark>${less.reference}</mark>`))
  assert.match(text, /€5\.00 less than pledged/)
  assert.match(text, /&lt;img src=x onerror/)
  assert.doesNotMatch(text, /<img src=x/)
  assert.doesNotMatch(text, new RegExp(iban), 'the IBAN is masked')

  const fields = { do: 'accept', donation: readField(text, 'donation'), version: readField(text, 'version') }
  const confirmed = await tessa.sendAndFollow(readEntryPath(text), fields)
  assert.match(confirmed.text, new RegExp(`€35\\.00 booked for ${less.reference}`))
  assert.match(confirmed.text, /<button[^>]*>Undo/)
  assert.equal(await readStatus(less), 'TRANSFERRED')

  const stale = await tessa.sendAndFollow(readEntryPath(text), { ...fields, do: 'ignore' })
  assert.match(stale.text, /Another user decided this in the meantime/)

  const undone = await tessa.sendAndFollow(readEntryPath(text), { do: 'back', back: '?result=all' })
  assert.match(undone.text, /The booking of €35\.00 was undone/)
  assert.match(undone.text, /aria-current="page">All/, 'it returns to the same list')
  assert.equal(await readStatus(less), 'IN_PROCESS')
  assert.match((await tessa.sendAndFollow(readEntryPath(text), { do: 'ignore' })).text, /€35\.00 ignored/)
  assert.match((await tessa.sendAndFollow(readEntryPath(text), { do: 'unignore' })).text, /€35\.00 no longer ignored/)
})

test('one button confirms all exact suggestions of a page, and no others', async () => {
  const [one, two, less] = [
    await createDonation(71, 'Ida Rhodes'),
    await createDonation(72, 'Mary Kenneth'),
    await createDonation(73, 'Jean Bartik')
  ]
  const page = await uploadStatement([
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
    [await readStatus(one), await readStatus(two), await readStatus(less)],
    ['TRANSFERRED', 'TRANSFERRED', 'IN_PROCESS']
  )
  assert.equal((await tessa.send(`${page}/confirm`, { 'entries[]': ['nonsense'] })).status, 404)
})

test('a treasurer searches a donation by name or amount, and assigns it to a transaction', async () => {
  const other = await createDonation(18.5, 'Hedy Lamarr')
  const page = await uploadStatement([{ amount: '19.00', text: 'for the roof', name: 'H. Kiesler' }])
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
  const fields = {
    do: 'assign',
    donation: readField(byName.text, 'donation'),
    version: readField(byName.text, 'version')
  }
  const assigned = await tessa.sendAndFollow(find, fields)
  assert.match(assigned.text, new RegExp(`€19\\.00 booked for ${other.reference}`))
  assert.equal(await readStatus(other), 'TRANSFERRED')
})

test('a file that was uploaded before is not imported again; an unknown format is refused in the language of the user', async () => {
  const file = { name: 'a.xml', text: buildStatement([{ amount: '1.00', bankReference: 'again' }]).toString() }
  const first = await tessa.upload('/admin/statements', {}, file)
  const second = await tessa.upload('/admin/statements', {}, file)
  assert.equal(second.headers.location, first.headers.location)
  assert.match((await tessa.get(second.headers.location ?? '')).text, /was already imported/)

  const wrongFile = await theo.upload('/admin/statements', {}, { name: 'b.xml', text: '<html></html>' })
  assert.equal(wrongFile.status, 422)
  assert.match(wrongFile.text, /Das Dateiformat wird nicht unterstützt/)
  assert.match(wrongFile.text, /Kontoauszug hochladen/)
  const withoutFile = await theo.send('/admin/statements', {})
  assert.equal(withoutFile.status, 422)
  assert.match(withoutFile.text, /<a href="#field-file">/)
})

test('a CSV file with unknown columns is kept until the columns are mapped, and then imported', async () => {
  const pledged = await createDonation(64, 'Joan Clarke')
  const table = {
    name: 'umsatz.csv',
    text: `Was;Wann;Wie viel;Wer\n${pledged.reference};02.03.2026;64,00;${hostile}\n`
  }
  const columnForm = await tessa.upload('/admin/statements', {}, table)
  assert.equal(columnForm.status, 422)
  assert.match(columnForm.text, /Map the columns/)
  assert.match(columnForm.text, /<label for="meaning-2">Wie viel/)
  const fields = {
    columns: JSON.stringify(['Was', 'Wann', 'Wie viel', 'Wer']),
    kept: readField(columnForm.text, 'kept'),
    keptName: 'umsatz.csv'
  }
  const incomplete = await tessa.send('/admin/statements', { ...fields, 'meanings[]': ['text', '', '', 'name'] })
  assert.equal(incomplete.status, 422)
  assert.match(incomplete.text, /<option value="text" selected>/, 'the selection is kept')
  const imported = await tessa.sendAndFollow('/admin/statements', {
    ...fields,
    'meanings[]': ['text', 'bookedOn', 'amount', 'name']
  })
  assert.match(imported.text, /Booked: 1\./)
  assert.doesNotMatch(imported.text, /<img src=x/)
  assert.equal(await readStatus(pledged), 'TRANSFERRED')
})

test('only treasurers can use statements, and unknown ones are 404', async () => {
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
