import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { donor, downloadFile, organisation, readPdfPages } from '#test/support/fundraising/receipts.ts'
import { adminKey, startCampaigns } from '#test/support/services.ts'

const { admin, aCampaign, aDonation, server, store, withRole } = await startCampaigns()
const year = new Date().getFullYear()
const { id: campaignId } = await aCampaign()
await admin.patch('/organisation', organisation)

const issue = async (fields: object, kind: 'single' | 'collective' = 'single') => {
  const { id } = await aDonation(campaignId, { ...donor, status: 'TRANSFERRED', ...fields })
  const subject = kind === 'single' ? { donation: { campaignId, id } } : { donor: { donationId: id, year } }
  const { status, body, text } = await admin.post('/receipts', { kind, ...subject })
  assert.equal(status, 201, text)
  return body
}
const download = async (path: string) => await downloadFile(server, path, adminKey)

test('printing a year without receipts is 404', async () => {
  for (const kind of ['pdf', 'zip']) {
    const { status, bytes } = await download(`/receipts.${kind}?year=${year}`)
    assert.deepEqual([status, JSON.parse(bytes.toString()).code], [404, 'no-receipts-to-print'])
    assert.equal((await download(`/receipts.${kind}`)).status, 400)
    assert.equal((await (await withRole('editor')).get(`/receipts.${kind}?year=${year}`)).status, 403)
  }
})

test('all receipts of a year are printed in one PDF file in the order of issue, and exported as ZIP file', {
  skip: skipUnlessFull
}, async () => {
  const expected: string[] = []
  const numbers: string[] = []
  // More receipts than one batch.
  for (let index = 0; index < 22; index += 1) {
    const receipt = await issue({ donorName: `Printed Person ${index}`, email: `p${index}@example.org` })
    numbers.push(receipt.number)
    expected.push(...(await readPdfPages((await download(`/receipts/${receipt.id}.pdf`)).bytes)))
  }
  const collective = await issue({ donorName: 'Annexed', email: 'a@example.org' }, 'collective')
  numbers.push(collective.number)
  expected.push(...(await readPdfPages((await download(`/receipts/${collective.id}.pdf`)).bytes)))
  const withdrawn = await issue({ donorName: 'Withdrawn', email: 'w@example.org' })
  await admin.post(`/receipts/${withdrawn.id}/withdraw`, { reason: 'Mistake' })

  const { status, bytes, headers } = await download(`/receipts.pdf?year=${year}`)
  assert.equal(status, 200)
  assert.deepEqual(
    [headers['content-type'], headers['content-disposition'], headers['cache-control']],
    ['application/pdf', `attachment; filename="receipts-${year}.pdf"`, 'private, no-store']
  )
  assert.deepEqual(await readPdfPages(bytes), expected)
  assert.equal((await download(`/receipts.pdf?year=${year}&sent=true`)).status, 404)
  assert.equal(
    (await readPdfPages((await download(`/receipts.pdf?year=${year}&sent=false`)).bytes)).length,
    expected.length
  )

  const zip = await download(`/receipts.zip?year=${year}`)
  assert.equal(zip.headers['content-type'], 'application/zip')
  // The entries of the central directory, after all files.
  const names = zip.bytes
    .toString('latin1')
    .split('PK\x01\x02')
    .slice(1)
    .map(entry => /^.{42}([\w-]+\.pdf)/s.exec(entry)?.[1])
  assert.deepEqual(
    names,
    numbers.map(number => `${number}.pdf`)
  )
  assert.ok(
    zip.bytes.includes((await download(`/receipts/${collective.id}.pdf`)).bytes),
    'the ZIP file contains the issued file'
  )
})

test('a receipt file is stored compressed and sent as it was issued; an uncompressed file of an earlier version is sent too', async () => {
  const { id, sha256 } = await issue({ donorName: 'Stored Person', email: 'stored@example.org' })
  const { bytes } = await download(`/receipts/${id}.pdf`)
  assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256)
  const { size } = await store.one<{ size: number }>(sql`
    select octet_length(file) as size from fundraising.receipts where id = ${id}`)
  assert.ok(size < 0.8 * bytes.length, `${size} of ${bytes.length} bytes`)
  await store.run(sql`update fundraising.receipts set file = ${bytes} where id = ${id}`)
  assert.ok((await download(`/receipts/${id}.pdf`)).bytes.equals(bytes))
  assert.equal((await download(`/receipts.zip?year=${year}`)).status, 200)
})
