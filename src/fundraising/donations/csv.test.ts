import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { donation, startCampaigns } from '#test/support/services.ts'

const { visitor, store, withRole, aCampaign } = await startCampaigns()
const treasurer = await withRole('treasurer')

const english =
  'id,createdAt,amount,amountReceived,receivedOn,currency,status,reference,donorName,showName,receiptRequested,email,iban,accountName,nameOfBank,message'
const german =
  'Kennung;Datum;Zugesagt;Eingegangen;Eingegangen am;Währung;Status;Referenz;Name;Name zeigen;Zuwendungsbestätigung gewünscht;E-Mail;IBAN;Kontoinhaber;Bank;Nachricht'

/** Parses CSV by RFC 4180 into rows, including the header. */
function parseRows(text: string, separator: string): string[][] {
  const rows: string[][] = [[]]
  const form = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${separator}\\r\\n]*))(${separator}|\\r\\n)`, 'gy')
  for (const [, quoted, plain = '', end] of text.matchAll(form)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === '\r\n') rows.push([])
  }
  assert.deepEqual(rows.pop(), [])
  return rows
}

async function donate(id: number, fields: object = {}) {
  const { status, body } = await treasurer.post(`/campaigns/${id}/donations`, { ...donation, ...fields })
  assert.equal(status, 201)
  return body
}

test('the English file has commas, decimal points and all fields of each donation, newest first', async () => {
  const { id } = await aCampaign()
  const bank = await donate(id, { amount: 1234.5, showName: true, email: 'ada@example.org', message: 'Good luck' })
  const cash = await donate(id, { amount: 20, status: 'TRANSFERRED', account: undefined, receiptRequested: false })
  const { status, headers, text } = await treasurer.get(`/campaigns/${id}/donations.csv`)
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'text/csv; charset=utf-8')
  assert.equal(headers['content-disposition'], `attachment; filename="donations-${id}.csv"`)
  assert.equal(headers['content-language'], 'en')
  assert.equal(
    text,
    `${english}\r\n` +
      `${cash.id},${cash.createdAt},20.00,20.00,${cash.receivedOn},EUR,TRANSFERRED,${cash.reference},Ada Lovelace,false,false,,,,,\r\n` +
      `${bank.id},${bank.createdAt},1234.50,0.00,,EUR,IN_PROCESS,${bank.reference},Ada Lovelace,true,true,ada@example.org,` +
      'DE02120300000000202051,Ada Lovelace,Example Bank,Good luck\r\n'
  )
})

test('the German file has a byte order mark, semicolons and decimal commas', async () => {
  const { id } = await aCampaign()
  const donated = await donate(id, { amount: 1234.5, donorName: 'Jürgen Müller' })
  for (const language of ['de', 'de-AT, en;q=0.5']) {
    const { headers, text } = await treasurer.get(`/campaigns/${id}/donations.csv`, { 'accept-language': language })
    assert.equal(headers['content-language'], 'de')
    assert.equal(
      text,
      `\ufeff${german}\r\n` +
        `${donated.id};${donated.createdAt};1234,50;0,00;;EUR;IN_PROCESS;${donated.reference};Jürgen Müller;false;true;;` +
        'DE02120300000000202051;Ada Lovelace;Example Bank;\r\n'
    )
  }
})

test('text of a donor with separators, quotes and line breaks stays in its cell', async () => {
  const { id } = await aCampaign()
  const message = 'She said "yes", twice;\nthen\tleft'
  await donate(id, {
    message,
    donorName: 'Lovelace, Ada; Countess',
    account: { ...donation.account, nameOfBank: '"B"' }
  })
  for (const [language, separator] of [
    ['en', ','],
    ['de', ';']
  ] as const) {
    const { text } = await treasurer.get(`/campaigns/${id}/donations.csv`, { 'accept-language': language })
    const rows = parseRows(text.replace('\ufeff', ''), separator)
    assert.equal(rows.length, 2)
    assert.equal(rows[1]?.length, 16)
    assert.deepEqual([rows[1]?.[8], rows[1]?.[14], rows[1]?.[15]], ['Lovelace, Ada; Countess', '"B"', message])
  }
})

test('text of a donor is never a formula in a spreadsheet', async () => {
  const { id } = await aCampaign()
  const starts = ['=', '+', '-', '@']
  for (const start of starts) {
    await visitor.post(`/campaigns/${id}/donations`, {
      ...donation,
      donorName: `${start}cmd|'/c calc'!A1`,
      message: `${start}HYPERLINK("http://evil.example","x")`,
      account: { ...donation.account, name: `${start}1`, nameOfBank: `${start}2` }
    })
  }
  await visitor.post(`/campaigns/${id}/donations`, {
    ...donation,
    donorName: 'x',
    message: 'fine;=1+1,=2+2\t=3+3\n=4+4'
  })
  for (const language of ['en', 'de']) {
    const { text } = await treasurer.get(`/campaigns/${id}/donations.csv`, { 'accept-language': language })
    const separator = language === 'en' ? ',' : ';'
    const cells = parseRows(text.replace('\ufeff', ''), separator).flat()
    for (const start of starts) assert.ok(cells.includes(`'${start}cmd|'/c calc'!A1`))
    assert.equal(cells.filter(cell => /^[=+\-@\t\r]/.test(cell)).length, 0)
    for (const other of [',', ';', '\t']) {
      // A program that uses another separator finds no formula either.
      assert.doesNotMatch(text.replaceAll(/"(?:[^"]|"")*"/g, '""'), new RegExp(`(^|${other}|\n)[=+@-]`))
    }
  }
})

test('deleted donations are not in the file; cancelled, failed and refunded ones are', async () => {
  const { id } = await aCampaign()
  const path = `/campaigns/${id}/donations`
  const expected: string[][] = []
  for (const steps of [['CANCELLED'], ['FAILED'], ['TRANSFERRED', 'REFUNDED'], ['TRANSFERRED'], []]) {
    const { id: donationId } = await donate(id)
    for (const status of steps) await treasurer.patch(`${path}/${donationId}`, { status })
    const status = steps.at(-1) ?? 'IN_PROCESS'
    expected.unshift([status, '25.00', status === 'TRANSFERRED' ? '25.00' : '0.00'])
  }
  const deleted = await donate(id)
  await treasurer.delete(`${path}/${deleted.id}`)
  const { text } = await treasurer.get(`${path}.csv`)
  const rows = parseRows(text, ',').slice(1)
  assert.deepEqual(
    rows.map(row => [row[6], row[2], row[3]]),
    expected
  )
  assert.ok(!text.includes(deleted.id))
})

test('the file of a campaign without donations has only the header', async () => {
  const { id } = await aCampaign()
  assert.equal((await treasurer.get(`/campaigns/${id}/donations.csv`)).text, `${english}\r\n`)
})

test('the file contains only the donations of its campaign', async () => {
  const [one, other] = [await aCampaign(), await aCampaign()]
  const [ofCampaign, ofOtherCampaign] = [await donate(one.id), await donate(other.id)]
  const { text } = await treasurer.get(`/campaigns/${one.id}/donations.csv`)
  assert.ok(text.includes(ofCampaign.id))
  assert.ok(!text.includes(ofOtherCampaign.id))
})

test('the file has an ETag per language, and responds 304 until a donation is added or changed', async () => {
  const { id } = await aCampaign()
  const path = `/campaigns/${id}/donations`
  const seenEtags = new Set<string>()
  async function assertNewEtags(): Promise<void> {
    for (const language of ['en', 'de']) {
      const { headers } = await treasurer.get(`${path}.csv`, { 'accept-language': language })
      const tag = headers.etag ?? ''
      assert.match(tag, /^"[^"]+"$/)
      assert.ok(!seenEtags.has(tag))
      seenEtags.add(tag)
      const again = await treasurer.get(`${path}.csv`, { 'accept-language': language, 'if-none-match': tag })
      assert.equal(again.status, 304)
      assert.equal(again.text, '')
    }
  }
  await assertNewEtags()
  const donated = await donate(id)
  await assertNewEtags()
  await treasurer.patch(`${path}/${donated.id}`, { donorName: 'Ada King' })
  await assertNewEtags()
  await treasurer.patch(`${path}/${donated.id}`, { status: 'CANCELLED' })
  await assertNewEtags()
  await donate(id)
  await treasurer.delete(`${path}/${donated.id}`)
  await assertNewEtags()
})

test('a file of more than a thousand donations is complete, newest first, and streamed', async () => {
  const { id } = await aCampaign()
  const donationCount = 1234
  await store.run(sql`
    insert into fundraising.donations (
      campaign_id, id, amount_cents, donor_name, receipt_requested, show_name, status, reference, created_at, updated_at
    )
    select
      ${id}, ('019a0000-0000-7000-8000-' || lpad(to_hex(number), 12, '0'))::uuid, number, 'Donor ' || number, true, false,
      'TRANSFERRED', 'reference ' || number, now(), now()
    from generate_series(1, ${donationCount}) as number`)
  const { status, headers, text } = await treasurer.get(`/campaigns/${id}/donations.csv`)
  assert.equal(status, 200)
  assert.equal(headers['content-length'], undefined)
  const rows = parseRows(text, ',').slice(1)
  assert.deepEqual(
    rows.map(row => row[8]),
    Array.from({ length: donationCount }, (_, index) => `Donor ${donationCount - index}`)
  )
  assert.equal(rows[0]?.[2], '12.34')
})

for (const role of [undefined, 'viewer', 'contributor', 'author', 'editor'] as const) {
  test(`the file is refused for ${role ?? 'visitors'}`, async () => {
    const client = role === undefined ? visitor : await withRole(role)
    const { id } = await aCampaign()
    for (const path of [`/campaigns/${id}/donations.csv`, '/campaigns/999999999/donations.csv']) {
      assert.equal((await client.get(path)).status, role === undefined ? 401 : 403)
    }
  })
}

test('the file of an unknown campaign is 404 as problem+json', async () => {
  const { status, headers, body } = await treasurer.get('/campaigns/999999999/donations.csv')
  assert.equal(status, 404)
  assert.match(headers['content-type'] ?? '', /^application\/problem\+json/)
  assert.equal(body.code, 'campaign-not-found')
})
