import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { countRuns } from '#test/support/full-run.ts'
import { type Client, calendar, startCalendar } from '#test/support/services.ts'

const { admin, visitor, withRole, anEvent } = await startCalendar()
const path = `${calendar}/events`

async function titles(search: string, more = '', by: Client = visitor): Promise<string[]> {
  const { status, body, text } = await by.get(`${path}?per_page=50&search=${encodeURIComponent(search)}${more}`)
  assert.equal(status, 200, text)
  assert.equal(body.total, body.events.length)
  return body.events.map((one: { title: string }) => one.title)
}

test('all words must be there, in title, excerpt or description, in any order and case, with or without accents', async () => {
  await anEvent({
    title: 'Käsefest',
    excerpt: '<p>Holländischer Gouda</p>',
    description: '<p>Straße der <b>Milch</b>bauern &amp; Senner 100% 5_Sorten C:\\alp</p>'
  })
  await anEvent({ title: 'Käsekurs', description: 'Cheddar 100 Sorten 5 xSorten' })
  const both = ['Käsefest', 'Käsekurs']
  const vectors: [string, string[]][] = [
    ['käse', both],
    ['KASE', both],
    ['ka\u0308se', both],
    ['sefe', ['Käsefest']],
    ['gouda käse', ['Käsefest']],
    ['kase  hollandischer', ['Käsefest']],
    ['gouda cheddar', []],
    ['strasse', ['Käsefest']],
    ['STRAẞE', ['Käsefest']],
    ['milchbauern', ['Käsefest']],
    ['"hollandischer gouda"', ['Käsefest']],
    ['"gouda hollandischer"', []],
    ['kase -gouda', ['Käsekurs']],
    ['kase -"hollandischer gouda"', ['Käsekurs']],
    ['kase -gouda -cheddar', []],
    ['-käsefest kase', ['Käsekurs']],
    ['100%', ['Käsefest']],
    ['5_sorten', ['Käsefest']],
    ['%kase', []],
    ['kas_', []],
    ['c:\\alp', ['Käsefest']],
    ['bauern & senner', ['Käsefest']],
    ['<b>', []],
    ["kase' or 1=1 --", []]
  ]
  for (const [search, expected] of vectors) assert.deepEqual(await titles(search), expected, search)
})

test('a phrase does not run from the title into the text', async () => {
  await anEvent({ title: 'Ends with owls', excerpt: 'hoot at night', description: 'beginning at dawn' })
  assert.deepEqual(await titles('owls hoot'), ['Ends with owls'])
  assert.deepEqual(await titles('"owls hoot"'), [])
  assert.deepEqual(await titles('"night beginning"'), [])
})

test('names of venues and organizers are not searched', async () => {
  await anEvent({ title: 'Searched', venue: { venue: 'Zyklotron' }, organizer: { organizer: 'Quagga' } })
  assert.deepEqual(await titles('zyklotron'), [])
  assert.deepEqual(await titles('quagga'), [])
})

test('what is changed is found by its new words only', async () => {
  const { id } = await anEvent({ title: 'Wombat', description: 'burrow' })
  await admin.patch(`${path}/${id}`, { title: 'Numbat' })
  assert.deepEqual(await titles('wombat'), [])
  assert.deepEqual(await titles('numbat burrow'), ['Numbat'])
  await admin.patch(`${path}/${id}`, { description: '' })
  assert.deepEqual(await titles('burrow'), [])
  assert.deepEqual(await titles('numbat'), ['Numbat'])
})

test('a search looks into the text that the reader gets', async () => {
  const { id } = await anEvent({ title: 'Hedgehog night' })
  await admin.patch(`${path}/${id}?language=de`, { title: 'Igelnacht' })
  await anEvent({ title: 'Igelwanderung', language: 'de' })
  await anEvent({ title: 'Hedgehog walk', language: 'en' })

  assert.deepEqual(await titles('hedgehog', '&language=en'), ['Hedgehog night', 'Hedgehog walk'])
  assert.deepEqual(await titles('igel', '&language=en'), ['Igelwanderung'])
  assert.deepEqual(await titles('hedgehog', '&language=de'), ['Hedgehog walk'])
  assert.deepEqual(await titles('igel', '&language=de'), ['Igelnacht', 'Igelwanderung'])
  assert.deepEqual(await titles('igel', '&language=de&orderby=title&order=desc'), ['Igelwanderung', 'Igelnacht'])
  const german = await visitor.get(`${path}?search=igelnacht`, { 'accept-language': 'de' })
  assert.equal(german.body.total, 1)
  assert.equal((await visitor.get(`${path}?search=igelnacht`)).body.total, 0)
  assert.equal((await visitor.get(`${path}?search=igel&language=fr`)).status, 400)
})

test('what a password hides cannot be found out by searching', async () => {
  const author = await withRole('author')
  await anEvent({ title: 'Vault', description: 'the code is 7351', post_password: 'sesame' }, author)
  assert.deepEqual(await titles('7351'), [])
  assert.deepEqual(await titles('7351', '&password=wrong'), [])
  assert.deepEqual(await titles('7351', '&password=sesame'), ['Vault'])
  assert.deepEqual(await titles('vault 7351', '', await withRole('contributor')), [])
  assert.deepEqual(await titles('vault 7351', '', author), ['Vault'])
  assert.deepEqual(await titles('vault 7351', '', admin), ['Vault'])
})

test('a search must say something, and not too much', async () => {
  for (const wrong of ['', '0', '%20', 'x'.repeat(201)]) {
    const refused = await visitor.get(`${path}?search=${wrong}`)
    assert.deepEqual([refused.status, Object.keys(refused.body.data.params)], [400, ['search']], wrong)
  }
  assert.equal((await visitor.get(`${path}?search[]=x`)).status, 400)
  assert.deepEqual(await titles('"'), [])
  assert.ok((await titles('-nosuchword')).length > 1)
  assert.ok((await titles('- ,')).length > 1)
})

test('whatever is searched for, there is an answer', async () => {
  const piece = fc.oneof(
    fc.constantFrom('"', '-', '%', '_', '\\', ' ', ',', "'", '$1', '\u0301', '\ud800'),
    fc.string()
  )
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async pieces => {
      const search = new URLSearchParams({ search: pieces.join('').toWellFormed() }).toString()
      const { status, text } = await visitor.get(`${path}?${search}`)
      assert.ok(status === 200 || status === 400, text)
    }),
    { numRuns: countRuns(60) }
  )
})
