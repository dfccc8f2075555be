import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { startCampaigns } from '#test/support/services.ts'

const { admin, withRole, store } = await startCampaigns()
const treasurer = await withRole('treasurer')

test('the organisation has defaults at first, and lists the fields missing for receipts', async () => {
  const { status, body } = await treasurer.get('/organisation')
  assert.equal(status, 200)
  assert.equal(body.legalName, '')
  assert.equal(body.address, null)
  assert.deepEqual([body.preNotificationDays, body.confirmationMails, body.retentionYears], [5, true, 10])
  assert.deepEqual([body.reviewAbove, body.messagesNeedReview], [10_000, true], 'the defaults of the review')
  assert.deepEqual(body.missingForReceipts, [
    ...['legalName', 'address', 'taxOffice', 'taxNumber', 'exemption', 'purposes', 'signatory']
  ])
})

test('purposes are chosen from the list of the law or entered as text, and returned in genitive and accusative', async () => {
  const { body } = await admin.patch('/organisation', {
    purposeCodes: ['52-21', '52-4', '52-4'],
    purposes: 'Kunst und Kultur'
  })
  assert.deepEqual(body.purposeCodes, ['52-4', '52-21'])
  assert.deepEqual(body.purposeForms, {
    genitive: 'der Jugend- und Altenhilfe, des Sports sowie von Kunst und Kultur',
    accusative: 'die Jugend- und Altenhilfe, den Sport sowie Kunst und Kultur'
  })
  assert.equal(
    (await admin.patch('/organisation', { purposes: '' })).body.missingForReceipts.includes('purposes'),
    false
  )
  assert.equal((await admin.patch('/organisation', { purposeCodes: ['52-99'] })).status, 400)
  const empty = await admin.patch('/organisation', { purposeCodes: [] })
  assert.ok(empty.body.missingForReceipts.includes('purposes'))
})

test('a PATCH changes the given fields, keeps the others, and removes with null', async () => {
  const { headers } = await admin.get('/organisation')
  const address = { street: 'Große Straße 5', postalCode: '50678', city: 'Köln' }
  const exemption = { kind: 'notice', date: '2026-01-10', period: '2023 bis 2025' }
  const changed = await admin.patch(
    '/organisation',
    {
      legalName: 'Verein e. V.',
      address,
      exemption,
      receiptPrefix: 'abc',
      creditorId: 'de98 zzz0 9999 9999 99',
      reviewAbove: '500.50'
    },
    { 'if-match': headers.etag ?? '' }
  )
  assert.equal(changed.status, 200, changed.text)
  assert.deepEqual(changed.body.address, { ...address, country: 'DE' })
  assert.deepEqual(changed.body.exemption, exemption)
  assert.equal(changed.body.receiptPrefix, 'ABC')
  assert.equal(changed.body.creditorId, 'DE98ZZZ09999999999')
  assert.equal(changed.body.reviewAbove, 500.5)
  assert.ok(!changed.body.missingForReceipts.includes('exemption'))

  assert.equal(
    (await admin.patch('/organisation', { taxOffice: 'Köln' }, { 'if-match': headers.etag ?? '' })).status,
    412
  )
  const removed = await admin.patch('/organisation', {
    address: null,
    exemption: null,
    reviewAbove: null,
    creditorId: null
  })
  assert.equal(removed.body.legalName, 'Verein e. V.')
  assert.deepEqual(
    [removed.body.address, removed.body.exemption, removed.body.reviewAbove, removed.body.creditorId],
    [null, null, null, null]
  )
  const same = await admin.patch('/organisation', { ...removed.body })
  assert.equal(same.body.version, removed.body.version, 'sending back the current values changes nothing')

  const [last] = await store.all<{ details: { fields: string[] } }>(sql`
    select details from platform.activity where action = 'organisation.updated' order by id desc limit 1`)
  assert.deepEqual(last?.details, { fields: ['address', 'creditorId', 'exemption', 'reviewAbove'] })
})

test('an invalid value is refused with its field, and changes nothing', async () => {
  const before = (await admin.get('/organisation')).body
  const wrong: [field: string, value: unknown][] = [
    ['creditorId', 'DE97ZZZ09999999999'],
    ['creditorId', 'DE98ZZZ0999999999'],
    ['receiptPrefix', 'Ä-1'],
    ['taxOfficeInformedOn', '2026-02-30'],
    ['exemption', { kind: 'notice', date: 'soon' }],
    ['retentionYears', 5],
    ['preNotificationDays', 31],
    ['reviewAbove', -1],
    ['messagesNeedReview', 'no'],
    ['signature', 'bm8gcGljdHVyZQ=='],
    ['signature', Buffer.from('89504e470d0a1a0a00', 'hex').toString('base64')]
  ]
  for (const [field, value] of wrong) {
    const { status, body } = await admin.patch('/organisation', { [field]: value })
    assert.equal(status, 400, `${field} ${value}`)
    assert.ok(body.errors[0].pointer.startsWith(`/${field}`), field)
  }
  assert.deepEqual((await admin.get('/organisation')).body, before)
})

test('an outdated exemption counts as missing: a notice after five years, a provisional one after three', async () => {
  const year = new Date().getFullYear()
  for (const [kind, years, missing] of [
    ['notice', 4, false],
    ['notice', 6, true],
    ['provisional', 2, false],
    ['provisional', 4, true]
  ] as const) {
    const exemption = { kind, date: `${year - years}-01-01`, period: '2020' }
    const { body } = await admin.patch('/organisation', { exemption })
    assert.equal(body.missingForReceipts.includes('exemption'), missing, `${kind} ${years}`)
  }
})

test('a treasurer cannot change the legal name, and an editor cannot read the organisation', async () => {
  assert.equal((await treasurer.patch('/organisation', { legalName: 'Mine' })).status, 403)
  assert.equal((await (await withRole('editor')).get('/organisation')).status, 403)
})

test('a treasurer can change the fields for the tax office and receipts, and no others', async () => {
  const changed = await treasurer.patch('/organisation', { taxNumber: '87001/4711', signatory: 'Käthe Bürkle' })
  assert.deepEqual([changed.status, changed.body.taxNumber], [200, '87001/4711'])
  for (const change of [{ legalName: 'Mine' }, { creditorId: null }, { taxNumber: '1', retentionYears: 6 }]) {
    const { status, body } = await treasurer.patch('/organisation', change)
    assert.deepEqual([status, body.code], [403, 'field-for-admins'], JSON.stringify(change))
  }
  assert.equal((await admin.get('/organisation')).body.taxNumber, '87001/4711')
})
