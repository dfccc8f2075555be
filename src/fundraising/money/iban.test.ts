import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaign, donation, startCampaigns } from '#test/support/services.ts'
import { maskIban } from './iban.ts'

const lenient = await startCampaigns()
const strict = await startCampaigns({ env: { IBAN_POLICY: 'strict' } })

const buildCampaign = (iban: unknown) => ({ ...campaign, account: { ...campaign.account, iban } })
const buildDonation = (iban: unknown) => ({ ...donation, account: { ...donation.account, iban } })

for (const [description, input, stored] of [
  ['blanks', 'DE89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
  ['blanks of all kinds around and inside', '\t DE89\u00a037040044\u202f0532013000\n', 'DE89370400440532013000'],
  ['small letters', 'gb82west12345698765432', 'GB82WEST12345698765432'],
  ['blanks and small letters', 'nl91 abna 0417 1643 00', 'NL91ABNA0417164300'],
  ['the short length of Norway', 'NO9386011117947', 'NO9386011117947'],
  ['the long length of Malta', 'MT84MALT011000012345MTLCAST001S', 'MT84MALT011000012345MTLCAST001S']
] as const) {
  test(`an IBAN with ${description} is stored without blanks and in capitals, with both policies`, async () => {
    for (const { admin, visitor } of [lenient, strict]) {
      const created = await admin.post('/campaigns', buildCampaign(input))
      assert.equal(created.status, 201, created.text)
      assert.deepEqual(created.body.account, { ...campaign.account, iban: stored, ibanValid: true })
      const path = `/campaigns/${created.body.id}`
      const donated = await visitor.post(`${path}/donations`, buildDonation(input))
      assert.equal(donated.status, 201)
      const read = await admin.get(`${path}/donations/${donated.body.id}`)
      assert.deepEqual(read.body.account, { ...donation.account, iban: stored, ibanValid: true })
      const replaced = await admin.put(path, buildCampaign(input))
      assert.equal(replaced.body.account.iban, stored)
    }
  })
}

const wellFormedButInvalid = [
  ['wrong check digits', 'DE00370400440532013000'],
  ['two digits swapped', 'DE98370400440532013000'],
  ['a length that is wrong for its country', 'DE8937040044053201300'],
  ['an unknown country', 'ZZ89370400440532013000'],
  ['the shortest form', 'XX0012345678901'],
  ['the longest form', `XX00${'A1'.repeat(15)}`]
] as const

for (const [description, iban] of wellFormedButInvalid) {
  test(`lenient: an IBAN with ${description} is accepted and reported as not valid`, async () => {
    const { admin, visitor } = lenient
    const created = await admin.post('/campaigns', buildCampaign(iban))
    assert.equal(created.status, 201)
    assert.deepEqual(created.body.account, { ...campaign.account, iban, ibanValid: false })
    const path = `/campaigns/${created.body.id}`
    assert.deepEqual((await visitor.get(path)).body, created.body)
    const donated = await visitor.post(`${path}/donations`, buildDonation(iban))
    assert.equal(donated.status, 201)
    const read = await admin.get(`${path}/donations/${donated.body.id}`)
    assert.deepEqual(read.body.account, { ...donation.account, iban, ibanValid: false })
  })

  test(`strict: an IBAN with ${description} is refused`, async () => {
    const { admin, visitor, aCampaign } = strict
    const { id } = await aCampaign()
    for (const refused of [
      await admin.post('/campaigns', buildCampaign(iban)),
      await admin.put(`/campaigns/${id}`, buildCampaign(iban)),
      await visitor.post(`/campaigns/${id}/donations`, buildDonation(iban))
    ]) {
      assert.equal(refused.status, 400)
      assert.deepEqual(
        refused.body.errors.map((error: { pointer: string; code: string }) => [error.pointer, error.code]),
        [['/account/iban', 'iban-check']]
      )
    }
    assert.equal((await visitor.get(`/campaigns/${id}`)).body.account.iban, campaign.account.iban)
    assert.equal((await visitor.get(`/campaigns/${id}`)).body.donationCount, 0)
  })
}

for (const iban of [
  '',
  '   ',
  'DE8937040044',
  'XX001234567890',
  `XX00${'1'.repeat(31)}`,
  'D189370400440532013000',
  'DEX9370400440532013000',
  'DE89-3704-0044-0532-0130-00',
  'DE89370400440532013O00!',
  'ÄÖ89370400440532013000',
  'D\u200bE89370400440532013000',
  'not an account',
  `DE89${'1'.repeat(50_000)}`
]) {
  test(`${JSON.stringify(iban.slice(0, 40))} is not in the format of an IBAN and refused with both policies`, async () => {
    for (const { admin, visitor, aCampaign } of [lenient, strict]) {
      const { id } = await aCampaign()
      for (const refused of [
        await admin.post('/campaigns', buildCampaign(iban)),
        await visitor.post(`/campaigns/${id}/donations`, buildDonation(iban))
      ]) {
        assert.equal(refused.status, 400)
        const errors = refused.body.errors as { pointer: string; code: string }[]
        assert.ok(errors.every(error => error.pointer === '/account/iban'))
        assert.equal(errors[0]?.code, 'iban-form')
      }
    }
  })
}

for (const iban of [null, 7, true, ['DE89370400440532013000'], {}]) {
  test(`${JSON.stringify(iban)} is refused as an IBAN because of its type`, async () => {
    const { status, body } = await lenient.admin.post('/campaigns', buildCampaign(iban))
    assert.equal(status, 400)
    assert.deepEqual(
      body.errors.map((error: { pointer: string; code: string }) => [error.pointer, error.code]),
      [['/account/iban', 'type']]
    )
  })
}

test('strict: the error of an invalid IBAN has a German message too', async () => {
  const { body } = await strict.admin.post('/campaigns', buildCampaign('DE00370400440532013000'), {
    'accept-language': 'de'
  })
  assert.equal(body.errors[0].message, 'account.iban ist keine gültige IBAN: Prüfziffern oder Länge stimmen nicht.')
})

test('lenient: an account whose IBAN is corrected is reported as valid', async () => {
  const { admin, aCampaign } = lenient
  const { id } = await aCampaign({ account: { ...campaign.account, iban: 'DE00370400440532013000' } })
  const { body } = await admin.put(`/campaigns/${id}`, campaign)
  assert.equal(body.account.ibanValid, true)
})

test('a masked IBAN shows only its first and last four characters', () => {
  assert.equal(maskIban('DE89370400440532013000'), 'DE89…3000')
  assert.equal(maskIban('XX0012345678901'), 'XX00…8901')
})
