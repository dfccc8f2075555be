import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { countRuns } from '#test/support/full-run.ts'
import { type Client, calendar, startCalendar } from '#test/support/services.ts'

const { admin, visitor, withRole, anEvent } = await startCalendar()
const path = `${calendar}/events`

async function findTitles(search: string, more = '', by: Client = visitor): Promise<string[]> {
  const { status, body, text } = await by.get(`${path}?per_page=50&search=${encodeURIComponent(search)}${more}`)
  assert.equal(status, 200, text)
  assert.equal(body.total, body.events.length)
  return body.events.map((item: { title: string }) => item.title)
}

test('a search finds events with all words in title, excerpt or description, in any order and case, with or without accents', async () => {
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
  for (const [search, expected] of vectors) assert.deepEqual(await findTitles(search), expected, search)
})

test('a phrase does not match across title, excerpt and description', async () => {
  await anEvent({ title: 'Ends with owls', excerpt: 'hoot at night', description: 'beginning at dawn' })
  assert.deepEqual(await findTitles('owls hoot'), ['Ends with owls'])
  assert.deepEqual(await findTitles('"owls hoot"'), [])
  assert.deepEqual(await findTitles('"night beginning"'), [])
})

test('names of venues and organizers are not searched', async () => {
  await anEvent({ title: 'Searched', venue: { venue: 'Zyklotron' }, organizer: { organizer: 'Quagga' } })
  assert.deepEqual(await findTitles('zyklotron'), [])
  assert.deepEqual(await findTitles('quagga'), [])
})

test('a changed event is found by its new words only', async () => {
  const { id } = await anEvent({ title: 'Wombat', description: 'burrow' })
  await admin.patch(`${path}/${id}`, { title: 'Numbat' })
  assert.deepEqual(await findTitles('wombat'), [])
  assert.deepEqual(await findTitles('numbat burrow'), ['Numbat'])
  await admin.patch(`${path}/${id}`, { description: '' })
  assert.deepEqual(await findTitles('burrow'), [])
  assert.deepEqual(await findTitles('numbat'), ['Numbat'])
})

test('a search looks only at the text in the language of the response', async () => {
  const { id } = await anEvent({ title: 'Hedgehog night' })
  await admin.patch(`${path}/${id}?language=de`, { title: 'Igelnacht' })
  await anEvent({ title: 'Igelwanderung', language: 'de' })
  await anEvent({ title: 'Hedgehog walk', language: 'en' })

  assert.deepEqual(await findTitles('hedgehog', '&language=en'), ['Hedgehog night', 'Hedgehog walk'])
  assert.deepEqual(await findTitles('igel', '&language=en'), ['Igelwanderung'])
  assert.deepEqual(await findTitles('hedgehog', '&language=de'), ['Hedgehog walk'])
  assert.deepEqual(await findTitles('igel', '&language=de'), ['Igelnacht', 'Igelwanderung'])
  assert.deepEqual(await findTitles('igel', '&language=de&orderby=title&order=desc'), ['Igelwanderung', 'Igelnacht'])
  const german = await visitor.get(`${path}?search=igelnacht`, { 'accept-language': 'de' })
  assert.equal(german.body.total, 1)
  assert.equal((await visitor.get(`${path}?search=igelnacht`)).body.total, 0)
  assert.equal((await visitor.get(`${path}?search=igel&language=fr`)).status, 400)
})

test('a search matches protected texts only with the password or for callers who may edit the event', async () => {
  const author = await withRole('author')
  await anEvent({ title: 'Vault', description: 'the code is 7351', post_password: 'sesame' }, author)
  assert.deepEqual(await findTitles('7351'), [])
  assert.deepEqual(await findTitles('7351', '&password=wrong'), [])
  assert.deepEqual(await findTitles('7351', '&password=sesame'), ['Vault'])
  assert.deepEqual(await findTitles('vault 7351', '', await withRole('contributor')), [])
  assert.deepEqual(await findTitles('vault 7351', '', author), ['Vault'])
  assert.deepEqual(await findTitles('vault 7351', '', admin), ['Vault'])
})

test('an empty or too long search is refused; a search with only excluded words is allowed', async () => {
  for (const wrong of ['', '0', '%20', 'x'.repeat(201)]) {
    const refused = await visitor.get(`${path}?search=${wrong}`)
    assert.deepEqual([refused.status, Object.keys(refused.body.data.params)], [400, ['search']], wrong)
  }
  assert.equal((await visitor.get(`${path}?search[]=x`)).status, 400)
  assert.deepEqual(await findTitles('"'), [])
  assert.ok((await findTitles('-nosuchword')).length > 1)
  assert.ok((await findTitles('- ,')).length > 1)
})

test('no search text causes a server error', async () => {
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
