// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { downloadFile, organisation, readPdfPages } from '#test/support/fundraising/receipts.ts'
import { adminKey, startCampaigns } from '#test/support/services.ts'
import { eraseExpiredDonors } from '../../gdpr/retention.ts'
import { processLetterRun } from './letter.ts'

const { server, admin, aCampaign, aDonation, withRole, store, settings } = await startCampaigns({
  env: { TIMEZONE: 'Europe/Berlin' }
})
const treasurer = await withRole('treasurer')
const roof = await aCampaign({ name: 'New roof', translations: { de: { name: 'Neues Dach' } } })
const address = { street: 'Übergasse 7', postalCode: '10115', city: 'Berlin', country: 'DE' }

async function donate(fields: object) {
  const received = { account: null, status: 'TRANSFERRED', address, ...fields }
  return await aDonation(roof.id, received)
}
const findDonor = async ({ id }: { id: string }) => (await treasurer.get(`/donor-records?donationId=${id}`)).body[0]
const readLetter = async (id: string) => {
  const { status, bytes, headers } = await downloadFile(server, `/donor-letters/${id}/letter.pdf`, adminKey)
  assert.deepEqual([status, headers['content-type']], [200, 'application/pdf'])
  return { bytes, pages: await readPdfPages(bytes) }
}

test('a letter needs name and address of the organisation and of the donor, and a payment in the year', async () => {
  const donor = await findDonor(await donate({ donorName: 'Early Bird', receivedOn: '2024-05-05' }))
  const path = `/donor-records/${donor.id}/letters`
  assert.equal((await treasurer.post(path, { year: 2024 })).body.code, 'letter-sender-missing')
  assert.equal((await treasurer.post('/donor-letters', { year: 2024 })).body.code, 'letter-sender-missing')
  await admin.patch('/organisation', organisation)
  assert.equal((await treasurer.post(path, { year: 2023 })).body.code, 'nothing-received')
  const withoutAddress = await findDonor(
    await donate({ donorName: 'No Home', address: null, receivedOn: '2024-05-05' })
  )
  assert.equal(
    (await treasurer.post(`/donor-records/${withoutAddress.id}/letters`, { year: 2024 })).body.code,
    'address-missing'
  )
  const emoji = await findDonor(await donate({ donorName: 'Smiling 🙂', receivedOn: '2024-05-05' }))
  const unprintable = await treasurer.post(`/donor-records/${emoji.id}/letters`, { year: 2024 })
  assert.deepEqual(
    [unprintable.status, unprintable.body.code, unprintable.body.characters],
    [422, 'letter-not-printable', ['🙂']]
  )
  for (const body of [{}, { year: 1800 }, { year: 'x' }, { year: 2024, language: 'fr' }]) {
    assert.equal((await treasurer.post(path, body)).status, 400, JSON.stringify(body))
  }
})

test('a letter thanks the donor with the sum and the list of payments, and contains no wording of a donation receipt', async () => {
  const person = { donorName: 'Zoë Ångström', email: 'zoe@example.org', language: 'de' }
  await donate({ ...person, amount: 25, receivedOn: '2025-03-01' })
  await donate({ ...person, amount: 1000.5, receivedOn: '2025-11-30' })
  const last = await donate({ ...person, amount: 7, receivedOn: '2026-01-01' })
  const donor = await findDonor(last)
  const written = await treasurer.post(`/donor-records/${donor.id}/letters`, { year: 2025 })
  assert.equal(written.status, 201, written.text)
  const { language, amount, currency, payments, year } = written.body
  assert.deepEqual([language, amount, currency, payments, year], ['de', 1025.5, 'EUR', 2, 2025])
  const { pages, bytes } = await readLetter(written.body.id)
  const [text = ''] = pages
  assert.equal(pages.length, 1)
  for (const word of [
    'Danke für 2025',
    'Zoë Ångström',
    'Übergasse 7',
    '10115 Berlin',
    '1. März 2025',
    'Neues Dach',
    '25,00 €',
    '1.025,50 €',
    organisation.legalName
  ]) {
    assert.ok(text.includes(word), `${word}: ${text}`)
  }
  assert.doesNotMatch(text, /bestätigung|bescheinig|Zuwendung|§|steuerbegünstigt|Finanzamt|Freistellung|219\/5880/i)

  const english = await treasurer.post(`/donor-records/${donor.id}/letters`, { year: 2025, language: 'en' })
  const [translated = ''] = (await readLetter(english.body.id)).pages
  for (const word of ['Thank you for your support in 2025', 'Dear Zoë Ångström,', 'New roof', '€1,025.50']) {
    assert.ok(translated.includes(word), `${word}: ${translated}`)
  }
  assert.doesNotMatch(translated, /receipt|certif|tax office|tax-exempt|deduct/i)

  // Later changes do not affect a letter that was already written.
  await treasurer.patch(`/campaigns/${roof.id}/donations/${last.id}`, { donorName: 'Zoe Other' })
  await treasurer.put('/letter-texts/de', { opening: 'Ganz anders.', closing: 'Tschüss' })
  assert.deepEqual((await readLetter(written.body.id)).bytes, bytes)
  const letters = (await treasurer.get(`/donor-records/${donor.id}`)).body.letters
  assert.deepEqual(
    letters.map((one: { id: string }) => one.id),
    [english.body.id, written.body.id]
  )
  const activity = await admin.get(`/activity?action=donor.letter_written&subjectId=${donor.id}`)
  assert.deepEqual([activity.body.length, activity.text.includes('Zo')], [2, false])
})

test('the organisation can write its own text of the letter, with placeholders for year and sum', async () => {
  const texts = (await treasurer.get('/letter-texts')).body
  assert.deepEqual(
    texts.map(({ language, isDefault }: { language: string; isDefault: boolean }) => [language, isDefault]),
    [
      ['en', true],
      ['de', false]
    ]
  )
  const ownText = { opening: 'In {year} you gave {amount}.\n\nThe roof is tight.', closing: 'Yours' }
  const saved = await treasurer.put('/letter-texts/en', ownText, { 'if-match': '"1"' })
  assert.deepEqual([saved.status, saved.body.opening, saved.body.isDefault], [200, ownText.opening, false])
  assert.equal((await treasurer.put('/letter-texts/en', ownText, { 'if-match': '"1"' })).status, 412)
  assert.equal((await treasurer.put('/letter-texts/fr', ownText)).body.code, 'letter-text-not-found')
  const others = { language: 'de', version: 'nine', isDefault: true }
  const renewed = await treasurer.put('/letter-texts/en', { ...ownText, closing: 'Ours', ...others })
  assert.deepEqual([renewed.status, renewed.body.language, renewed.body.version], [200, 'en', 3], renewed.text)
  await treasurer.put('/letter-texts/en', ownText)
  const empty = await treasurer.put('/letter-texts/en', { opening: '', closing: 'x' })
  assert.deepEqual([empty.status, empty.body.errors[0].pointer], [400, '/opening'])
  const donor = await findDonor(await donate({ donorName: 'Word Reader', amount: 40, receivedOn: '2025-07-01' }))
  const { body } = await treasurer.post(`/donor-records/${donor.id}/letters`, { year: 2025, language: 'en' })
  const [text = ''] = (await readLetter(body.id)).pages
  assert.match(text, /In 2025 you gave €40\.00\. The roof is tight\./)
})

test('a letter lists 60 payments over several pages, without a refunded one', async () => {
  const person = { donorName: 'Standing Order', email: 'often@example.org', receivedOn: '2022-02-02' }
  const first = await donate({ ...person, amount: 10 })
  for (let count = 1; count < 60; count += 1) await donate({ ...person, amount: 5 })
  const returned = await donate({ ...person, amount: 500 })
  await treasurer.patch(`/campaigns/${roof.id}/donations/${returned.id}`, { status: 'REFUNDED' })
  const donor = await findDonor(first)
  const { body } = await treasurer.post(`/donor-records/${donor.id}/letters`, { year: 2022 })
  assert.deepEqual([body.amount, body.payments], [305, 60])
  assert.ok((await readLetter(body.id)).pages.length >= 3)
})

test('a letter run writes the missing letters of all donors with an address, and prints them in one file', async () => {
  const year = 2021
  for (const donorName of ['Run Anna', 'Run Berta']) await donate({ donorName, receivedOn: `${year}-06-01` })
  await donate({ donorName: 'Run Nowhere', address: null, receivedOn: `${year}-06-01` })
  await donate({ donorName: 'Run Emoji 🙂', receivedOn: `${year}-06-01` })
  assert.equal((await treasurer.get(`/donor-letters.pdf?year=${year}`)).body.code, 'no-letters-to-print')
  const started = await treasurer.post('/donor-letters', { year })
  assert.deepEqual([started.status, started.body], [202, { year, written: 0, due: 3, withoutAddress: 1 }])
  const job = await store.one<{ payload: object }>(sql`
    select payload from graphile_worker._private_jobs as job
    where job.key = ${`letter-run ${year}`}`)
  await processLetterRun(store, settings, job.payload)
  const readSummary = async () => (await treasurer.get(`/donor-letters/summary?year=${year}`)).body
  assert.deepEqual(await readSummary(), { year, written: 2, due: 1, withoutAddress: 1 })
  await processLetterRun(store, settings, job.payload)
  assert.equal((await readSummary()).written, 2)
  const { bytes } = await downloadFile(server, `/donor-letters.pdf?year=${year}`, adminKey)
  const pages = await readPdfPages(bytes)
  const printed = pages.map(page => /Run (Anna|Berta)/.exec(page)?.[1]).sort()
  assert.deepEqual(printed, ['Anna', 'Berta'])
  const unknown = '/donor-letters/01900000-0000-7000-8000-000000000000/letter.pdf'
  assert.equal((await treasurer.get(unknown)).body.code, 'letter-not-found')
})

test('letters are deleted after the retention period', async () => {
  const donor = await findDonor(await donate({ donorName: 'Old Letter', receivedOn: '2010-06-01' }))
  const { body } = await treasurer.post(`/donor-records/${donor.id}/letters`, { year: 2010 })
  await eraseExpiredDonors(store, settings)
  assert.equal((await treasurer.get(`/donor-letters/${body.id}/letter.pdf`)).status, 200)
  await store.run(sql`update fundraising.donor_letters set written_at = '2011-01-05Z' where id = ${body.id}`)
  await eraseExpiredDonors(store, settings)
  assert.equal((await treasurer.get(`/donor-letters/${body.id}/letter.pdf`)).status, 404)
})
