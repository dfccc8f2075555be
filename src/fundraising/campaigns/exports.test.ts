import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { campaign, donation, startCampaigns, type TestResponse } from '#test/support/services.ts'

const { admin, visitor, withRole, aCampaign, aDonation } = await startCampaigns()
const [editor, treasurer] = [await withRole('editor'), await withRole('treasurer')]
const roof = await aCampaign({ name: '+roof', description: 'two\nlines' })
const draft = await aCampaign({ status: 'draft' })
const deleted = await aCampaign()
await admin.delete(`/campaigns/${deleted.id}`)
const smallDonation = await aDonation(roof.id, { amount: 12.5 })
const parseLines = ({ text }: TestResponse) =>
  text
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line))

test('campaigns are exported as JSON Lines and as CSV, drafts only for callers who can see them', async () => {
  const lines = await visitor.get('/campaigns.jsonl')
  assert.equal(lines.headers['content-type'], 'application/jsonl; charset=utf-8')
  assert.deepEqual(parseLines(lines), (await visitor.get('/campaigns')).body)
  assert.deepEqual(
    parseLines(await editor.get('/campaigns.jsonl')).map(({ id }) => id),
    [roof.id, draft.id]
  )

  const table = await visitor.get('/campaigns.csv')
  assert.match(String(table.headers['content-disposition']), /filename="campaigns\.csv"/)
  const rows: Record<string, string>[] = parse(table.text, { columns: true })
  assert.equal(rows.length, 1)
  const { id, name, amountDonatedSoFar, iban, description } = rows[0] ?? {}
  assert.deepEqual(
    [id, name, amountDonatedSoFar, iban, description],
    [String(roof.id), "'+roof", '12.50', campaign.account.iban, 'two\nlines']
  )
  const german = await visitor.get('/campaigns.csv', { 'accept-language': 'de' })
  assert.match(german.text, /^\ufeffNummer;Name;.*\r\n1;'\+roof;open;EUR;8000,00;12,50;/)
})

test('an export responds 304 until a donation changes it', async () => {
  for (const path of ['/campaigns.csv', '/campaigns.jsonl']) {
    const { headers } = await visitor.get(path)
    assert.equal((await visitor.get(path, { 'if-none-match': String(headers.etag) })).status, 304, path)
    await aDonation(roof.id)
    assert.equal((await visitor.get(path, { 'if-none-match': String(headers.etag) })).status, 200, path)
  }
})

test('treasurers export donations as JSON Lines with the filters of the list, and the export is recorded with its actor', async () => {
  assert.equal((await visitor.get('/donations.jsonl')).status, 401)
  assert.equal((await editor.get('/donations.jsonl')).status, 403)
  const lines = parseLines(await treasurer.get('/donations.jsonl'))
  assert.deepEqual(lines, (await treasurer.get('/donations')).body)
  const first = lines.find(({ id }) => id === smallDonation.id)
  assert.equal(first.account.iban, donation.account.iban)
  assert.equal(parseLines(await treasurer.get('/donations.jsonl?maxAmount=12.5')).length, 1)
  assert.equal((await treasurer.get('/donations.jsonl?status=NONE')).status, 400)
  const [record] = (await admin.get('/activity?action=donation.exported&limit=1')).body
  assert.equal(record.details.count, 1)
  assert.match(record.actor, /treasurer/)
})
