import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendar, startCalendar } from '#test/support/services.ts'

const { admin, anEvent } = await startCalendar({ env: { CURRENCY: 'USD' } })

const prices: [sent: unknown, shown: string, values: string[]][] = [
  [0, 'Free', ['0']],
  ['0', 'Free', ['0']],
  ['1,000.50', '$1,000.50', ['1000.50']],
  ['1.000,50', '$1.000,50', ['1000.50']],
  ['10, 20', '$10 – $20', ['10', '20']],
  ['20 €', '20€', ['20']],
  [['0$', '20$', '30$'], 'Free – 30$', ['0', '20', '30']],
  ['Donation', 'Donation', ['donation']]
]

for (const [sent, shown, values] of prices) {
  test(`a cost of ${JSON.stringify(sent)} is shown as ${shown} after create and after update`, async () => {
    const created = await anEvent({ cost: sent })
    const { id } = await anEvent()
    const { body: updated } = await admin.patch(`${calendar}/events/${id}`, { cost: sent })
    for (const { cost, cost_details } of [created, updated]) {
      assert.equal(cost, shown)
      assert.deepEqual(cost_details.values, values)
    }
  })
}

test('an empty cost removes the cost of an event', async () => {
  const { id } = await anEvent({ cost: '$20' })
  for (const empty of ['', null, []]) {
    await admin.patch(`${calendar}/events/${id}`, { cost: '$20' })
    const { body } = await admin.patch(`${calendar}/events/${id}`, { cost: empty })
    assert.equal(body.cost, '')
    assert.deepEqual(body.cost_details.values, [])
  }
})
