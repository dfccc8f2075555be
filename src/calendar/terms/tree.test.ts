// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendar, startCalendar } from '#test/support/services.ts'

const { admin, visitor, aCategory, aTag } = await startCalendar()
const categories = `${calendar}/categories`

let nameCount = 0
async function createCategory(parent = 0): Promise<number> {
  nameCount += 1
  return (await aCategory({ name: `Category ${nameCount}`, parent })).id
}
const readParent = async (id: number) => (await visitor.get(`${categories}/${id}`)).body.parent
const moveTo = async (id: number, parent: unknown) => await admin.patch(`${categories}/${id}`, { parent })

test('a category can get a parent, and become a top-level category again', async () => {
  const [top, below] = [await createCategory(), await createCategory()]
  const down = await moveTo(below, top)
  assert.equal(down.body.parent, top)
  assert.equal(down.body.urls.up, `http://localhost:80${categories}/${top}`)
  assert.match(down.body.url, /\/events\/category\/category-\d+\/category-\d+\/$/)
  assert.equal((await admin.patch(`${categories}/${below}`, { description: 'x' })).body.parent, top)
  for (const emptyValue of [0, null, '']) {
    await moveTo(below, top)
    const up = await moveTo(below, emptyValue)
    assert.equal(up.body.parent, 0, up.text)
    assert.equal(up.body.urls.up, undefined)
  }
})

test('the parent must be a category that exists', async () => {
  const id = await createCategory()
  const tag = await aTag()
  for (const parent of [tag.id, 999_999, -1, 'music', 1.5, {}]) {
    for (const answer of [
      await admin.post(categories, { name: `Below ${parent}`, parent }),
      await moveTo(id, parent)
    ]) {
      assert.equal(answer.status, 400, answer.text)
      assert.equal(answer.body.code, 'rest_invalid_param')
      assert.deepEqual(Object.keys(answer.body.data.params), ['parent'])
    }
  }
  assert.equal(await readParent(id), 0)
})

test('categories with different parents can have the same name, with different slugs', async () => {
  const [one, other] = [await createCategory(), await createCategory()]
  const first = await aCategory({ name: 'Choirs', parent: one })
  const second = await aCategory({ name: 'Choirs', parent: other })
  assert.deepEqual([first.slug, second.slug], ['choirs', 'choirs-2'])
  const again = await admin.post(categories, { name: 'choirs', parent: other })
  assert.equal(again.body.code, 'term_exists')
  assert.equal(again.body.data.term_id, second.id)
})

test('the parent of a category cannot be the category itself or a descendant', async () => {
  const top = await createCategory()
  const middle = await createCategory(top)
  const bottom = await createCategory(middle)
  for (const parent of [top, middle, bottom]) {
    const answer = await moveTo(top, parent)
    assert.equal(answer.status, 400, answer.text)
    assert.deepEqual(Object.keys(answer.body.data.params), ['parent'])
  }
  assert.equal(await readParent(top), 0)
})

test('categories can be at most twenty levels deep', async () => {
  const chain = [await createCategory()]
  while (chain.length < 20) chain.push(await createCategory(chain.at(-1)))
  const deeper = await admin.post(categories, { name: 'Too deep', parent: chain.at(-1) })
  assert.equal(deeper.status, 400, deeper.text)
  assert.deepEqual(Object.keys(deeper.body.data.params), ['parent'])

  const top = await createCategory()
  assert.equal((await moveTo(chain[0] ?? 0, top)).status, 400, 'descendants count as well')
  assert.equal((await moveTo(chain[1] ?? 0, top)).status, 200)
})

test('the children of a deleted category get its parent', async () => {
  const top = await createCategory()
  const middle = await createCategory(top)
  const [one, other] = [await createCategory(middle), await createCategory(middle)]
  const below = await createCategory(one)
  assert.equal((await admin.delete(`${categories}/${middle}`)).status, 200)
  assert.deepEqual([await readParent(one), await readParent(other), await readParent(below)], [top, top, one])
  assert.equal((await admin.delete(`${categories}/${top}`)).status, 200)
  assert.deepEqual([await readParent(one), await readParent(other)], [0, 0])
})

test('two concurrent moves cannot create a cycle', async () => {
  for (let round = 0; round < 8; round += 1) {
    const [one, other] = [await createCategory(), await createCategory()]
    const [third, fourth] = [await createCategory(one), await createCategory(other)]
    const answers = await Promise.all([moveTo(one, fourth), moveTo(other, third)])
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400])
  }
})

test('concurrent requests with the same name create one category', async () => {
  for (const name of ['Rush', 'Rush hour']) {
    const answers = await Promise.all(Array.from({ length: 12 }, async () => await admin.post(categories, { name })))
    const created = answers.filter(({ status }) => status === 201)
    assert.equal(created.length, 1)
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      assert.equal(answer.body.code, 'term_exists', answer.text)
      assert.equal(answer.body.data.term_id, created[0]?.body.id)
    }
  }
})

test('of concurrent requests for the same slug one succeeds', async () => {
  const ids = await Promise.all(Array.from({ length: 4 }, async () => await createCategory()))
  const answers = await Promise.all(ids.map(async id => await admin.patch(`${categories}/${id}`, { slug: 'the-one' })))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400, 400, 400])
  const refused = answers.find(({ status }) => status === 400)
  assert.equal(refused?.body.code, 'duplicate_term_slug')
})

test('two concurrent changes of different fields are both kept', async () => {
  for (let round = 0; round < 8; round += 1) {
    const id = await createCategory()
    const at = `${categories}/${id}`
    await Promise.all([admin.patch(at, { name: `Both ${round}` }), admin.patch(at, { description: 'Both' })])
    const { name, description } = (await visitor.get(at)).body
    assert.deepEqual({ name, description }, { name: `Both ${round}`, description: 'Both' })
  }
})

test('a category that is deleted while others get it as parent is the parent of none', async () => {
  for (let round = 0; round < 6; round += 1) {
    const top = await createCategory()
    const [removed, created, other] = await Promise.all([
      admin.delete(`${categories}/${top}`),
      admin.post(categories, { name: `Late ${round}`, parent: top }),
      createCategory().then(async id => await moveTo(id, top))
    ])
    assert.equal(removed.status, 200, removed.text)
    for (const answer of [created, other]) {
      assert.ok([200, 201, 400].includes(answer.status), answer.text)
      if (answer.status !== 400) assert.equal(await readParent(answer.body.id), 0)
    }
  }
})
