import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { startCampaigns } from '#test/support/services.ts'

const { admin, withRole, aCampaign, aDonation, store } = await startCampaigns()
const treasurer = await withRole('treasurer')

const splitLines = (text: string) => text.trimEnd().split('\r\n')

test('the CSV file of all donations has the columns of the file of a campaign and the campaign, newest first', async () => {
  const [roof, cats] = [await aCampaign({ name: 'Roof; and =more' }), await aCampaign({ name: '=Cats()' })]
  const first = await aDonation(roof.id, { donorName: '=HYPERLINK("x")', amount: 12.5, message: 'a;b' })
  const second = await aDonation(cats.id)
  const { status, headers, text } = await treasurer.get('/donations.csv')
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'text/csv; charset=utf-8')
  assert.equal(headers['cache-control'], 'no-store')
  assert.match(headers['content-disposition'] ?? '', /^attachment; filename="donations\.csv"$/)
  const [header, ...rows] = splitLines(text)
  const ofCampaign = splitLines((await treasurer.get(`/campaigns/${roof.id}/donations.csv`)).text)
  assert.equal(header, `${ofCampaign[0]},campaign`)
  assert.deepEqual(
    rows.map(row => row.slice(0, 36)),
    [second.id, first.id]
  )
  assert.equal(rows[1], `${ofCampaign[1]},"Roof; and =more"`)
  assert.ok(rows[0]?.endsWith(",'=Cats()"))
  assert.match(text, /"'=HYPERLINK/)

  const german = await treasurer.get(`/donations.csv?campaignId=${roof.id}`, { 'accept-language': 'de' })
  assert.equal(german.headers['content-language'], 'de')
  const [germanHeader = '', ...germanRows] = splitLines(german.text)
  assert.match(germanHeader, /^\ufeffKennung;.*;Spendenaktion$/)
  assert.equal(germanRows.length, 1)
  assert.match(germanRows[0] ?? '', /;12,50;0,00;;EUR;/)
})

test('a CSV file with more rows than one fetch contains each donation once, in order, also with equal times', async () => {
  const { id } = await aCampaign()
  await store.run(sql`
    insert into fundraising.donations (
      campaign_id, id, amount_cents, donor_name, receipt_requested, show_name, status, reference, created_at, updated_at
    )
    select ${id}, gen_random_uuid(), 100, 'Ada', false, false, 'IN_PROCESS', n::text,
      '2026-01-01T00:00:00.123Z'::timestamptz + n / 300 * interval '300 microseconds', now()
    from generate_series(1, 1203) as n`)
  const rows = splitLines((await treasurer.get(`/donations.csv?campaignId=${id}`)).text).slice(1)
  assert.equal(rows.length, 1203)
  assert.equal(new Set(rows).size, 1203)
  const ordered = await store.all<{ id: string }>(sql`
    select id from fundraising.donations where campaign_id = ${id} order by created_at desc, id desc`)
  assert.deepEqual(
    rows.map(row => row.slice(0, 36)),
    ordered.map(row => row.id)
  )
})

test('every export is recorded with its filter and row count, but without the search words', async () => {
  const { id } = await aCampaign()
  await aDonation(id, { donorName: 'Hedwig Verborgen' })
  const query = `campaignId=${id}&search=hedwig&status=IN_PROCESS&from=2026-01-01&minAmount=1&receiptRequested=true&evil=Verborgen`
  const { headers } = await treasurer.get(`/donations.csv?${query}`)
  const readExports = async () => (await admin.get('/activity?action=donation.exported')).body
  const [latest, ...others] = await readExports()
  assert.deepEqual(latest.details, {
    count: 1,
    filter: {
      campaignId: id,
      status: 'IN_PROCESS',
      from: '2026-01-01',
      receiptRequested: 'true',
      searched: true,
      minAmount: 1
    }
  })
  assert.match(latest.actor, /treasurer/)
  const again = await treasurer.get(`/donations.csv?${query}`, { 'if-none-match': headers.etag ?? '' })
  assert.equal(again.status, 304)
  assert.equal((await readExports()).length, others.length + 1)
})

test('the ETag of the CSV file changes with its donations and with the name of the campaign', async () => {
  const { id } = await aCampaign()
  const one = await aDonation(id)
  const readEtag = async () => (await treasurer.get(`/donations.csv?campaignId=${id}`)).headers.etag
  const etags = [await readEtag()]
  await treasurer.patch(`/campaigns/${id}/donations/${one.id}`, { status: 'TRANSFERRED' })
  etags.push(await readEtag())
  await aDonation(id)
  etags.push(await readEtag())
  const { body } = await admin.get(`/campaigns/${id}`)
  await admin.put(`/campaigns/${id}`, { ...body, name: 'Another name' })
  etags.push(await readEtag())
  assert.equal(new Set(etags).size, 4)
})
