import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { campaign, startCampaigns } from '#test/support/services.ts'

const { admin, visitor, withRole, aCampaign, store, settings } = await startCampaigns({
  env: { DEFAULT_LANGUAGE: 'de' }
})
const english = { 'accept-language': 'en' }

const page = {
  presetAmounts: [5, '12.50', 100],
  imageUrl: 'https://example.org/roof.jpg?size=large',
  imageAlt: ' A roof with a hole ',
  language: 'en',
  translations: { de: { name: 'Neues Dach', description: 'Es regnet herein.\nSeit Herbst.' } }
}
const expectedPage = { ...page, presetAmounts: [5, 12.5, 100], imageAlt: 'A roof with a hole' }
const pickPageFields = ({ presetAmounts, imageUrl, imageAlt, language, translations }: Record<string, unknown>) => ({
  presetAmounts,
  imageUrl,
  imageAlt,
  language,
  translations
})

test('the fields for the campaign page are stored, kept by a PUT without them, and can be cleared', async () => {
  const created = await admin.post('/campaigns', { ...campaign, ...page })
  assert.equal(created.status, 201)
  assert.deepEqual(pickPageFields(created.body), expectedPage)
  const path = `/campaigns/${created.body.id}`
  assert.deepEqual(pickPageFields((await visitor.get(path)).body), expectedPage)
  const listed = (await visitor.get('/campaigns')).body.find(({ id }: { id: number }) => id === created.body.id)
  assert.deepEqual(listed, (await visitor.get(path)).body)

  const again = await admin.put(path, created.body)
  assert.deepEqual(pickPageFields(again.body), expectedPage)
  const withoutPageFields = await admin.put(path, campaign)
  assert.deepEqual(pickPageFields(withoutPageFields.body), expectedPage)
  const emptyPage = { presetAmounts: [], imageUrl: null, imageAlt: '', translations: {} }
  const removed = await admin.put(path, { ...campaign, ...emptyPage })
  assert.deepEqual(pickPageFields(removed.body), { ...emptyPage, language: 'en' })
})

test('a campaign without a stored language has the language of the site', async () => {
  const { id } = await aCampaign({ language: 'en' })
  await store.script(`update fundraising.campaigns set language = null where id = ${id}`)
  assert.equal((await visitor.get(`/campaigns/${id}`)).body.language, settings.defaultLanguage)
})

test('translations are stored only for the supported languages and without unknown fields', async () => {
  const text = { name: 'Neues Dach' }
  const { body } = await admin.post('/campaigns', {
    ...campaign,
    translations: { de: { ...text, colour: 'green' }, fr: { name: 'Un toit' } }
  })
  assert.deepEqual(body.translations, { de: { name: 'Neues Dach', description: '' } })
  const { stored } = await store.one<{ stored: object }>(sql`
    select translations as stored from fundraising.campaigns where id = ${body.id}`)
  assert.deepEqual(stored, body.translations)
})

const refused: [fields: object, status: number, pointer: string, code: string, messagePattern: RegExp][] = [
  [{ presetAmounts: [5, 4] }, 400, '/presetAmounts/1', 'not-ascending', /larger than the amount before/],
  [{ presetAmounts: [5, 6, 6] }, 400, '/presetAmounts/2', 'not-ascending', /larger than the amount before/],
  [{ presetAmounts: [5, 6, 7, 8, 9, 10, 11, 12, 13] }, 400, '/presetAmounts', 'too-many', /at most 8/],
  [{ presetAmounts: [4.99, 6] }, 422, '/presetAmounts/0', 'preset-too-small', /at least 5/],
  [{ presetAmounts: [0] }, 400, '/presetAmounts/0', 'too-small', /more than 0/],
  [{ presetAmounts: [5, '6,50'] }, 400, '/presetAmounts/1', 'comma', /point/],
  [{ presetAmounts: '5' }, 400, '/presetAmounts', 'type', /a list/],
  [{ imageUrl: 'javascript:alert(1)' }, 400, '/imageUrl', 'web-address', /https:/],
  [{ imageUrl: '//evil.example/a.png' }, 400, '/imageUrl', 'web-address', /one \//],
  [{ imageUrl: '/\\evil.example/a.png' }, 400, '/imageUrl', 'web-address', /one \//],
  [{ imageUrl: 'roof.jpg' }, 400, '/imageUrl', 'web-address', /path/],
  [{ imageUrl: 'https://ada:secret@example.org/a.png' }, 400, '/imageUrl', 'web-address', /URL/],
  [{ imageUrl: `/${'x'.repeat(2000)}` }, 400, '/imageUrl', 'too-long', /2000/],
  [{ imageAlt: 'x'.repeat(301) }, 400, '/imageAlt', 'too-long', /300/],
  [{ language: 'fr' }, 400, '/language', 'not-allowed', /en, de/],
  [{ translations: { de: { description: 'x' } } }, 400, '/translations/de/name', 'required', /required/],
  [{ translations: [] }, 400, '/translations', 'type', /object/]
]

for (const [fields, status, pointer, code, messagePattern] of refused) {
  test(`${JSON.stringify(fields).slice(0, 60)} is refused at ${pointer}, and nothing changes`, async () => {
    const { id } = await aCampaign(page)
    const before = (await admin.get(`/campaigns/${id}`)).body
    for (const response of [
      await admin.put(`/campaigns/${id}`, { ...campaign, ...fields }, english),
      await admin.post('/campaigns', { ...campaign, ...fields }, english)
    ]) {
      assert.equal(response.status, status)
      assert.deepEqual(
        response.body.errors.map((error: { pointer: string; code: string }) => [error.pointer, error.code]),
        [[pointer, code]]
      )
      assert.match(response.body.errors[0].message, messagePattern)
    }
    assert.deepEqual((await admin.get(`/campaigns/${id}`)).body, before)
  })
}

test('an admin can list deleted campaigns with the time of deletion, and restore one of them', async () => {
  const [notDeleted, one, other] = [await aCampaign(), await aCampaign(), await aCampaign({ status: 'draft' })]
  for (const { id } of [one, other]) await admin.delete(`/campaigns/${id}`)
  const listDeleted = async () =>
    (await admin.get('/campaigns?deleted=true')).body as { id: number; deletedAt: string }[]
  const toIds = (all: { id: number }[]) => all.map(({ id }) => id)
  const deleted = await listDeleted()
  assert.deepEqual(toIds(deleted).slice(-2), [one.id, other.id])
  assert.ok(!toIds(deleted).includes(notDeleted.id))
  for (const { deletedAt } of deleted) assert.ok(Math.abs(Date.parse(deletedAt) - Date.now()) < 60_000)

  const paged = await admin.get('/campaigns?deleted=true&limit=1')
  assert.equal(paged.headers['x-total-count'], String(deleted.length))
  assert.match(paged.headers.link ?? '', /deleted=true.*rel="next"/)

  const restored = await admin.post(`/campaigns/${one.id}/restore`)
  assert.equal(restored.body.deletedAt, undefined)
  assert.ok(!toIds(await listDeleted()).includes(one.id))
  for (const query of ['', '?deleted=false']) {
    const { body } = await admin.get(`/campaigns${query}`)
    assert.ok(toIds(body).includes(one.id) && !toIds(body).includes(other.id))
    assert.ok(body.every((campaign: object) => !('deletedAt' in campaign)))
  }
})

test('only admins can list deleted campaigns', async () => {
  const { id } = await aCampaign({ name: 'Gone' })
  await admin.delete(`/campaigns/${id}`)
  for (const role of ['viewer', 'author', 'editor', 'treasurer'] as const) {
    const { status, text } = await (await withRole(role)).get('/campaigns?deleted=true')
    assert.equal(status, 403, role)
    assert.doesNotMatch(text, /Gone/)
  }
  assert.equal((await visitor.get('/campaigns?deleted=true')).status, 401)
  assert.equal((await admin.get('/campaigns?deleted=yes')).status, 400)
})
