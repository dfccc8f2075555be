import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Client, campaign, donation, startCampaigns } from '#test/support/services.ts'

const { admin, visitor, withRole, aCampaign, aDonation } = await startCampaigns()
const treasurer = await withRole('treasurer')
const editor = await withRole('editor')

const publicFields = ['id', 'campaignId', 'amount', 'amountReceived', 'donorName', 'status', 'message', 'createdAt']
const donorFields = [
  ...publicFields,
  'receiptRequested',
  'reference',
  'showName',
  'updatedAt',
  'receivedOn',
  'paymentMethod'
]
const allFields = [
  ...donorFields,
  'account',
  'email',
  'language',
  'address',
  'consent',
  'nextStatuses',
  'kind',
  'inKind',
  'review',
  'messageReview',
  'erasedAt'
]

const listKeys = (body: object) => Object.keys(body).sort()
const withPublicName = { ...donation, showName: true, message: 'Good luck!\nAda', email: 'ada@example.org' }
const uuidv7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('a visitor who donates gets 201 with Location and without account or email', async () => {
  const { id } = await aCampaign()
  const { status, headers, body } = await visitor.post(`/campaigns/${id}/donations`, donation)
  assert.equal(status, 201)
  assert.match(headers['content-type'] ?? '', /^application\/json/)
  assert.deepEqual(listKeys(body), [...donorFields, 'donorToken'].sort())
  const { id: donationId, reference, donorToken, createdAt, updatedAt, ...rest } = body
  assert.match(donationId, uuidv7)
  assert.match(donorToken, /^[0-9A-Za-z]{22}$/)
  assert.match(reference, /^[A-Z0-9]{2,}-[A-Z0-9]{4}-[A-Z0-9]{4}$/)
  assert.equal(updatedAt, createdAt)
  assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000)
  assert.deepEqual(rest, {
    campaignId: id,
    amount: 25,
    amountReceived: 0,
    receivedOn: null,
    donorName: 'Ada Lovelace',
    receiptRequested: true,
    status: 'IN_PROCESS',
    showName: false,
    paymentMethod: 'transfer',
    message: null
  })
  const location = new URL(headers.location ?? '').pathname
  assert.equal(location, `/campaigns/${id}/donations/${donationId}`)
  assert.equal((await visitor.get(location)).status, 200)
})

test('callers of every role can donate, and only treasurers and admins get the account back', async () => {
  const { id } = await aCampaign()
  for (const role of ['viewer', 'contributor', 'author', 'editor'] as const) {
    const { status, body } = await (await withRole(role)).post(`/campaigns/${id}/donations`, withPublicName)
    assert.equal(status, 201)
    assert.deepEqual(listKeys(body), [...donorFields, 'donorToken'].sort())
  }
  for (const client of [treasurer, admin]) {
    const { body } = await client.post(`/campaigns/${id}/donations`, withPublicName)
    assert.deepEqual(listKeys(body), [...allFields, 'donorToken'].sort())
    assert.deepEqual(body.account, { ...donation.account, ibanValid: true })
    assert.equal(body.email, 'ada@example.org')
  }
})

test('fields that a donor leaves out get their defaults', async () => {
  const { id } = await aCampaign()
  const created = await visitor.post(`/campaigns/${id}/donations`, {
    amount: 5,
    donorName: '  Grace Hopper ',
    account: { iban: donation.account.iban }
  })
  assert.equal(created.status, 201)
  const { body } = await treasurer.get(`/campaigns/${id}/donations/${created.body.id}`)
  assert.deepEqual(
    [body.receiptRequested, body.status, body.showName, body.message, body.email, body.donorName],
    [false, 'IN_PROCESS', false, null, null, 'Grace Hopper']
  )
  assert.deepEqual(body.account, {
    iban: donation.account.iban,
    name: 'Grace Hopper',
    nameOfBank: 'Deutsche Kreditbank Berlin',
    ibanValid: true
  })
})

test('unknown and read-only fields of a donation are ignored', async () => {
  const { id } = await aCampaign()
  const { status, body } = await visitor.post(`/campaigns/${id}/donations`, {
    ...donation,
    id: '00000000-0000-7000-8000-000000000000',
    campaignId: 999_999,
    reference: 'AC-7KXM-3PFT',
    createdAt: '2000-01-01T00:00:00Z',
    amountReceived: 0,
    receivedOn: null,
    colour: 'green'
  })
  assert.equal(status, 201)
  assert.deepEqual([body.status, body.amountReceived, body.receivedOn], ['IN_PROCESS', 0, null])
  assert.equal(body.campaignId, id)
  assert.notEqual(body.id, '00000000-0000-7000-8000-000000000000')
  assert.notEqual(body.reference, 'AC-7KXM-3PFT')
  assert.ok(body.createdAt > '2020')
  assert.equal(body.colour, undefined)
})

test('the public list has amount, time and message, and the name only with showName', async () => {
  const { id } = await aCampaign()
  const hidden = await aDonation(id, { ...withPublicName, showName: false, message: 'Quietly' })
  const shown = await aDonation(id, withPublicName)
  for (const client of [visitor, editor]) {
    const { status, body } = await client.get(`/campaigns/${id}/donations`)
    assert.equal(status, 200)
    const common = { campaignId: id, amount: 25, amountReceived: 0, status: 'IN_PROCESS' }
    assert.deepEqual(body, [
      { ...common, id: shown.id, donorName: 'Ada Lovelace', message: 'Good luck!\nAda', createdAt: shown.createdAt },
      { ...common, id: hidden.id, donorName: null, message: 'Quietly', createdAt: hidden.createdAt }
    ])
    for (const expected of body) {
      const one = await client.get(`/campaigns/${id}/donations/${expected.id}`)
      assert.equal(one.status, 200)
      assert.deepEqual(one.body, expected)
    }
  }
})

test('a treasurer gets all fields in the list, and a single donation with its history and payments', async () => {
  const { id } = await aCampaign()
  const created = await visitor.post(`/campaigns/${id}/donations`, withPublicName)
  for (const client of [treasurer, admin]) {
    const list = await client.get(`/campaigns/${id}/donations`)
    assert.deepEqual(listKeys(list.body[0]), allFields.toSorted())
    const { body } = await client.get(`/campaigns/${id}/donations/${created.body.id}`)
    assert.deepEqual(listKeys(body), [...allFields, 'history', 'notes', 'receipts', 'payments', 'news'].sort())
    const { history, notes, receipts, payments, news, ...rest } = body
    const { donorToken, ...donated } = created.body
    assert.deepEqual([receipts, payments, news], [[], [], null])
    assert.deepEqual(rest, list.body[0])
    assert.deepEqual(rest, {
      ...donated,
      account: { ...donation.account, ibanValid: true },
      email: 'ada@example.org',
      language: 'en',
      address: null,
      kind: 'money',
      inKind: null,
      consent: null,
      nextStatuses: ['TRANSFERRED', 'CANCELLED', 'FAILED'],
      review: null,
      messageReview: 'waiting',
      erasedAt: null
    })
    assert.deepEqual(history, [{ status: 'IN_PROCESS', at: created.body.createdAt, actor: 'visitor' }])
  }
})

test('the ETags of donations differ between visitors and treasurers, and each responds 304', async () => {
  const { id } = await aCampaign()
  const { id: donationId } = await aDonation(id)
  const paths = [`/campaigns/${id}/donations`, `/campaigns/${id}/donations/${donationId}`]
  for (const path of paths) {
    const [all, some] = [await treasurer.get(path), await visitor.get(path)]
    assert.notEqual(all.headers.etag, some.headers.etag)
    assert.equal((await treasurer.get(path, { 'if-none-match': all.headers.etag ?? '' })).status, 304)
    assert.equal((await visitor.get(path, { 'if-none-match': some.headers.etag ?? '' })).status, 304)
    assert.equal((await treasurer.get(path, { 'if-none-match': some.headers.etag ?? '' })).status, 200)
  }
})

test('a donation under another campaign, and an unknown or malformed id, is 404', async () => {
  const [one, other] = [await aCampaign(), await aCampaign()]
  const { id } = await aDonation(one.id)
  const wrong = [`/campaigns/${other.id}/donations/${id}`]
  for (const bad of ['1', 'abc', '%00', '00000000-0000-0000-0000-000000000000', `${id}x`, id.replace(/.$/, 'g')]) {
    wrong.push(`/campaigns/${one.id}/donations/${bad}`)
  }
  for (const path of wrong) {
    for (const response of [
      await visitor.get(path),
      await treasurer.get(path),
      await treasurer.patch(path, { status: 'TRANSFERRED' }),
      await treasurer.delete(path)
    ]) {
      assert.equal(response.status, 404, path)
      assert.equal(response.body.code, 'donation-not-found')
    }
  }
  assert.equal((await visitor.get(`/campaigns/${one.id}/donations/${id.toUpperCase()}`)).status, 200)
})

test('visitors see only donations that count; treasurers also cancelled and failed ones', async () => {
  const { id } = await aCampaign()
  const paths: string[] = []
  for (const status of ['CANCELLED', 'FAILED']) {
    const path = `/campaigns/${id}/donations/${(await aDonation(id)).id}`
    await treasurer.patch(path, { status })
    paths.push(path)
  }
  const counted = await aDonation(id)
  const lists = [await visitor.get(`/campaigns/${id}/donations`), await treasurer.get(`/campaigns/${id}/donations`)]
  assert.deepEqual(
    lists.map(({ body, headers }) => [body.length, headers['x-total-count']]),
    [
      [1, '1'],
      [3, '3']
    ]
  )
  assert.equal(lists[0]?.body[0].id, counted.id)
  for (const path of paths) {
    assert.equal((await visitor.get(path)).status, 404)
    assert.equal((await treasurer.get(path)).status, 200)
  }
})

async function readAllPages(client: Client, from: string, rel = 'next'): Promise<string[][]> {
  const pages: string[][] = []
  for (let path: string | undefined = from; path !== undefined; ) {
    const { headers, body } = await client.get(path)
    pages.push(body.map((one: { id: string }) => one.id))
    const next: string | undefined = new RegExp(`<([^>]+)>; rel="${rel}"`).exec(headers.link ?? '')?.[1]
    path = next?.replace(/^https?:\/\/[^/]+/, '')
  }
  return pages
}

test('the links to previous pages of donations lead back to the first page', async () => {
  const { id } = await aCampaign()
  for (let count = 0; count < 5; count += 1) await aDonation(id)
  for (const client of [visitor, treasurer]) {
    const pages = await readAllPages(client, `/campaigns/${id}/donations?limit=2`)
    let last = `/campaigns/${id}/donations?limit=2`
    for (const page of pages.slice(0, -1)) last = `${last.split('&')[0]}&cursor=${toCursor(page.at(-1))}`
    assert.deepEqual(await readAllPages(client, last, 'prev'), pages.toReversed())
  }
})

const toCursor = (id: string | undefined) => Buffer.from(String(id)).toString('base64url')

test('donations are listed newest first, 50 per page, with Link and X-Total-Count', async () => {
  const { id } = await aCampaign()
  const newestFirst: string[] = []
  for (let count = 0; count < 53; count += 1) newestFirst.unshift((await aDonation(id)).id)
  for (const client of [visitor, treasurer]) {
    const first = await client.get(`/campaigns/${id}/donations`)
    assert.equal(first.body.length, 50)
    assert.equal(first.headers['x-total-count'], '53')
    assert.match(first.headers.link ?? '', new RegExp(`^<http://[^>]+/campaigns/${id}/donations\\?[^>]+>; rel="next"`))
    for (const [limit, sizes] of [
      [50, [50, 3]],
      [53, [53]],
      [200, [53]],
      [20, [20, 20, 13]]
    ] as const) {
      const pages = await readAllPages(client, `/campaigns/${id}/donations?limit=${limit}`)
      assert.deepEqual(
        pages.map(page => page.length),
        sizes
      )
      assert.deepEqual(pages.flat(), newestFirst)
    }
  }
})

for (const query of ['limit=0', 'limit=201', 'limit=x', 'cursor=x', 'cursor=MTIz']) {
  test(`the query ?${query} of donations is refused`, async () => {
    const { id } = await aCampaign()
    const { status, body } = await visitor.get(`/campaigns/${id}/donations?${query}`)
    assert.equal(status, 400)
    assert.equal(body.errors[0].pointer, `/${query.split('=')[0]}`)
  })
}

test('a campaign without donations has an empty list', async () => {
  const { id } = await aCampaign()
  const { status, headers, text } = await visitor.get(`/campaigns/${id}/donations`)
  assert.equal(status, 200)
  assert.equal(text, '[]')
  assert.equal(headers['x-total-count'], '0')
  assert.doesNotMatch(headers.link ?? '', /rel="(?:next|prev)"/)
})

test('only treasurers can change, delete and export donations', async () => {
  const { id } = await aCampaign()
  const { id: donationId } = await aDonation(id)
  const path = `/campaigns/${id}/donations/${donationId}`
  for (const [client, status] of [
    [visitor, 401],
    [await withRole('viewer'), 403],
    [await withRole('author'), 403],
    [editor, 403]
  ] as const) {
    assert.equal((await client.patch(path, { status: 'TRANSFERRED' })).status, status)
    assert.equal((await client.patch(path, { status: 'nonsense' })).status, status)
    assert.equal((await client.delete(path)).status, status)
    assert.equal((await client.get(`/campaigns/${id}/donations.csv`)).status, status)
  }
  assert.equal((await treasurer.get(path)).body.status, 'IN_PROCESS')
  assert.equal((await treasurer.put(path, { ...campaign })).status, 405)
})
