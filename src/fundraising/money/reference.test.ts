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
const plain = (reference: string) => reference.replaceAll('-', '')

test('a donor hears the reference of the donation, and the treasurer reads the same', async () => {
  const { id } = await aCampaign()
  const given = await visitor.post(`/campaigns/${id}/donations`, donation)
  assert.match(given.body.reference, form)
  assert.equal(parseReference(given.body.reference), given.body.reference)
  const read = await admin.get(`/campaigns/${id}/donations/${given.body.id}`)
  assert.equal(read.body.reference, given.body.reference)
  const moved = await admin.patch(`/campaigns/${id}/donations/${given.body.id}`, { status: 'TRANSFERRED' })
  assert.equal(moved.body.reference, given.body.reference)
})

test('a reference is short and has no characters that look alike', () => {
  fc.assert(
    fc.property(campaignIds, id => {
      const reference = newReference(id)
      assert.match(reference, form)
      assert.doesNotMatch(reference, /[01258BILOQSVZ]/)
    })
  )
  assert.equal(newReference(528).length, 12)
})

test('a reference is read however it is written: small letters, blanks, without hyphens', () => {
  fc.assert(
    fc.property(campaignIds, id => {
      const reference = newReference(id)
      const spaced = plain(reference).split('').join(' ')
      for (const written of [plain(reference), reference.toLowerCase(), ` ${reference}\n`, spaced]) {
        assert.equal(parseReference(written), reference)
      }
    })
  )
})

test('the check character finds every wrong character', () => {
  fc.assert(
    fc.property(campaignIds, id => {
      const reference = plain(newReference(id))
      for (let place = 0; place < reference.length; place += 1) {
        for (const wrong of alphabet) {
          if (wrong === reference[place]) continue
          const written = reference.slice(0, place) + wrong + reference.slice(place + 1)
          assert.equal(parseReference(written), undefined, `${reference} read as ${written}`)
        }
      }
    }),
    { numRuns: countRuns(300) }
  )
})

test('the check character finds every swap of neighbours', () => {
  fc.assert(
    fc.property(campaignIds, id => {
      const reference = plain(newReference(id))
      for (let place = 0; place + 1 < reference.length; place += 1) {
        const [one = '', other = ''] = reference.slice(place, place + 2)
        if (one === other) continue
        const written = reference.slice(0, place) + other + one + reference.slice(place + 2)
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
  test(`${JSON.stringify(text)} is no reference`, () => assert.equal(parseReference(text), undefined))
}

test('references of different campaigns never meet, and those of one campaign are by chance', () => {
  const many = new Set(Array.from({ length: 20_000 }, () => newReference(7)))
  assert.ok(many.size > 19_990)
  const beginnings = new Set(Array.from({ length: 2000 }, (_, index) => newReference(index + 1).split('-')[0]))
  assert.equal(beginnings.size, 2000)
})

test('all references of a campaign differ', async () => {
  const { id } = await aCampaign()
  const answers = await Promise.all(
    Array.from({ length: 60 }, async () => await visitor.post(`/campaigns/${id}/donations`, donation))
  )
  assert.equal(new Set(answers.map(answer => answer.body.reference)).size, 60)
})

test('a reference that is taken is drawn again, and the donation is made once', async () => {
  const { id } = await aCampaign()
  const taken = (await visitor.post(`/campaigns/${id}/donations`, donation)).body.reference
  const free = newReference(id)
  const draws = [taken, taken, free]
  const input = { ...donation, amount: 1000 as Cents, status: 'IN_PROCESS' as const }
  const made = await donate(
    store,
    { by: newSystemCaller('test'), settings, reference: () => draws.shift() ?? '' },
    id,
    input
  )
  assert.equal(made.reference, free)
  assert.equal(draws.length, 0)

  const { body } = await visitor.get(`/campaigns/${id}`)
  assert.deepEqual([body.amountDonatedSoFar, body.donationCount], [35, 2])
  const { donations, history, activity } = await store.one<Record<string, number>>(sql`
    select
      (select count(*) from fundraising.donations where campaign_id = ${id}) as donations,
      (select count(*) from fundraising.donation_history where campaign_id = ${id}) as history,
      (select count(*) from platform.activity where subject_id = ${made.id}) as activity`)
  assert.deepEqual({ donations, history, activity }, { donations: 2, history: 2, activity: 1 })
})

test('when no free reference is found nothing is made', async () => {
  const { id } = await aCampaign()
  const taken = (await visitor.post(`/campaigns/${id}/donations`, donation)).body.reference
  const input = { ...donation, amount: 1000 as Cents, status: 'IN_PROCESS' as const }
  await assert.rejects(donate(store, { by: newSystemCaller('test'), settings, reference: () => taken }, id, input), {
    message: 'The transaction kept colliding.'
  })
  const { body } = await visitor.get(`/campaigns/${id}`)
  assert.deepEqual([body.amountDonatedSoFar, body.donationCount], [25, 1])
})

test('a reference is found in any text, whatever stands before, behind and inside it', () => {
  const words = fc.string({ unit: fc.constantFrom(...'abCD 34-/0ß\n'), maxLength: 40 })
  fc.assert(
    fc.property(campaignIds, words, words, (id, before, behind) => {
      const reference = newReference(id)
      const spaced = plain(reference).toLowerCase().split('').join(' - ')
      for (const written of [reference, plain(reference), spaced]) {
        assert.ok(
          findReferences(`${before}${written}${behind}`, id).includes(reference),
          `${before}${written}${behind}`
        )
      }
      assert.ok(!findReferences(reference, Math.max(0, id - 1)).includes(reference), 'There is no such campaign.')
    })
  )
})

test('a reference with one mistake leads back to it: a character that is wrong, missing, too much, or changed places', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100_000 }),
      fc.nat(),
      fc.constantFrom(...'A0OQ7B'),
      (id, chance, character) => {
        const reference = newReference(id)
        const text = plain(reference)
        const place = chance % text.length
        const [start, end] = [text.slice(0, place), text.slice(place + 1)]
        const swapped =
          place === 0 ? text : text.slice(0, place - 1) + text.charAt(place) + text.charAt(place - 1) + end
        const mistakes = [start + character + end, start + end, start + character + text.slice(place), swapped]
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

test('what a text may have meant is little, however long it is', () => {
  const long = 'AC-7KXM 3PFT A7C 39X '.repeat(5000)
  assert.ok(findNearReferences(long, 1_000_000).length <= 200)
  assert.deepEqual(findNearReferences('Vielen Dank fuer die schoene Feier am 12.03.2026', 500).length < 100, true)
})

test('a campaign has one reference, of the same characters, and no donation has one like it', async () => {
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

test('the reference of a campaign is found in what banks and people make of it', () => {
  const writings: ((reference: string) => string)[] = [
    reference => reference,
    reference => `${reference} Neues Dach für die Musikschule`,
    reference => `SVWZ+${plain(reference)}NEUES DACH`,
    reference => `Spende für das Dach, ${reference.toLowerCase()}, danke!`,
    reference => `EREF+NOTPROVIDED SVWZ+${reference.slice(0, 5)}\n${reference.slice(5)} Dach ABWA+Ada`,
    reference => plain(reference).split('').join(' '),
    reference => `${reference} and again ${plain(reference)}`
  ]
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000 }), fc.nat(writings.length - 1), (id, which) => {
      const text = writings[which]?.(toCampaignReference(id)) ?? ''
      assert.equal(findCampaignReference(text, 100_000), id, text)
    }),
    { numRuns: countRuns(500) }
  )
})

test('no campaign is found where none is named, where several are, or where it is mistyped', () => {
  const [one, other] = [toCampaignReference(7), toCampaignReference(8)]
  for (const text of ['', 'Spende', 'voor de campagne', 'Camp 333', newReference(7), `${one} ${other}`, 'CAMP-3333']) {
    assert.equal(findCampaignReference(text, 1000), undefined, text)
  }
  assert.equal(findCampaignReference(toCampaignReference(1001), 1000), undefined, 'there are not so many')
  for (let place = 0; place < 10; place += 1) {
    for (const wrong of alphabet) {
      const all = plain(one)
      if (wrong === all[place]) continue
      assert.equal(findCampaignReference(all.slice(0, place) + wrong + all.slice(place + 1), 1000), undefined)
    }
  }
  const given = newReference(9)
  assert.equal(findCampaignReference(`${given} ${one}`, 1000), 7)
  assert.ok(findReferences(`${given} ${one}`, 1000).includes(given))
})
