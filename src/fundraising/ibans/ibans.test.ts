import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { bankData } from '#platform/banking/banks.ts'
import type { Log } from '#platform/log.ts'
import { root } from '#test/support/project-root.ts'
import { campaign, donation, startCampaigns } from '#test/support/services.ts'
import { createBankDataCheck } from '../doctor.ts'

const lines: string[] = []
const write = (...parts: unknown[]) => {
  lines.push(JSON.stringify(parts))
}
const log: Log = { debug: write, info: write, warn: write, error: write }
const { admin, visitor, store, aCampaign } = await startCampaigns({ log })

test('visitors can look up whether an IBAN is valid and its bank, in the URL or in the body', async () => {
  const commerzbank = {
    iban: 'DE89370400440532013000',
    formatted: 'DE89 3704 0044 0532 0130 00',
    valid: true,
    country: 'DE',
    countryName: 'Germany',
    bankName: 'Commerzbank',
    bic: 'COBADEFFXXX',
    sepa: true,
    data: bankData
  }
  for (const text of ['DE89370400440532013000', 'de89 3704 0044 0532 0130 00']) {
    const inUrl = await visitor.get(`/ibans/${encodeURIComponent(text)}`)
    assert.equal(inUrl.status, 200)
    assert.deepEqual(inUrl.body, commerzbank)
    const inBody = await visitor.post('/ibans', { iban: text }, { 'accept-language': 'de' })
    assert.equal(inBody.status, 200)
    assert.equal(inBody.headers['cache-control'], 'no-store')
    assert.deepEqual(inBody.body, { ...commerzbank, countryName: 'Deutschland' })
  }
})

test('for IBANs of other countries, unknown countries and invalid IBANs no bank is returned', async () => {
  const expected: Record<string, [boolean, string | null, boolean]> = {
    AT611904300234573201: [true, 'Austria', true],
    CH9300762011623852957: [true, 'Switzerland', true],
    BR1800360305000010009795493C1: [true, 'Brazil', false],
    DE00370400440532013000: [false, 'Germany', true],
    // Too short for its country.
    DE8937040044053201300: [false, 'Germany', true],
    US12345678901234567: [false, null, false],
    XX12345678901234567: [false, null, false]
  }
  for (const [iban, [valid, countryName, sepa]] of Object.entries(expected)) {
    const { body } = await visitor.get(`/ibans/${iban}`)
    assert.deepEqual(
      [body.valid, body.countryName, body.sepa, body.bankName, body.bic],
      [valid, countryName, sepa, null, null],
      iban
    )
  }
})

test('a malformed IBAN is refused with its field', async () => {
  for (const text of ['x', 'DE', '12345678901234567', 'DE89-3704', 'ÄÖ89370400440532013000', 'ı'.repeat(40)]) {
    const inUrl = await visitor.get(`/ibans/${encodeURIComponent(text)}`)
    const inBody = await visitor.post('/ibans', { iban: text })
    for (const { status, body } of [inUrl, inBody]) {
      assert.deepEqual([status, body.errors[0].pointer, body.errors[0].code], [400, '/iban', 'iban-form'], text)
    }
  }
  assert.equal((await visitor.get(`/ibans/${'A'.repeat(10_000)}`)).status, 400)
  assert.equal((await visitor.post('/ibans', {})).status, 400)
  assert.equal((await visitor.post('/ibans', { iban: 7 })).status, 400)
})

test('an IBAN that is looked up is in no log', async () => {
  lines.length = 0
  for (const text of ['DE89370400440532013000', 'de89%203704%200044%200532%200130%2000', 'DE89-3704-0044']) {
    await visitor.get(`/ibans/${text}`)
  }
  await visitor.post('/ibans', { iban: 'DE89370400440532013000' })
  assert.ok(lines.some(line => line.includes('/ibans')))
  assert.doesNotMatch(lines.join('\n'), /0532|3704/)
})

test('an empty name of the bank is filled in from the IBAN, for campaigns, donations and the site', async () => {
  const withoutBank = { iban: 'DE02120300000000202051', name: 'Ada' }
  for (const nameOfBank of [undefined, null, '', '  ']) {
    const account = { ...withoutBank, ...(nameOfBank === undefined ? {} : { nameOfBank }) }
    const { id, account: filled } = await aCampaign({ account })
    assert.equal(filled.nameOfBank, 'Deutsche Kreditbank Berlin')
    const donated = await admin.post(`/campaigns/${id}/donations`, { ...donation, account })
    assert.equal(donated.body.account.nameOfBank, 'Deutsche Kreditbank Berlin')
    const site = await admin.patch('/site', { account })
    assert.equal(site.body.account.nameOfBank, 'Deutsche Kreditbank Berlin')
  }
  const withOwnName = await aCampaign({ account: { ...withoutBank, nameOfBank: 'My bank' } })
  assert.equal(withOwnName.account.nameOfBank, 'My bank')
  for (const iban of ['DE00120300000000202051', 'AT611904300234573201']) {
    assert.equal((await aCampaign({ account: { ...withoutBank, iban } })).account.nameOfBank, '')
  }
  const { id, ...read } = withOwnName
  const changed = await admin.put(`/campaigns/${id}`, { ...read, account: { ...campaign.account, nameOfBank: '' } })
  assert.equal(changed.body.account.nameOfBank, 'Commerzbank')
})

test('the validity period of the bank data is that of the installed package', () => {
  const readme = readFileSync(join(root, 'node_modules/bankdata-germany/README.md'), 'utf8')
  const days = [...(/includes data from.*/.exec(readme)?.[0].matchAll(/\d{4}-\d{2}-\d{2}/g) ?? [])].map(([day]) => day)
  assert.deepEqual([days[0], days[3]], [bankData.validFrom, bankData.validUntil])
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules/bankdata-germany/package.json'), 'utf8'))
  assert.ok(bankData.source.includes(version))
})

test('doctor reports outdated bank data', async () => {
  const runCheckOn = (day: string) => createBankDataCheck(() => new Date(`${day}T12:00:00Z`)).run(store)
  assert.deepEqual(await runCheckOn(bankData.validUntil), [])
  assert.match((await runCheckOn('2099-01-01')).join(), /until \d{4}-\d{2}-\d{2}/)
})
