import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCampaigns } from '#test/support/services.ts'

const { admin, aCampaign, visitor, withRole } = await startCampaigns()
const treasurer = await withRole('treasurer')
const { id: campaignId } = await aCampaign()
const path = `/campaigns/${campaignId}/donations`
const piano = {
  description: 'Klavier Marke Beispiel',
  condition: '12 Jahre alt, gut erhalten, Kaufpreis 4.800 €',
  origin: 'private',
  basis: 'Gutachten vom 3. März',
  documents: true
}
const giftInKind = { amount: 900, donorName: 'Ada Byron', status: 'TRANSFERRED', kind: 'in_kind', inKind: piano }

test('treasurers record gifts in kind, waived expenses and membership fees, and visitors do not see the kind', async () => {
  const created = await treasurer.post(path, giftInKind)
  assert.equal(created.status, 201, created.text)
  const { body } = await treasurer.get(`${path}/${created.body.id}`)
  assert.deepEqual([body.kind, body.inKind, body.amount], ['in_kind', piano, 900])
  for (const kind of ['membership_fee', 'waived_expenses']) {
    const { status, body: other } = await treasurer.post(path, { ...giftInKind, kind, inKind: null })
    assert.equal(status, 201)
    assert.equal((await treasurer.get(`${path}/${other.id}`)).body.kind, kind)
  }
  const asVisitor = (await visitor.get(`${path}/${created.body.id}`)).body
  assert.deepEqual([asVisitor.kind, asVisitor.inKind], [undefined, undefined])
  const withoutKind = await treasurer.post(path, { ...giftInKind, kind: undefined, inKind: undefined })
  const { kind, inKind } = (await treasurer.get(`${path}/${withoutKind.body.id}`)).body
  assert.deepEqual([kind, inKind], ['money', null])
})

test('kinds that contradict other fields or the role of the caller are refused and change nothing', async () => {
  const wrong = [
    [{ ...giftInKind, inKind: null }, 422, 'in-kind-missing'],
    [{ ...giftInKind, kind: 'money' }, 422, 'in-kind-not-expected'],
    [{ ...giftInKind, kind: 'gold' }, 400, 'invalid-input'],
    [{ ...giftInKind, inKind: { ...piano, origin: 'stolen' } }, 400, 'invalid-input'],
    [{ ...giftInKind, status: 'IN_PROCESS', account: { iban: 'DE02120300000000202051' } }, 422, 'kind-needs-received']
  ] as const
  const before = (await treasurer.get(path)).body.length
  for (const [body, status, code] of wrong) {
    const response = await treasurer.post(path, body)
    assert.deepEqual([response.status, response.body.code], [status, code])
  }
  const account = { iban: 'DE02120300000000202051' }
  const byVisitor = await visitor.post(path, { amount: 25, donorName: 'X', account, kind: 'membership_fee' })
  assert.deepEqual([byVisitor.status, byVisitor.body.code], [422, 'kind-needs-treasurer'])
  assert.equal((await treasurer.get(path)).body.length, before)
})

test('a treasurer can correct the kind of a donation', async () => {
  const { body: created } = await treasurer.post(path, giftInKind)
  const one = `${path}/${created.id}`
  const same = await treasurer.patch(one, { kind: 'in_kind', inKind: piano })
  assert.equal(same.body.updatedAt, created.updatedAt, 'the same values are not a change')
  const worn = { ...piano, condition: 'stark gebraucht' }
  assert.deepEqual((await treasurer.patch(one, { inKind: worn })).body.inKind, worn)
  const money = await treasurer.patch(one, { kind: 'money' })
  assert.deepEqual([money.body.kind, money.body.inKind], ['money', null])
  assert.equal((await treasurer.patch(one, { kind: 'in_kind' })).body.code, 'in-kind-missing')
  assert.equal((await admin.patch(one, { kind: 'membership_fee' })).status, 200)
})
