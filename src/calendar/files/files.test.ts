import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noCounts, startImports } from '#test/support/calendar/imports.ts'
import { buildTecEvent, startTecSite } from '#test/support/calendar/tec-site.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { calendar } from '#test/support/services.ts'
import { readDocument } from './document.ts'

const here = await startImports()
const { findEvent, runImport, listRows, readState, undoImport } = here

const pdf = Buffer.from('%PDF-1.7\n%…')
const zip = (names: string) => Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), Buffer.from(names)])

test('a document is accepted only if its content matches the type of its name', () => {
  const accepted: Record<string, Buffer> = {
    'a.pdf': pdf,
    'A.PDF': pdf,
    'a.doc': Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    'a.docx': zip('[Content_Types].xml word/document.xml'),
    'a.xlsx': zip('[Content_Types].xml xl/workbook.xml'),
    'a.odt': zip('mimetypeapplication/vnd.oasis.opendocument.text')
  }
  for (const [name, bytes] of Object.entries(accepted)) assert.ok(readDocument(name, bytes), name)
  const refused: Record<string, Buffer> = {
    'a.html': Buffer.from('<html>'),
    'a.svg': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg">'),
    'page.pdf': Buffer.from('<html><script>alert(1)</script>'),
    'a.docx': zip('[Content_Types].xml word/document.xml word/vbaProject.bin'),
    'b.docx': zip('[Content_Types].xml xl/workbook.xml'),
    'a.docm': zip('[Content_Types].xml word/document.xml'),
    'a.odt': zip('mimetypeapplication/vnd.oasis.opendocument.spreadsheet'),
    'a.exe': Buffer.from('MZ'),
    'a.zip': zip('x'),
    constructor: pdf,
    pdf
  }
  for (const [name, bytes] of Object.entries(refused)) assert.equal(readDocument(name, bytes), undefined, name)
})

test('an import copies documents of the site that a text links to; other links stay and are reported', {
  skip: skipUnlessFull
}, async () => {
  const site = await startTecSite()
  const uploads = '/wp-content/uploads'
  const contents: Record<string, Buffer> = { 'plan.pdf': pdf, 'false.pdf': Buffer.from('<html>'), 'music.mp3': pdf }
  site.answer = (url, response) => {
    if (!url.pathname.startsWith(uploads)) return false
    const bytes = contents[url.pathname.slice(uploads.length + 1)]
    response.writeHead(bytes === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(bytes)
    return true
  }
  const links = ['plan.pdf', 'false.pdf', 'missing.pdf', 'music.mp3'].map(
    name => `<a href="${site.url}${uploads}/${name}">${name}</a>`
  )
  const foreign = '<a href="https://other.example/their.pdf">theirs</a>'
  site.lists.events = [buildTecEvent(1, { title: 'Event with files', description: `<p>${links} ${foreign}</p>` })]
  const before = await readState()
  const done = await runImport(site)
  assert.deepEqual(done.counts, { ...noCounts, new: 2, problem: 2 })
  const { description } = await findEvent('Event with files')
  const [, path = ''] = /<a href="([^"]*\/files\/\d+\/[0-9a-f]{16}\/plan\.pdf)" rel="noopener">/.exec(description) ?? []
  for (const name of ['false.pdf', 'missing.pdf', 'music.mp3'])
    assert.ok(description.includes(`href="${site.url}${uploads}/${name}"`), name)
  assert.ok(description.includes('href="https://other.example/their.pdf"'))
  const [row] = (await listRows(done.id)).filter(({ kind }) => kind === 'event')
  assert.deepEqual([row.codes, row.reasons.length], [['file-stayed'], 3])

  const file = await here.visitor.get(path)
  assert.equal(file.status, 200)
  assert.equal(file.headers['content-type'], 'application/pdf')
  assert.equal(file.headers['content-disposition'], 'attachment; filename="plan.pdf"')
  assert.equal(file.headers['x-content-type-options'], 'nosniff')
  assert.match(file.headers['content-security-policy'] ?? '', /sandbox/)
  assert.equal((await here.visitor.get(path.replace(/[0-9a-f]{16}/, '0'.repeat(16)))).status, 404)
  assert.equal((await here.visitor.get('/files/x/y/z.pdf')).status, 404)

  const upload = `${calendar}/redirects?upload=${encodeURIComponent(`${uploads}/plan.pdf`)}`
  assert.equal((await here.visitor.get(upload)).body.redirects[0].kind, 'file')
  assert.deepEqual((await runImport(site)).counts, { ...noCounts, same: 1, problem: 2 })
  await undoImport(done.id)
  assert.deepEqual(await readState(), before)
  assert.equal((await here.visitor.get(path)).status, 404)
})

test('editors list and delete files; a deleted file is 404', async () => {
  const site = await startTecSite()
  site.answer = (url, response) => {
    if (!url.pathname.endsWith('.pdf')) return false
    response.end(Buffer.concat([pdf, Buffer.from('to delete')]))
    return true
  }
  const description = `<a href="${site.url}/x/to-delete.pdf">x</a>`
  site.lists.events = [buildTecEvent(1, { title: 'To delete', description })]
  const done = await runImport(site)
  const { files } = (await here.editor.get(`${calendar}/files`)).body
  assert.deepEqual([files[0].name, files[0].source], ['to-delete.pdf', `${site.url}/x/to-delete.pdf`])
  assert.equal((await here.visitor.get(`${calendar}/files`)).status, 401)
  assert.equal((await here.editor.delete(`${calendar}/files/${files[0].id}`)).status, 200)
  const again = await here.editor.delete(`${calendar}/files/${files[0].id}`)
  assert.deepEqual([again.status, again.body.code], [404, 'rest-file-not-found'])
  assert.equal((await here.visitor.get(new URL(files[0].url, 'http://x').pathname)).status, 404)
  assert.equal((await undoImport(done.id)).status, 'undone')
})
