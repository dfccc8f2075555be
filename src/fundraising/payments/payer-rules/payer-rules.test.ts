// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findRows } from '#test/support/find-rows.ts'
import { buildBooking, startBankImports } from '#test/support/fundraising/bank-import.ts'
import { donation } from '#test/support/services.ts'
import { eraseExpiredDonors } from '../../gdpr/retention.ts'

const bank = await startBankImports()
const { admin, aCampaign, aDonation, change, readEntries, importBookings, settings, store, treasurer } = bank
const { id: campaignId } = await aCampaign()
const [schulz, ada, grace] = ['DE02100500000054540402', 'DE02300209000106531065', 'DE02200505501015871393']
const fromSchulz = { name: 'Familie Schulz', iban: schulz }
const toResults = (entries: { result: string }[]) => entries.map(({ result }) => result)
const readRules = async () => (await treasurer.get('/payer-rules')).body

test('a rule to ignore a payer applies to the entry, to other open entries of the payer and to later files, with a reason', async () => {
  const { entries: before } = await importBookings([buildBooking({ amount: '10.00', ...fromSchulz })])
  const { entries } = await importBookings([
    buildBooking({ amount: '10.00', ...fromSchulz }),
    buildBooking({ amount: '11.00', name: 'Other', iban: ada })
  ])
  const body = { ignored: true, remember: true, note: 'membership' }
  const ignored = await change(entries[0], body, { 'if-match': '"1"' })
  assert.equal(ignored.status, 200, ignored.text)
  assert.deepEqual(
    [ignored.body.result, ignored.body.reason],
    ['ignored', { code: 'by-rule', message: 'By rule: Familie Schulz (membership)' }]
  )
  assert.deepEqual(toResults(await readEntries(before[0].statementId)), ['ignored'])
  assert.deepEqual(toResults(await readEntries(entries[0].statementId)), ['ignored', 'unmatched'])
  const { body: statement } = await treasurer.get(`/bank-statements/${before[0].statementId}`)
  assert.deepEqual([statement.counts.ignored, statement.counts.unmatched], [1, 0])

  const pledged = await aDonation(campaignId, { ...donation, amount: 77 })
  const later = await importBookings([
    buildBooking({ amount: '10.00', ...fromSchulz }),
    buildBooking({ amount: '77.00', text: pledged.reference, ...fromSchulz })
  ])
  assert.deepEqual(toResults(later.entries), ['ignored', 'booked'], 'a reference takes precedence over a rule')
  const [rule] = await readRules()
  assert.deepEqual(
    [rule.payerName, rule.iban, rule.action, rule.note, rule.campaignId, typeof rule.lastUsedAt],
    ['Familie Schulz', schulz, 'ignore', 'membership', null, 'string']
  )
  assert.equal(later.entries[0].ruleId, rule.id)
  const german = await treasurer.get(`/bank-statements/${later.statement.id}/entries/${later.entries[0].id}`, {
    'accept-language': 'de'
  })
  assert.equal(german.body.reason.message, 'Nach Regel: Familie Schulz (membership)')

  const reopened = await change(later.entries[0], { ignored: false })
  assert.deepEqual([reopened.body.result, reopened.body.ruleId], ['unmatched', null])
  assert.equal((await treasurer.delete(`/payer-rules/${rule.id}`)).status, 204)
  assert.equal((await treasurer.delete(`/payer-rules/${rule.id}`)).status, 404)
  const last = await importBookings([buildBooking({ amount: '10.00', ...fromSchulz })])
  assert.deepEqual(toResults(last.entries), ['unmatched'])
  const kept = (await readEntries(entries[0].statementId))[0]
  assert.deepEqual([kept.result, kept.reason.message], ['ignored', 'Ignored by a rule.'])
  const actions = (await admin.get(`/activity?subjectId=${rule.id}`)).body
  assert.deepEqual(
    actions.map(({ action }: { action: string }) => action),
    ['payer_rule.deleted', 'payer_rule.created']
  )
  assert.doesNotMatch(JSON.stringify(actions), /Schulz|DE02/)
})

test('a rule with a campaign suggests the campaign for later entries and is the default for their donations', async () => {
  const from = { name: 'Ada Lovelace', iban: ada }
  const { id: older } = await aCampaign()
  await aDonation(older, { ...donation, amount: 30, account: { iban: ada, name: 'Ada Lovelace' } })
  const { entries } = await importBookings([buildBooking({ amount: '21.00', ...from })])
  assert.deepEqual([entries[0].suggestedCampaignId, entries[0].suggestedCampaignBy], [older, 'earlier'])
  const toDonationPath = (entry: { statementId: number; id: string }) =>
    `/bank-statements/${entry.statementId}/entries/${entry.id}/donation`
  assert.equal((await treasurer.post(toDonationPath(entries[0]), { campaignId, remember: true })).status, 201)
  const [rule] = await readRules()
  assert.deepEqual([rule.action, rule.campaignId, rule.payerName], ['campaign', campaignId, 'Ada Lovelace'])

  const later = await importBookings([buildBooking({ amount: '22.00', ...from })])
  assert.deepEqual(
    [later.entries[0].result, later.entries[0].suggestedCampaignId, later.entries[0].suggestedCampaignBy],
    ['unmatched', campaignId, 'rule']
  )
  const created = await treasurer.post(toDonationPath(later.entries[0]), {})
  assert.equal(created.status, 201, created.text)
  assert.equal(created.body.donations[0].campaignId, campaignId)
  assert.equal(typeof (await readRules())[0].lastUsedAt, 'string')
})

test('a rule is created from an entry or an IBAN, one per IBAN; invalid rules are refused with a code', async () => {
  const { entries } = await importBookings([
    buildBooking({ amount: '31.00', name: 'Grace Hopper', iban: grace }),
    buildBooking({ amount: '32.00', iban: '' })
  ])
  const entry = { statementId: entries[0].statementId, id: entries[0].id }
  const created = await treasurer.post('/payer-rules', { entry, action: 'campaign', campaignId })
  assert.equal(created.status, 201, created.text)
  assert.deepEqual(
    [created.body.payerName, created.body.iban, created.body.campaignId],
    ['Grace Hopper', grace, campaignId]
  )
  const count = (await readRules()).length
  const replaced = await treasurer.post('/payer-rules', { iban: grace, action: 'ignore', note: 'sales' })
  assert.deepEqual(
    [replaced.body.id, replaced.body.action, replaced.body.payerName, (await readRules()).length],
    [created.body.id, 'ignore', 'Grace Hopper', count]
  )
  const both = await Promise.all(
    ['a', 'b'].map(async note => await treasurer.post('/payer-rules', { iban: schulz, action: 'ignore', note }))
  )
  assert.deepEqual(
    both.map(({ status }) => status),
    [201, 201]
  )
  assert.equal(both[0]?.body.id, both[1]?.body.id)
  const withoutIban = { statementId: entries[1].statementId, id: entries[1].id }
  const refused: [object, number, string][] = [
    [{ action: 'ignore' }, 422, 'payer-missing'],
    [{ action: 'ignore', iban: grace, entry }, 422, 'payer-missing'],
    [{ action: 'ignore', entry: withoutIban }, 422, 'payer-without-iban'],
    [{ action: 'ignore', entry: { ...entry, statementId: 999_999 } }, 422, 'payer-without-iban'],
    [{ action: 'campaign', iban: grace }, 422, 'campaign-missing'],
    [{ action: 'campaign', iban: grace, campaignId: 999_999 }, 422, 'campaign-not-found'],
    [{ action: 'ignore', iban: grace, campaignId }, 422, 'campaign-not-used'],
    [{ action: 'delete', iban: grace }, 400, 'invalid-input'],
    [{ action: 'ignore', iban: 'nonsense' }, 400, 'invalid-input']
  ]
  for (const [body, status, code] of refused) {
    const response = await treasurer.post('/payer-rules', body)
    assert.deepEqual([response.status, response.body.code], [status, code], response.text)
  }
  assert.equal((await change(entries[1], { ignored: true, remember: true })).body.code, 'payer-without-iban')
})

test('erasing a donor deletes the payer rule, and unused rules are deleted after the retention period', async () => {
  const [first, second] = ['NL91ABNA0417164300', 'AT611904300234573201']
  const donated = await aDonation(campaignId, {
    ...donation,
    donorName: 'Wilhelmina Verborgen',
    account: { iban: first, name: 'Wilhelmina Verborgen' }
  })
  await treasurer.post('/payer-rules', { iban: first, payerName: 'Wilhelmina Verborgen', action: 'ignore' })
  assert.deepEqual(await findRows(store, first), [], 'no IBAN is stored in plain text')
  const { body: exported } = await treasurer.get(`/donors/${donated.id}`)
  assert.deepEqual([exported.payerRules.length, exported.payerRules[0].payerName], [1, 'Wilhelmina Verborgen'])
  assert.equal((await treasurer.post(`/donors/${donated.id}/erase`, {})).status, 200)
  assert.deepEqual(await findRows(store, 'Verborgen'), [])

  await treasurer.post('/payer-rules', { iban: second, payerName: 'Franz Vergessen', action: 'ignore' })
  await eraseExpiredDonors(store, settings, { now: new Date(Date.UTC(new Date().getUTCFullYear() + 12, 0, 2)) })
  assert.deepEqual(await findRows(store, 'Vergessen'), [])
  assert.deepEqual(await readRules(), [])
})
