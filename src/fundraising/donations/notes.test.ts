import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCampaigns } from '#test/support/services.ts'

const { admin, visitor, withRole, aCampaign, aDonation } = await startCampaigns()
const treasurer = await withRole('treasurer')

async function createDonationPath() {
  const { id } = await aCampaign()
  return `/campaigns/${id}/donations/${(await aDonation(id)).id}`
}

test('treasurers add notes to a donation and read them with it, oldest first', async () => {
  const path = await createDonationPath()
  assert.deepEqual((await treasurer.get(path)).body.notes, [])
  const before = (await treasurer.get(path)).headers.etag
  const first = await treasurer.post(`${path}/notes`, { text: ' Has called.\nTwice. ' }, { 'idempotency-key': 'one' })
  assert.equal(first.status, 201)
  assert.deepEqual(Object.keys(first.body), ['id', 'text', 'at', 'actor'])
  assert.equal(first.body.text, 'Has called.\nTwice.')
  assert.match(first.body.actor, /^key \d+ \(the tests' treasurer\)$/)
  const again = await treasurer.post(`${path}/notes`, { text: ' Has called.\nTwice. ' }, { 'idempotency-key': 'one' })
  assert.deepEqual([again.headers['idempotent-replayed'], again.body], ['true', first.body])
  const second = await admin.post(`${path}/notes`, { text: 'Wants a receipt' })
  const { body, headers } = await treasurer.get(path)
  assert.deepEqual(body.notes, [first.body, second.body])
  assert.deepEqual((await treasurer.get(`${path}/notes`)).body, body.notes)
  assert.notEqual(headers.etag, before)
})

test('a note does not make the If-Match of another user stale', async () => {
  const path = await createDonationPath()
  const etag = (await treasurer.get(path)).headers.etag ?? ''
  await admin.post(`${path}/notes`, { text: 'Meanwhile' })
  assert.equal((await treasurer.patch(path, { showName: true }, { 'if-match': etag })).status, 200)
})

test('a note is deleted once and only through its own donation, and the activity log does not contain its text', async () => {
  const [path, otherPath] = [await createDonationPath(), await createDonationPath()]
  const { id } = (await treasurer.post(`${path}/notes`, { text: 'Verschwiegenes' })).body
  const other = (await treasurer.post(`${path}/notes`, { text: 'Verschwiegenes' })).body
  assert.equal((await treasurer.delete(`${otherPath}/notes/${id}`)).body.code, 'note-not-found')
  assert.equal((await treasurer.delete(`${path}/notes/${id}`, { 'if-match': '"7"' })).status, 412)
  assert.equal((await treasurer.delete(`${path}/notes/${id}`)).status, 204)
  assert.equal((await treasurer.delete(`${path}/notes/${id}`)).status, 404)
  assert.deepEqual((await treasurer.get(path)).body.notes, [other])
  const { body, text } = await admin.get(`/activity?subject=donation&subjectId=${path.split('/').at(-1)}`)
  assert.deepEqual(
    body.map(({ action }: { action: string }) => action),
    ['donation.note_removed', 'donation.noted', 'donation.noted', 'donation.created']
  )
  assert.equal(body[0].details.noteId, id)
  assert.doesNotMatch(text, /Verschwiegenes/)
})

for (const [body, code] of [
  [{ text: '' }, 'empty'],
  [{ text: ' \n ' }, 'empty'],
  [{}, 'required'],
  [{ text: 'x'.repeat(2001) }, 'too-long'],
  [{ text: 7 }, 'type']
] as const) {
  test(`a note of ${JSON.stringify(body).slice(0, 30)} is refused`, async () => {
    const path = await createDonationPath()
    const response = await treasurer.post(`${path}/notes`, body)
    assert.deepEqual(
      [response.status, response.body.errors[0].pointer, response.body.errors[0].code],
      [400, '/text', code]
    )
    assert.deepEqual((await treasurer.get(`${path}/notes`)).body, [])
  })
}

test('only treasurers read and write notes, and only of donations that exist', async () => {
  const path = await createDonationPath()
  const { id } = (await treasurer.post(`${path}/notes`, { text: 'Verschwiegenes' })).body
  for (const [client, status] of [
    [visitor, 401],
    [await withRole('editor'), 403]
  ] as const) {
    assert.equal((await client.get(`${path}/notes`)).status, status)
    assert.equal((await client.post(`${path}/notes`, { text: 'x' })).status, status)
    assert.equal((await client.delete(`${path}/notes/${id}`)).status, status)
    assert.doesNotMatch((await client.get(path)).text, /Verschwiegenes|notes/)
  }
  await treasurer.delete(path)
  for (const response of [await treasurer.get(`${path}/notes`), await treasurer.post(`${path}/notes`, { text: 'x' })]) {
    assert.deepEqual([response.status, response.body.code], [404, 'donation-not-found'])
  }
})
