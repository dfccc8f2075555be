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
const thing = { amount: 900, donorName: 'Ada Byron', status: 'TRANSFERRED', kind: 'in_kind', inKind: piano }

test('treasurers record gifts in kind, waived expenses and membership fees, and nobody else sees what they are', async () => {
  const made = await treasurer.post(path, thing)
  assert.equal(made.status, 201, made.text)
  const { body } = await treasurer.get(`${path}/${made.body.id}`)
  assert.deepEqual([body.kind, body.inKind, body.amount], ['in_kind', piano, 900])
  for (const kind of ['membership_fee', 'waived_expenses']) {
    const { status, body: other } = await treasurer.post(path, { ...thing, kind, inKind: null })
    assert.equal(status, 201)
    assert.equal((await treasurer.get(`${path}/${other.id}`)).body.kind, kind)
  }
  const shown = (await visitor.get(`${path}/${made.body.id}`)).body
  assert.deepEqual([shown.kind, shown.inKind], [undefined, undefined])
  const plain = await treasurer.post(path, { ...thing, kind: undefined, inKind: undefined })
  const { kind, inKind } = (await treasurer.get(`${path}/${plain.body.id}`)).body
  assert.deepEqual([kind, inKind], ['money', null])
})

test('what does not fit together is refused by its field, and changes nothing', async () => {
  const wrong = [
    [{ ...thing, inKind: null }, 422, 'in-kind-missing'],
    [{ ...thing, kind: 'money' }, 422, 'in-kind-not-expected'],
    [{ ...thing, kind: 'gold' }, 400, 'invalid-input'],
    [{ ...thing, inKind: { ...piano, origin: 'stolen' } }, 400, 'invalid-input'],
    [{ ...thing, status: 'IN_PROCESS', account: { iban: 'DE02120300000000202051' } }, 422, 'kind-needs-received']
  ] as const
  const before = (await treasurer.get(path)).body.length
  for (const [body, status, code] of wrong) {
    const answer = await treasurer.post(path, body)
    assert.deepEqual([answer.status, answer.body.code], [status, code])
  }
  const account = { iban: 'DE02120300000000202051' }
  const stranger = await visitor.post(path, { amount: 25, donorName: 'X', account, kind: 'membership_fee' })
  assert.deepEqual([stranger.status, stranger.body.code], [422, 'kind-needs-treasurer'])
  assert.equal((await treasurer.get(path)).body.length, before)
})

test('a treasurer corrects what was given', async () => {
  const { body: made } = await treasurer.post(path, thing)
  const one = `${path}/${made.id}`
  const same = await treasurer.patch(one, { kind: 'in_kind', inKind: piano })
  assert.equal(same.body.updatedAt, made.updatedAt, 'what is the same is no change')
  const worn = { ...piano, condition: 'stark gebraucht' }
  assert.deepEqual((await treasurer.patch(one, { inKind: worn })).body.inKind, worn)
  const money = await treasurer.patch(one, { kind: 'money' })
  assert.deepEqual([money.body.kind, money.body.inKind], ['money', null])
  assert.equal((await treasurer.patch(one, { kind: 'in_kind' })).body.code, 'in-kind-missing')
  assert.equal((await admin.patch(one, { kind: 'membership_fee' })).status, 200)
})
