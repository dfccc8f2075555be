// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { newSystemCaller } from '#platform/caller.ts'
import { sql } from '#platform/database/sql.ts'
import { countRuns } from '#test/support/full-run.ts'
import { donation, startCampaigns } from '#test/support/services.ts'
import { donate } from '../donations/donate.ts'
import type { Cents } from './money.ts'
import {
  findCampaignReference,
  findNearReferences,
  findReferences,
  isCampaignReference,
  newReference,
  parseReference,
  toCampaignReference
} from './reference.ts'

const { admin, visitor, store, settings, aCampaign } = await startCampaigns()

const alphabet = 'ACDEFGHJKMNPRTUWXY34679'
const form = new RegExp(`^[${alphabet}]{2,}-[${alphabet}]{4}-[${alphabet}]{4}$`)
const campaignIds = fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }))
const removeHyphens = (reference: string) => reference.replaceAll('-', '')

test('a donor gets the reference of the donation, and the treasurer reads the same reference', async () => {
  const { id } = await aCampaign()
  const donated = await visitor.post(`/campaigns/${id}/donations`, donation)
  assert.match(donated.body.reference, form)
  assert.equal(parseReference(donated.body.reference), donated.body.reference)
  const read = await admin.get(`/campaigns/${id}/donations/${donated.body.id}`)
  assert.equal(read.body.reference, donated.body.reference)
  const changed = await admin.patch(`/campaigns/${id}/donations/${donated.body.id}`, { status: 'TRANSFERRED' })
  assert.equal(changed.body.reference, donated.body.reference)
})

test('a reference is short and contains no characters that look alike', () => {
  fc.assert(
    fc.property(campaignIds, id => {
      const reference = newReference(id)
      assert.match(reference, form)
      assert.doesNotMatch(reference, /[01258BILOQSVZ]/)
    })
  )
  assert.equal(newReference(528).length, 12)
})

test('a reference is parsed with small letters, with blanks and without hyphens', () => {
  fc.assert(
    fc.property(campaignIds, id => {
      const reference = newReference(id)
      const spaced = removeHyphens(reference).split('').join(' ')
      for (const written of [removeHyphens(reference), reference.toLowerCase(), ` ${reference}\n`, spaced]) {
        assert.equal(parseReference(written), reference)
      }
    })
  )
})

test('the check character detects every wrong character', () => {
  fc.assert(
    fc.property(campaignIds, id => {
      const reference = removeHyphens(newReference(id))
      for (let index = 0; index < reference.length; index += 1) {
        for (const wrong of alphabet) {
          if (wrong === reference[index]) continue
          const written = reference.slice(0, index) + wrong + reference.slice(index + 1)
          assert.equal(parseReference(written), undefined, `${reference} read as ${written}`)
        }
      }
    }),
    { numRuns: countRuns(300) }
  )
})

test('the check character detects every swap of two adjacent characters', () => {
  fc.assert(
    fc.property(campaignIds, id => {
      const reference = removeHyphens(newReference(id))
      for (let index = 0; index + 1 < reference.length; index += 1) {
        const [one = '', other = ''] = reference.slice(index, index + 2)
        if (one === other) continue
        const written = reference.slice(0, index) + other + one + reference.slice(index + 2)
        assert.equal(parseReference(written), undefined, `${reference} read as ${written}`)
      }
    }),
    { numRuns: countRuns(1000) }
  )
})

for (const text of [
  '',
  'AC',
  'AC-7KXM-3PF',
  '0000000000',
  'AC-7KXM-3PFT extra words',
  'ÄÄ-ÄÄÄÄ-ÄÄÄÄ',
  '🎻'.repeat(10)
]) {
  test(`${JSON.stringify(text)} is not parsed as a reference`, () => assert.equal(parseReference(text), undefined))
}

test('references of different campaigns have different prefixes, and those of one campaign are random', () => {
  const references = new Set(Array.from({ length: 20_000 }, () => newReference(7)))
  assert.ok(references.size > 19_990)
  const prefixes = new Set(Array.from({ length: 2000 }, (_, index) => newReference(index + 1).split('-')[0]))
  assert.equal(prefixes.size, 2000)
})

test('all references of a campaign differ', async () => {
  const { id } = await aCampaign()
  const responses = await Promise.all(
    Array.from({ length: 60 }, async () => await visitor.post(`/campaigns/${id}/donations`, donation))
  )
  assert.equal(new Set(responses.map(response => response.body.reference)).size, 60)
})

test('if a reference is in use, another one is generated, and the donation is created once', async () => {
  const { id } = await aCampaign()
  const inUse = (await visitor.post(`/campaigns/${id}/donations`, donation)).body.reference
  const unused = newReference(id)
  const draws = [inUse, inUse, unused]
  const input = { ...donation, amount: 1000 as Cents, status: 'IN_PROCESS' as const }
  const created = await donate(
    store,
    { by: newSystemCaller('test'), settings, reference: () => draws.shift() ?? '' },
    id,
    input
  )
  assert.equal(created.reference, unused)
  assert.equal(draws.length, 0)

  const { body } = await visitor.get(`/campaigns/${id}`)
  assert.deepEqual([body.amountDonatedSoFar, body.donationCount], [35, 2])
  const { donations, history, activity } = await store.one<Record<string, number>>(sql`
    select
      (select count(*) from fundraising.donations where campaign_id = ${id}) as donations,
      (select count(*) from fundraising.donation_history where campaign_id = ${id}) as history,
      (select count(*) from platform.activity where subject_id = ${created.id}) as activity`)
  assert.deepEqual({ donations, history, activity }, { donations: 2, history: 2, activity: 1 })
})

test('if no unused reference is found, no donation is created', async () => {
  const { id } = await aCampaign()
  const inUse = (await visitor.post(`/campaigns/${id}/donations`, donation)).body.reference
  const input = { ...donation, amount: 1000 as Cents, status: 'IN_PROCESS' as const }
  await assert.rejects(donate(store, { by: newSystemCaller('test'), settings, reference: () => inUse }, id, input), {
    message: 'The transaction kept colliding.'
  })
  const { body } = await visitor.get(`/campaigns/${id}`)
  assert.deepEqual([body.amountDonatedSoFar, body.donationCount], [25, 1])
})

test('a reference is found in any text before and after it, and with blanks and hyphens inside', () => {
  const words = fc.string({ unit: fc.constantFrom(...'abCD 34-/0ß\n'), maxLength: 40 })
  fc.assert(
    fc.property(campaignIds, words, words, (id, before, after) => {
      const reference = newReference(id)
      const spaced = removeHyphens(reference).toLowerCase().split('').join(' - ')
      for (const written of [reference, removeHyphens(reference), spaced]) {
        assert.ok(findReferences(`${before}${written}${after}`, id).includes(reference), `${before}${written}${after}`)
      }
      assert.ok(!findReferences(reference, Math.max(0, id - 1)).includes(reference), 'the campaign does not exist')
    })
  )
})

test('a reference with one mistake is found: a wrong, missing, additional or swapped character', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100_000 }),
      fc.nat(),
      fc.constantFrom(...'A0OQ7B'),
      (id, chance, character) => {
        const reference = newReference(id)
        const text = removeHyphens(reference)
        const index = chance % text.length
        const [start, end] = [text.slice(0, index), text.slice(index + 1)]
        const swapped =
          index === 0 ? text : text.slice(0, index - 1) + text.charAt(index) + text.charAt(index - 1) + end
        const mistakes = [start + character + end, start + end, start + character + text.slice(index), swapped]
        for (const written of mistakes.filter(one => /\d/.test(one) && parseReference(one) !== reference)) {
          assert.ok(
            findNearReferences(`Spende ${written} danke`, id).includes(reference),
            `${reference} written ${written}`
          )
        }
      }
    )
  )
})

test('the number of near references is limited, even in a long text', () => {
  const long = 'AC-7KXM 3PFT A7C 39X '.repeat(5000)
  assert.ok(findNearReferences(long, 1_000_000).length <= 200)
  assert.deepEqual(findNearReferences('Vielen Dank fuer die schoene Feier am 12.03.2026', 500).length < 100, true)
})

test('a campaign has one reference in the same format, which no donation can have', async () => {
  const { id, reference } = await aCampaign()
  assert.equal(reference, toCampaignReference(id))
  assert.equal((await visitor.get(`/campaigns/${id}`)).body.reference, reference)
  fc.assert(
    fc.property(campaignIds, id => {
      const reference = toCampaignReference(id)
      assert.match(reference, form)
      assert.doesNotMatch(reference, /[01258BILOQSVZ]/)
      assert.equal(parseReference(reference), reference)
      assert.ok(isCampaignReference(reference))
      assert.ok(!isCampaignReference(newReference(id)))
      assert.equal(toCampaignReference(id), reference)
    })
  )
})

test('the reference of a campaign is found in all spellings of banks and donors', () => {
  const spellings: ((reference: string) => string)[] = [
    reference => reference,
    reference => `${reference} Neues Dach für die Musikschule`,
    reference => `SVWZ+${removeHyphens(reference)}NEUES DACH`,
    reference => `Spende für das Dach, ${reference.toLowerCase()}, danke!`,
    reference => `EREF+NOTPROVIDED SVWZ+${reference.slice(0, 5)}\n${reference.slice(5)} Dach ABWA+Ada`,
    reference => removeHyphens(reference).split('').join(' '),
    reference => `${reference} and again ${removeHyphens(reference)}`
  ]
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000 }), fc.nat(spellings.length - 1), (id, which) => {
      const text = spellings[which]?.(toCampaignReference(id)) ?? ''
      assert.equal(findCampaignReference(text, 100_000), id, text)
    }),
    { numRuns: countRuns(500) }
  )
})

test('no campaign is found if the text has no campaign reference, several, or a mistyped one', () => {
  const [one, other] = [toCampaignReference(7), toCampaignReference(8)]
  for (const text of ['', 'Spende', 'voor de campagne', 'Camp 333', newReference(7), `${one} ${other}`, 'CAMP-3333']) {
    assert.equal(findCampaignReference(text, 1000), undefined, text)
  }
  assert.equal(findCampaignReference(toCampaignReference(1001), 1000), undefined, 'the campaign does not exist')
  for (let index = 0; index < 10; index += 1) {
    for (const wrong of alphabet) {
      const all = removeHyphens(one)
      if (wrong === all[index]) continue
      assert.equal(findCampaignReference(all.slice(0, index) + wrong + all.slice(index + 1), 1000), undefined)
    }
  }
  const donated = newReference(9)
  assert.equal(findCampaignReference(`${donated} ${one}`, 1000), 7)
  assert.ok(findReferences(`${donated} ${one}`, 1000).includes(donated))
})
