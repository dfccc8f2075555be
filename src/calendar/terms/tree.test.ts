// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendar, startCalendar } from '#test/support/services.ts'

const { admin, visitor, aCategory, aTag } = await startCalendar()
const categories = `${calendar}/categories`

let names = 0
async function aFreshCategory(parent = 0): Promise<number> {
  names += 1
  return (await aCategory({ name: `Category ${names}`, parent })).id
}
const parentOf = async (id: number) => (await visitor.get(`${categories}/${id}`)).body.parent
const moved = async (id: number, parent: unknown) => await admin.patch(`${categories}/${id}`, { parent })

test('a category is moved below another and back to the top', async () => {
  const [top, below] = [await aFreshCategory(), await aFreshCategory()]
  const down = await moved(below, top)
  assert.equal(down.body.parent, top)
  assert.equal(down.body.urls.up, `http://localhost:80${categories}/${top}`)
  assert.match(down.body.url, /\/events\/category\/category-\d+\/category-\d+\/$/)
  assert.equal((await admin.patch(`${categories}/${below}`, { description: 'x' })).body.parent, top)
  for (const none of [0, null, '']) {
    await moved(below, top)
    const up = await moved(below, none)
    assert.equal(up.body.parent, 0, up.text)
    assert.equal(up.body.urls.up, undefined)
  }
})

test('the parent must be a category that exists', async () => {
  const id = await aFreshCategory()
  const tag = await aTag()
  for (const parent of [tag.id, 999_999, -1, 'music', 1.5, {}]) {
    for (const answer of [await admin.post(categories, { name: `Below ${parent}`, parent }), await moved(id, parent)]) {
      assert.equal(answer.status, 400, answer.text)
      assert.equal(answer.body.code, 'rest_invalid_param')
      assert.deepEqual(Object.keys(answer.body.data.params), ['parent'])
    }
  }
  assert.equal(await parentOf(id), 0)
})

test('the same name may stand below different parents, with a slug of its own', async () => {
  const [one, other] = [await aFreshCategory(), await aFreshCategory()]
  const first = await aCategory({ name: 'Choirs', parent: one })
  const second = await aCategory({ name: 'Choirs', parent: other })
  assert.deepEqual([first.slug, second.slug], ['choirs', 'choirs-2'])
  const again = await admin.post(categories, { name: 'choirs', parent: other })
  assert.equal(again.body.code, 'term_exists')
  assert.equal(again.body.data.term_id, second.id)
})

test('a category cannot be below itself', async () => {
  const top = await aFreshCategory()
  const middle = await aFreshCategory(top)
  const bottom = await aFreshCategory(middle)
  for (const parent of [top, middle, bottom]) {
    const answer = await moved(top, parent)
    assert.equal(answer.status, 400, answer.text)
    assert.deepEqual(Object.keys(answer.body.data.params), ['parent'])
  }
  assert.equal(await parentOf(top), 0)
})

test('categories go twenty levels deep and no further', async () => {
  const chain = [await aFreshCategory()]
  while (chain.length < 20) chain.push(await aFreshCategory(chain.at(-1)))
  const deeper = await admin.post(categories, { name: 'Too deep', parent: chain.at(-1) })
  assert.equal(deeper.status, 400, deeper.text)
  assert.deepEqual(Object.keys(deeper.body.data.params), ['parent'])

  const top = await aFreshCategory()
  assert.equal((await moved(chain[0] ?? 0, top)).status, 400, 'What is below comes with it.')
  assert.equal((await moved(chain[1] ?? 0, top)).status, 200)
})

test('what was below a category that is removed moves one level up', async () => {
  const top = await aFreshCategory()
  const middle = await aFreshCategory(top)
  const [one, other] = [await aFreshCategory(middle), await aFreshCategory(middle)]
  const below = await aFreshCategory(one)
  assert.equal((await admin.delete(`${categories}/${middle}`)).status, 200)
  assert.deepEqual([await parentOf(one), await parentOf(other), await parentOf(below)], [top, top, one])
  assert.equal((await admin.delete(`${categories}/${top}`)).status, 200)
  assert.deepEqual([await parentOf(one), await parentOf(other)], [0, 0])
})

test('two moves at the same time cannot make a circle', async () => {
  for (let round = 0; round < 8; round += 1) {
    const [one, other] = [await aFreshCategory(), await aFreshCategory()]
    const [third, fourth] = [await aFreshCategory(one), await aFreshCategory(other)]
    const answers = await Promise.all([moved(one, fourth), moved(other, third)])
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400])
  }
})

test('the same name at the same time makes one category', async () => {
  for (const name of ['Rush', 'Rush hour']) {
    const answers = await Promise.all(Array.from({ length: 12 }, async () => await admin.post(categories, { name })))
    const made = answers.filter(({ status }) => status === 201)
    assert.equal(made.length, 1)
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      assert.equal(answer.body.code, 'term_exists', answer.text)
      assert.equal(answer.body.data.term_id, made[0]?.body.id)
    }
  }
})

test('a slug that several want at the same time goes to one', async () => {
  const ids = await Promise.all(Array.from({ length: 4 }, async () => await aFreshCategory()))
  const answers = await Promise.all(ids.map(async id => await admin.patch(`${categories}/${id}`, { slug: 'the-one' })))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400, 400, 400])
  const refused = answers.find(({ status }) => status === 400)
  assert.equal(refused?.body.code, 'duplicate_term_slug')
})

test('two changes of different fields at the same time are both kept', async () => {
  for (let round = 0; round < 8; round += 1) {
    const id = await aFreshCategory()
    const at = `${categories}/${id}`
    await Promise.all([admin.patch(at, { name: `Both ${round}` }), admin.patch(at, { description: 'Both' })])
    const { name, description } = (await visitor.get(at)).body
    assert.deepEqual({ name, description }, { name: `Both ${round}`, description: 'Both' })
  }
})

test('a category that is removed while others are put below it leaves none below nothing', async () => {
  for (let round = 0; round < 6; round += 1) {
    const top = await aFreshCategory()
    const [removed, made, other] = await Promise.all([
      admin.delete(`${categories}/${top}`),
      admin.post(categories, { name: `Late ${round}`, parent: top }),
      aFreshCategory().then(async id => await moved(id, top))
    ])
    assert.equal(removed.status, 200, removed.text)
    for (const answer of [made, other]) {
      assert.ok([200, 201, 400].includes(answer.status), answer.text)
      if (answer.status !== 400) assert.equal(await parentOf(answer.body.id), 0)
    }
  }
})
