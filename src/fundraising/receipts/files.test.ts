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

const issued = async (fields: object, kind: 'single' | 'collective' = 'single') => {
  const { id } = await aDonation(campaignId, { ...donor, status: 'TRANSFERRED', ...fields })
  const asked = kind === 'single' ? { donation: { campaignId, id } } : { donor: { donationId: id, year } }
  const { status, body, text } = await admin.post('/receipts', { kind, ...asked })
  assert.equal(status, 201, text)
  return body
}
const file = async (path: string) => await downloadFile(server, path, adminKey)

test('a year without receipts is none to print', async () => {
  for (const kind of ['pdf', 'zip']) {
    const { status, bytes } = await file(`/receipts.${kind}?year=${year}`)
    assert.deepEqual([status, JSON.parse(bytes.toString()).code], [404, 'no-receipts-to-print'])
    assert.equal((await file(`/receipts.${kind}`)).status, 400)
    assert.equal((await (await withRole('editor')).get(`/receipts.${kind}?year=${year}`)).status, 403)
  }
})

test('all receipts of a year are one file for the printer, page by page as they were issued', {
  skip: skipUnlessFull
}, async () => {
  const expected: string[] = []
  const numbers: string[] = []
  // More than are read at once.
  for (let index = 0; index < 22; index += 1) {
    const receipt = await issued({ donorName: `Printed Person ${index}`, email: `p${index}@example.org` })
    numbers.push(receipt.number)
    expected.push(...(await readPdfPages((await file(`/receipts/${receipt.id}.pdf`)).bytes)))
  }
  const collective = await issued({ donorName: 'Annexed', email: 'a@example.org' }, 'collective')
  numbers.push(collective.number)
  expected.push(...(await readPdfPages((await file(`/receipts/${collective.id}.pdf`)).bytes)))
  const withdrawn = await issued({ donorName: 'Withdrawn', email: 'w@example.org' })
  await admin.post(`/receipts/${withdrawn.id}/withdraw`, { reason: 'Mistake' })

  const { status, bytes, headers } = await file(`/receipts.pdf?year=${year}`)
  assert.equal(status, 200)
  assert.deepEqual(
    [headers['content-type'], headers['content-disposition'], headers['cache-control']],
    ['application/pdf', `attachment; filename="receipts-${year}.pdf"`, 'private, no-store']
  )
  assert.deepEqual(await readPdfPages(bytes), expected)
  assert.equal((await file(`/receipts.pdf?year=${year}&sent=true`)).status, 404)
  assert.equal(
    (await readPdfPages((await file(`/receipts.pdf?year=${year}&sent=false`)).bytes)).length,
    expected.length
  )

  const zip = await file(`/receipts.zip?year=${year}`)
  assert.equal(zip.headers['content-type'], 'application/zip')
  // The entries of the directory, behind all files.
  const names = zip.bytes
    .toString('latin1')
    .split('PK\x01\x02')
    .slice(1)
    .map(entry => /^.{42}([\w-]+\.pdf)/s.exec(entry)?.[1])
  assert.deepEqual(
    names,
    numbers.map(number => `${number}.pdf`)
  )
  assert.ok(zip.bytes.includes((await file(`/receipts/${collective.id}.pdf`)).bytes), 'each as it was issued')
})

test('a file is stored compressed and sent as it was issued, and one of an earlier version is sent as it is stored', async () => {
  const { id, sha256 } = await issued({ donorName: 'Stored Person', email: 'stored@example.org' })
  const { bytes } = await file(`/receipts/${id}.pdf`)
  assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256)
  const { size } = await store.one<{ size: number }>(sql`
    select octet_length(file) as size from fundraising.receipts where id = ${id}`)
  assert.ok(size < 0.8 * bytes.length, `${size} of ${bytes.length} bytes`)
  await store.run(sql`update fundraising.receipts set file = ${bytes} where id = ${id}`)
  assert.ok((await file(`/receipts/${id}.pdf`)).bytes.equals(bytes))
  assert.equal((await file(`/receipts.zip?year=${year}`)).status, 200)
})
