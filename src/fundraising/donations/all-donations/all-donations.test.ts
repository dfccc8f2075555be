import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import type { Log } from '#platform/log.ts'
import { donation, startCampaigns } from '#test/support/services.ts'
import { linkDonors } from '../../donors/linking/link-donors.ts'

const lines: string[] = []
const write = (...parts: unknown[]) => {
  lines.push(JSON.stringify(parts))
}
const log: Log = { debug: write, info: write, warn: write, error: write }
const { admin, visitor, withRole, aCampaign, aDonation, store, settings } = await startCampaigns({
  log,
  env: { TIMEZONE: 'Europe/Berlin' }
})
const treasurer = await withRole('treasurer')

interface Entry {
  id: string
  campaignId: number
  campaignName: string
  amount: number
  donorName: string
  createdAt: string
  status: string
  reference: string
  nextStatuses: string[]
  campaignDeleted: boolean
}

const [roof, cats] = [await aCampaign({ name: 'Roof' }), await aCampaign({ name: 'Cats' })]

/** Creates six donations with different times and statuses, the oldest first. */
async function createDonations() {
  const donations: Entry[] = []
  const rows: [of: number, at: string, status: string, fields: object][] = [
    [roof.id, '2026-01-31T22:59:59Z', 'IN_PROCESS', { amount: 10, donorName: 'Jürgen Weiß', receiptRequested: false }],
    [cats.id, '2026-01-31T23:00:00Z', 'TRANSFERRED', { amount: 20.5, donorName: 'ANNEGRET Vogt' }],
    [roof.id, '2026-02-01T12:00:00Z', 'CANCELLED', { amount: 30, donorName: 'René 100%_x' }],
    [cats.id, '2026-02-01T22:59:59.999Z', 'FAILED', { amount: 40, donorName: 'Zoë', email: 'zoe@Example.org' }],
    [roof.id, '2026-02-01T23:00:00Z', 'REFUNDED', { amount: 50, donorName: 'annegret Böhm', receiptRequested: false }],
    [cats.id, '2026-03-29T12:00:00Z', 'IN_PROCESS', { amount: 60, donorName: 'Bernd' }]
  ]
  for (const [of, at, status, fields] of rows) {
    const one = await aDonation(of, { ...fields })
    const path = `/campaigns/${of}/donations/${one.id}`
    if (status === 'REFUNDED') await treasurer.patch(path, { status: 'TRANSFERRED', receivedOn: '2026-01-31' })
    const day = ['TRANSFERRED', 'REFUNDED'].includes(status) ? { receivedOn: '2026-02-02' } : {}
    if (status !== 'IN_PROCESS') assert.equal((await treasurer.patch(path, { status, ...day })).status, 200)
    await store.run(sql`update fundraising.donations set created_at = ${at} where id = ${one.id}`)
    donations.push(one)
  }
  return donations
}
const donations = await createDonations()

/** The listed donations, as indexes of `donations`. */
async function listIndexes(query: string): Promise<number[]> {
  const { status, body, headers, text } = await treasurer.get(`/donations?${query}`)
  assert.equal(status, 200, text)
  if (!/page|limit/.test(query)) assert.equal(headers['x-total-count'], String(body.length), query)
  return body.map((entry: Entry) => donations.findIndex(({ id }) => id === entry.id))
}

test('treasurers list the donations of all campaigns, newest first, with all fields and the name of the campaign', async () => {
  assert.deepEqual(await listIndexes(''), [5, 4, 3, 2, 1, 0])
  for (const client of [treasurer, admin]) {
    const { body } = await client.get('/donations')
    const [{ campaignName, currency, campaignDeleted, ...rest }] = body
    assert.deepEqual([campaignName, currency, campaignDeleted], ['Cats', 'EUR', false])
    const one = (await client.get(`/campaigns/${cats.id}/donations/${rest.id}`)).body
    const { history, notes, receipts, payments, news, ...listFields } = one
    assert.deepEqual(rest, listFields)
    assert.equal(rest.account.iban, donation.account.iban)
  }
})

const found: [query: string, indexes: number[]][] = [
  [`campaignId=${roof.id}`, [4, 2, 0]],
  ['campaignId=4000000000', []],
  ['status=IN_PROCESS', [5, 0]],
  ['status=REFUNDED, FAILED,REFUNDED', [4, 3]],
  ['from=2026-02-01', [5, 4, 3, 2, 1]],
  ['to=2026-01-31', [0]],
  ['from=2026-02-01&to=2026-02-01', [3, 2, 1]],
  ['from=2026-02-02&to=2026-02-01', []],
  ['from=2026-02-01T12:00:00Z&to=2026-02-01T23:00:00Z', [3, 2]],
  ['from=2026-02-01T13:00:00%2B01:00', [5, 4, 3, 2]],
  ['receiptRequested=false', [4, 0]],
  ['receiptRequested=true', [5, 3, 2, 1]],
  ['minAmount=30', [5, 4, 3, 2]],
  ['minAmount=20.50&maxAmount=40', [3, 2, 1]],
  ['maxAmount=0', []],
  ['search=annegret', [4, 1]],
  ['search=BOHM', [4]],
  ['search=b%C3%B6hm', [4]],
  ['search=weiss', [0]],
  ['search=Wei%C3%9F', [0]],
  ['search=gen+w', [0]],
  ['search=rene', [2]],
  ['search=%25', [2]],
  ['search=_', [2]],
  ['search=ZOE@example.ORG', [3]],
  ['search=example.org', []],
  ['search=zoe@', [3]],
  ['search=20,5', [1]],
  ['search=20.50+EUR', [1]],
  ['search=%E2%82%AC+60', [5]],
  ['search=40,00+%E2%82%AC', [3]],
  ['search=4000', []],
  ['search=nobody', []],
  ['search=', [5, 4, 3, 2, 1, 0]],
  ['search=annegret&status=TRANSFERRED', [1]],
  ['sort=amount', [5, 4, 3, 2, 1, 0]],
  ['sort=amount&order=asc', [0, 1, 2, 3, 4, 5]],
  ['sort=createdAt&order=asc', [0, 1, 2, 3, 4, 5]],
  ['sort=donorName', [4, 1, 5, 0, 2, 3]],
  ['sort=donorName&order=desc', [3, 2, 0, 5, 1, 4]],
  ['order=asc&limit=2&page=2', [2, 3]],
  ['limit=2&page=9', []],
  ['colour=green', [5, 4, 3, 2, 1, 0]]
]

for (const [query, indexes] of found) {
  test(`the list of donations is filtered and sorted by ${query}`, async () => {
    assert.deepEqual(await listIndexes(query), indexes)
    const { count } = (await treasurer.get(`/donations/summary?${query}`)).body
    if (!/page|limit/.test(query)) assert.equal(count, indexes.length)
  })
}

test('a donation is found by its reference in any spelling, or by a part of it', async () => {
  for (const [index, { reference }] of donations.entries()) {
    for (const typed of [
      reference,
      reference.replaceAll('-', ''),
      reference.toLowerCase().replaceAll('-', ' '),
      ` ${reference} `
    ]) {
      assert.deepEqual(await listIndexes(`search=${encodeURIComponent(typed)}`), [index], typed)
    }
    assert.deepEqual(await listIndexes(`search=${reference.slice(0, -1)}`), [index])
    assert.deepEqual(await listIndexes(`search=${reference.slice(-7).toLowerCase()}`), [index])
  }
})

test('a donation is found by the full IBAN of the donor or its last four characters, and by no other part', async () => {
  const withIban = await aDonation(cats.id, { donorName: 'Iban Typed', account: { iban: 'DE75512108001245126199' } })
  await linkDonors(store, settings)
  const found = async (search: string) =>
    (await treasurer.get(`/donations?search=${encodeURIComponent(search)}`)).body.map((one: Entry) => one.id)
  for (const typed of ['DE75512108001245126199', 'de75 5121 0800 1245 1261 99', '6199', '…6199']) {
    assert.deepEqual(await found(typed), [withIban.id], typed)
  }
  for (const typed of ['DE75512108001245126198', '1261', '0800']) assert.deepEqual(await found(typed), [], typed)
  await treasurer.delete(`/campaigns/${cats.id}/donations/${withIban.id}`)
})

test('a name that is also a valid reference is found as a name', async () => {
  // All characters are allowed in references, and the last one is the correct check character.
  const { id } = await aDonation(cats.id, { donorName: 'AAAAAAAAAA Hannah' })
  const { body } = await treasurer.get('/donations?search=AAAAAAAAAA')
  assert.deepEqual(
    body.map((one: Entry) => one.id),
    [id]
  )
  await treasurer.delete(`/campaigns/${cats.id}/donations/${id}`)
  assert.deepEqual(await listIndexes(''), [5, 4, 3, 2, 1, 0])
})

const refused: [query: string, pointer: string, code: string][] = [
  ['campaignId=0', '/campaignId', 'too-small'],
  ['campaignId=x', '/campaignId', 'type'],
  ['status=PAID', '/status', 'not-allowed'],
  ['status=IN_PROCESS,', '/status', 'not-allowed'],
  ['status=in_process', '/status', 'not-allowed'],
  ['from=yesterday', '/from', 'date-time'],
  ['from=2026-02-30', '/from', 'date-time'],
  ['to=2026-02-30T00:00:00Z', '/to', 'date-time'],
  ['to=2026-01-01T00:00:00', '/to', 'date-time'],
  ['from=1000-01-01', '/from', 'date-time'],
  ['receiptRequested=yes', '/receiptRequested', 'not-allowed'],
  ['minAmount=-1', '/minAmount', 'too-small'],
  ['maxAmount=1,5', '/maxAmount', 'comma'],
  [`search=${'x'.repeat(201)}`, '/search', 'too-long'],
  ['search=%00', '/search', 'control-character']
]
const refusedByList: typeof refused = [
  ['sort=colour', '/sort', 'not-allowed'],
  ['order=up', '/order', 'not-allowed'],
  ['page=0', '/page', 'too-small'],
  ['page=1000001', '/page', 'too-large'],
  ['limit=201', '/limit', 'too-large']
]

test('an invalid filter is refused with its name, for the list, the summary and the CSV file', async () => {
  for (const [query, pointer, code] of [...refused, ...refusedByList]) {
    const paths = refusedByList.some(([only]) => only === query) ? [''] : ['', '/summary', '.csv']
    for (const path of paths) {
      const { status, body } = await treasurer.get(`/donations${path}?${query}`)
      const errors = (body.errors ?? []).map((error: { pointer: string; code: string }) => [error.pointer, error.code])
      assert.deepEqual([status, errors], [400, [[pointer, code]]], `${path}?${query}`)
    }
  }
})

test('pages link to the next and the previous page and keep the filter', async () => {
  const readPage = async (path: string) => {
    const { headers, body } = await treasurer.get(path)
    const all = [...(headers.link ?? '').matchAll(/<http:\/\/[^/]+([^>]+)>; rel="(\w+)"/g)]
    return {
      total: headers['x-total-count'],
      ids: body.map((one: Entry) => one.id),
      ...Object.fromEntries(all.map(([, url, rel]) => [rel, url]))
    }
  }
  const filter = 'search=e&minAmount=20&limit=2'
  const first = await readPage(`/donations?${filter}`)
  assert.equal(first.total, '5')
  assert.equal(first.prev, undefined)
  const second = await readPage(first.next)
  const third = await readPage(second.next)
  assert.equal(third.next, undefined)
  assert.deepEqual((await readPage(second.prev)).ids, first.ids)
  assert.deepEqual((await readPage(third.prev)).ids, second.ids)
  const all = (await readPage('/donations?search=e&minAmount=20')).ids
  assert.deepEqual([...first.ids, ...second.ids, ...third.ids], all)
  const beyond = await readPage(`/donations?${filter}&page=77`)
  assert.deepEqual([beyond.ids, beyond.next], [[], undefined])
  assert.deepEqual((await readPage(beyond.prev)).ids, third.ids)
})

test('the summary has the sums of the listed donations by status and by day in the time zone of the site; payments and refunds count on their own day', async () => {
  const { body } = await treasurer.get('/donations/summary')
  assert.deepEqual(body, {
    count: 6,
    amount: 210.5,
    received: 20.5,
    byStatus: {
      IN_PROCESS: { count: 2, amount: 70, received: 0 },
      TRANSFERRED: { count: 1, amount: 20.5, received: 20.5 },
      CANCELLED: { count: 1, amount: 30, received: 0 },
      FAILED: { count: 1, amount: 40, received: 0 },
      REFUNDED: { count: 1, amount: 50, received: 0 }
    },
    waitingForReview: { count: 0, amount: 0, received: 0 }
  })
  const threeDays = (await treasurer.get('/donations/summary?from=2026-01-31&to=2026-02-02')).body
  assert.deepEqual(threeDays.byDay, [
    { date: '2026-01-31', count: 1, amount: 10, received: 50 },
    { date: '2026-02-01', count: 1, amount: 20.5, received: 0 },
    { date: '2026-02-02', count: 0, amount: 0, received: -29.5 }
  ])
  assert.equal(threeDays.count, 5)
  const one = `/donations/summary?campaignId=${roof.id}&from=2026-01-31T23:00:00Z&to=2026-02-01T23:00:00Z`
  assert.deepEqual((await treasurer.get(one)).body.byDay, [{ date: '2026-02-01', count: 0, amount: 0, received: 0 }])
})

test('the summary lists each day once, also when clocks change, and at most the last 400 days', async () => {
  const readDays = async (query: string) =>
    ((await treasurer.get(`/donations/summary?${query}`)).body.byDay as { date: string }[]).map(({ date }) => date)
  assert.deepEqual(await readDays('from=2026-03-28&to=2026-03-30'), ['2026-03-28', '2026-03-29', '2026-03-30'])
  assert.deepEqual(await readDays('from=2024-02-28&to=2024-03-01'), ['2024-02-28', '2024-02-29', '2024-03-01'])
  assert.deepEqual(await readDays('from=2026-03-02&to=2026-03-01'), [])
  const longRange = await readDays('from=1900-01-01&to=2026-12-31')
  assert.equal(longRange.length, 400)
  assert.equal(new Set(longRange).size, 400)
  assert.deepEqual((await readDays('from=2024-01-01&to=2025-02-03')).length, 400)
  const toBerlinDate = (at: number) => new Date(at).toLocaleDateString('sv', { timeZone: 'Europe/Berlin' })
  const today = toBerlinDate(Date.now())
  const withoutEnd = await readDays('from=1900-01-01')
  assert.ok([today, toBerlinDate(Date.now() - 60_000)].includes(withoutEnd.at(-1) ?? ''))
  assert.equal((await readDays('from=1900-01-01&to=2200-12-31')).at(-1), withoutEnd.at(-1))
})

test('deleted donations are not listed; donations of a deleted campaign are, without next statuses', async () => {
  const deletedCampaign = await aCampaign({ name: 'Gone' })
  const [kept, deleted] = [await aDonation(deletedCampaign.id), await aDonation(deletedCampaign.id)]
  await treasurer.delete(`/campaigns/${deletedCampaign.id}/donations/${deleted.id}`)
  await admin.delete(`/campaigns/${deletedCampaign.id}`)
  const { body } = await treasurer.get(`/donations?campaignId=${deletedCampaign.id}`)
  assert.deepEqual(
    body.map((one: Entry) => [one.id, one.campaignDeleted, one.nextStatuses]),
    [[kept.id, true, []]]
  )
  const countDonations = async () => Number((await treasurer.get('/donations')).headers['x-total-count'])
  assert.equal(await countDonations(), 7)
  assert.equal((await treasurer.get('/donations/summary')).body.count, 7)
  await admin.post(`/campaigns/${deletedCampaign.id}/restore`)
  await treasurer.delete(`/campaigns/${deletedCampaign.id}/donations/${kept.id}`)
  assert.equal(await countDonations(), 6)
})

test('only treasurers list the donations of all campaigns, and search words are in no log', async () => {
  for (const path of ['/donations', '/donations/summary', '/donations.csv']) {
    assert.equal((await visitor.get(path)).status, 401)
    for (const role of ['viewer', 'contributor', 'author', 'editor'] as const) {
      assert.equal((await (await withRole(role)).get(path)).status, 403, `${role} ${path}`)
    }
    for (const query of ['search=Verschwiegen', 'search=Verschwiegen&limit=0&page=x&from=Verschwiegen']) {
      await treasurer.get(`${path}?${query}`)
      await visitor.get(`${path}?${query}`)
    }
  }
  assert.ok(lines.some(line => line.includes('/donations/summary')))
  assert.doesNotMatch(lines.join('\n'), /verschwiegen|annegret/i)
  assert.doesNotMatch((await admin.get('/activity?limit=200')).text, /verschwiegen|annegret/i)
})
