import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '#test/support/any-character.ts'
import { countRuns } from '#test/support/full-run.ts'
import { Problem } from '../problem.ts'
import { isFilePart } from './file-part.ts'
import { parseForm, parseQuery } from './form.ts'

const urlencoded = 'application/x-www-form-urlencoded'

/** The error of the parser, in the form of the tables below. */
async function catchProblem(work: () => unknown) {
  try {
    await work()
  } catch (error) {
    assert.ok(error instanceof Problem, String(error))
    const { pointer, code, in: place } = error.errors[0] ?? {}
    return { status: error.status, code: code ?? error.code, pointer, place }
  }
  return undefined
}

const read: [query: string, fields: unknown][] = [
  ['', {}],
  ['a=1', { a: '1' }],
  ['a=1&b=2', { a: '1', b: '2' }],
  ['a', { a: '' }],
  ['a=', { a: '' }],
  ['a=b=c', { a: 'b=c' }],
  ['=1&&&a=1&', { a: '1' }],
  ['a=1&a=2', { a: '2' }],
  ['a=x+y%20z&b+c=%2B', { a: 'x y z', 'b c': '+' }],
  ['a=Gr%C3%B6%C3%9fe+%F0%9F%8E%BB&b=Größe', { a: 'Größe 🎻', b: 'Größe' }],
  ['a=100%&b=%zz&c=%4&d=%%41&e=%4g', { a: '100%', b: '%zz', c: '%4', d: '%A', e: '%4g' }],
  ['a=%EF%BF%BD', { a: '\ufffd' }],
  ['categories[]=1&categories[]=2', { categories: ['1', '2'] }],
  ['categories%5B%5D=1&categories%5b%5d=2', { categories: ['1', '2'] }],
  ['venue[venue]=Y&venue[city]=Bonn', { venue: { venue: 'Y', city: 'Bonn' } }],
  ['organizer[0][organizer]=X&organizer[0][email]=e', { organizer: [{ organizer: 'X', email: 'e' }] }],
  ['organizer[][organizer]=X&organizer[][organizer]=Y', { organizer: [{ organizer: 'X' }, { organizer: 'Y' }] }],
  ['a[1]=y&a[0]=x', { a: ['x', 'y'] }],
  ['a[0]=x&a[2]=z', { a: { 0: 'x', 2: 'z' } }],
  ['a[1]=y', { a: { 1: 'y' } }],
  ['a[00]=x', { a: { '00': 'x' } }],
  ['a[0]=x&a[k]=y', { a: { 0: 'x', k: 'y' } }],
  ['a[1]=y&a[k]=x', { a: { 1: 'y', k: 'x' } }],
  ['a[7]=x&a[]=y', { a: { 7: 'x', 8: 'y' } }],
  ['a[k]=x&a[]=y', { a: { k: 'x', 0: 'y' } }],
  ['a[4294967295]=x', { a: { 4294967295: 'x' } }],
  ['a=1&a[]=2', { a: ['2'] }],
  ['a[]=1&a=2', { a: '2' }],
  ['a[b]=1&a[b][c]=2', { a: { b: { c: '2' } } }],
  ['0=x&1=y', { 0: 'x', 1: 'y' }],
  ['a[b][c][d][e][f]=5', { a: { b: { c: { d: { e: { f: '5' } } } } } }],
  ['[a]=1&b[=2&c]=3&d[x]y=4&e[[x]]=5', { '[a]': '1', 'b[': '2', 'c]': '3', 'd[x]y': '4', 'e[[x]]': '5' }],
  ['toString=1&hasOwnProperty[valueOf]=2', { toString: '1', hasOwnProperty: { valueOf: '2' } }]
]

test('queries and forms are parsed in bracket notation', async () => {
  for (const [query, fields] of read) {
    assert.deepEqual(parseQuery(query), fields, query)
    assert.deepEqual(await parseForm(Buffer.from(query), `${urlencoded}; charset=UTF-8`), fields, query)
  }
})

const refused: [query: string, pointer: string, code: string][] = [
  ['a[b][c][d][e][f][g]=6', '/a/b/c/d/e/f/g', 'too-deep'],
  ['__proto__=1', '/__proto__', 'forbidden-name'],
  ['__proto__[admin]=1', '/__proto__', 'forbidden-name'],
  ['a[__proto__][admin]=1', '/a/__proto__', 'forbidden-name'],
  ['a[][%5F_proto__]=1', '/a//__proto__', 'forbidden-name'],
  ['constructor[prototype][admin]=1', '/constructor', 'forbidden-name'],
  ['a[prototype]=1', '/a/prototype', 'forbidden-name'],
  ['a=%00', '/a', 'nul-character'],
  ['a[b][]=x%00', '/a/b/0', 'nul-character'],
  ['a[x]=1&a%00=1', '/a\ufffd', 'nul-character'],
  ['a=%ff', '/a', 'not-utf8'],
  ['venue[city]=K%F6ln', '/venue/city', 'not-utf8'],
  ['a=%ed%a0%80', '/a', 'not-utf8'],
  ['a=%c0%80', '/a', 'not-utf8'],
  ['a=%e2%82', '/a', 'not-utf8'],
  ['%ff=1', '/%ff', 'not-utf8'],
  ['a/b~c=%00', '/a~1b~0c', 'nul-character'],
  [`${'x'.repeat(201)}=1`, `/${'x'.repeat(199)}`, 'name-too-long'],
  ['a=1&'.repeat(1000), '', 'too-many'],
  ['&'.repeat(1000), '', 'too-many']
]

test('forbidden names and characters in a form are refused with 400 and a pointer to the field', async () => {
  for (const [query, pointer, code] of refused) {
    const expected = { status: 400, pointer, code }
    assert.deepEqual(await catchProblem(() => parseQuery(query)), { ...expected, place: 'query' }, query)
    const body = await catchProblem(async () => await parseForm(Buffer.from(query), urlencoded))
    assert.deepEqual(body, { ...expected, place: 'body' }, query)
  }
  assert.equal((await catchProblem(() => parseQuery('a=\ud83c')))?.code, 'lone-surrogate')
  assert.equal(({} as { admin?: string }).admin, undefined)
})

test('bytes that are not UTF-8 are refused with the name of the field', async () => {
  const latin1 = Buffer.from('title=x&venue[city]=Köln', 'latin1')
  assert.deepEqual(await catchProblem(async () => await parseForm(latin1, urlencoded)), {
    status: 400,
    code: 'not-utf8',
    pointer: '/venue/city',
    place: 'body'
  })
})

test('1,000 parameters are accepted', () => {
  assert.equal((parseQuery('a[]=1&'.repeat(1000).slice(0, -1)).a as string[]).length, 1000)
})

test('any value written in bracket notation is parsed to the same value', () => {
  const name = fc.string({ unit: fc.constantFrom(...'abcö 🎻.+%&=~'), minLength: 1, maxLength: 5 })
  const text = fc.string({ unit: anyCharacter }).filter(value => value.isWellFormed() && !value.includes('\0'))
  const { fields } = fc.letrec(tie => ({
    fields: fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    value: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      text,
      fc.array(tie('value'), { minLength: 1, maxLength: 3 }),
      fc.dictionary(name, tie('value'), { minKeys: 1, maxKeys: 3, noNullPrototype: true })
    )
  }))
  const written = (path: string, value: unknown): string[] =>
    typeof value === 'string'
      ? [`${path}=${encodeURIComponent(value)}`]
      : Object.entries(value as object).flatMap(([key, inner]) =>
          written(path === '' ? encodeURIComponent(key) : `${path}[${encodeURIComponent(key)}]`, inner)
        )
  fc.assert(fc.property(fields, value => assert.deepEqual(parseQuery(written('', value).join('&')), value)))
})

test('any query is parsed or refused, and the result has the normal prototype', () => {
  const odd = fc.string({ unit: fc.constantFrom(...'a[]=&%0+.', '__proto__', 'constructor', '\0', 'ö'), maxLength: 60 })
  fc.assert(
    fc.property(odd, query => {
      try {
        const fields = parseQuery(query)
        assert.equal(Object.getPrototypeOf(fields), Object.prototype)
        assert.doesNotMatch(JSON.stringify(fields), /"(__proto__|constructor)":/)
      } catch (error) {
        assert.ok(error instanceof Problem, String(error))
      }
    }),
    { numRuns: countRuns(1000) }
  )
})

const multipart = 'multipart/form-data; boundary=limit'

interface Sent {
  name: string
  content: string | Buffer
  filename?: string
  type?: string
}

function bodyOf(parts: Sent[], boundary = 'limit'): Buffer {
  const pieces = parts.map(({ name, content, filename, type }) => {
    const file = filename === undefined ? '' : `; filename="${filename}"`
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n`
    const typed = type === undefined ? '' : `Content-Type: ${type}\r\n`
    return Buffer.concat([Buffer.from(`${head}${typed}\r\n`), Buffer.from(content), Buffer.from('\r\n')])
  })
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)])
}

test('a multipart form is parsed in bracket notation, and its files are unchanged bytes', async () => {
  const bytes = Buffer.from([0x89, 0x50, 0x0d, 0x0a, 0x2d, 0x2d, 0x00, 0xff])
  const sent = bodyOf([
    { name: 'title', content: 'Größe 🎻 a+b %41\r\n--no limit' },
    { name: 'venue[venue]', content: 'Y' },
    { name: 'categories[]', content: '1' },
    { name: 'categories[]', content: '2' },
    { name: 'empty', content: '' },
    { name: 'note', content: 'ä', type: 'text/plain; charset=iso-8859-1' },
    { name: 'file', content: bytes, filename: '/home/ada/ö 🎻.png', type: 'IMAGE/PNG' },
    { name: 'files[]', content: 'text', filename: 'C:\\a.txt' },
    { name: 'not-chosen', content: '', filename: '', type: 'application/octet-stream' }
  ])
  const { file, files, ...fields } = await parseForm(sent, multipart)
  assert.deepEqual(fields, {
    title: 'Größe 🎻 a+b %41\r\n--no limit',
    venue: { venue: 'Y' },
    categories: ['1', '2'],
    empty: '',
    note: 'ä'
  })
  assert.ok(isFilePart(file))
  assert.deepEqual(file, { filename: 'ö 🎻.png', mimeType: 'image/png', bytes })
  const [other] = files as unknown[]
  assert.ok(isFilePart(other))
  assert.deepEqual(other, { filename: 'a.txt', mimeType: 'text/plain', bytes: Buffer.from('text') })
})

test('a multipart form is parsed with every valid form of the boundary', async () => {
  const longest = "0123456789_'()+,-./:=?".repeat(4).slice(0, 70)
  const parts = [{ name: 'a', content: '1' }]
  const written: [type: string, body: Buffer][] = [
    ['multipart/form-data; boundary="limit"', bodyOf(parts)],
    ['Multipart/Form-Data;charset=utf-8;BOUNDARY=limit; x=y', bodyOf(parts)],
    [`multipart/form-data; boundary="${longest}"`, bodyOf(parts, longest)],
    [`multipart/form-data; boundary=${longest}`, bodyOf(parts, longest)],
    ['multipart/form-data; boundary="two words"', bodyOf(parts, 'two words')],
    [multipart, Buffer.concat([Buffer.from('a preamble\r\n'), bodyOf(parts), Buffer.from('an epilogue --limit')])],
    [multipart, bodyOf(parts).subarray(0, -2)]
  ]
  for (const [type, body] of written) assert.deepEqual(await parseForm(body, type), { a: '1' }, type)
  assert.deepEqual(await parseForm(Buffer.from('--limit--'), multipart), {})
})

test('a multipart form without a boundary, with a wrong one or truncated anywhere is refused with 400', async () => {
  const body = bodyOf([
    { name: 'a', content: '1' },
    { name: 'file', content: 'x', filename: 'x.png' }
  ])
  const text = body.toString()
  const malformed: [type: string, body: Buffer][] = [
    ['multipart/form-data', body],
    ['multipart/form-data; boundary=', body],
    ['multipart/form-data; boundary=""', body],
    ['multipart/form-data; boundary="limit', body],
    ['multipart/form-data; boundary=other', body],
    [`multipart/form-data; boundary=${'x'.repeat(71)}`, bodyOf([], 'x'.repeat(71))],
    [multipart, Buffer.from(text.replace('name="a"', 'nom="a"'))],
    [multipart, Buffer.from(text.replace('\r\n\r\n1', '\r\n1'))],
    [multipart, Buffer.from(text.replace('--limit\r\n', '--limitless\r\n'))],
    [multipart, Buffer.from(text.replaceAll('\r\n', '\n'))],
    [multipart, Buffer.from(text.replace('form-data', `form-data${'; x=y'.repeat(2000)}`))],
    ...Array.from({ length: body.length - 3 }, (_, length): [string, Buffer] => [multipart, body.subarray(0, length)])
  ]
  for (const [type, bytes] of malformed) {
    const response = await catchProblem(async () => await parseForm(bytes, type))
    assert.deepEqual([response?.status, response?.code], [400, 'malformed-form'], `${type} ${bytes.subarray(0, 200)}`)
  }
})

test('forbidden names and characters in a multipart form are refused', async () => {
  const hostile: [part: Sent, pointer: string, code: string][] = [
    [{ name: 'venue[city]', content: Buffer.from([0xff]) }, '/venue/city', 'not-utf8'],
    [{ name: 'a', content: 'x\0' }, '/a', 'nul-character'],
    [{ name: 'a', content: 'x', filename: 'x\0.png' }, '/a', 'nul-character'],
    [{ name: '__proto__[bytes]', content: 'x', filename: 'x' }, '/__proto__', 'forbidden-name'],
    [{ name: 'a[constructor]', content: 'x' }, '/a/constructor', 'forbidden-name'],
    [{ name: 'a[b][c][d][e][f][g]', content: 'x' }, '/a/b/c/d/e/f/g', 'too-deep'],
    [{ name: 'x'.repeat(201), content: 'x' }, `/${'x'.repeat(199)}`, 'name-too-long']
  ]
  for (const [part, pointer, code] of hostile) {
    const response = await catchProblem(async () => await parseForm(bodyOf([part]), multipart))
    assert.deepEqual(response, { status: 400, code, pointer, place: 'body' }, part.name)
  }
  const inLatin1 = Buffer.from(bodyOf([{ name: 'größe', content: 'x' }]).toString(), 'latin1')
  assert.equal((await catchProblem(async () => await parseForm(inLatin1, multipart)))?.code, 'not-utf8')
  const many = bodyOf(Array(1001).fill({ name: 'a[]', content: '1' }))
  assert.equal((await catchProblem(async () => await parseForm(many, multipart)))?.code, 'too-many')
})

test('texts of more than a megabyte are refused with 413, and a file of ten megabytes is accepted', async () => {
  const text = 'x'.repeat(600_000)
  const tooLarge: [type: string, body: Buffer][] = [
    [urlencoded, Buffer.from(`a=${text}${text}`)],
    [multipart, bodyOf([{ name: 'a', content: text + text }])],
    [multipart, bodyOf(['a', 'b'].map(name => ({ name, content: text })))]
  ]
  for (const [type, body] of tooLarge) {
    const response = await catchProblem(async () => await parseForm(body, type))
    assert.deepEqual([response?.status, response?.code], [413, 'body-too-large'])
  }
  const { file } = await parseForm(
    bodyOf([
      { name: 'alt', content: text },
      { name: 'file', content: Buffer.alloc(10_485_760, '\r\n--limi'), filename: 'x.png' }
    ]),
    multipart
  )
  assert.ok(isFilePart(file))
  assert.equal(file.bytes.length, 10_485_760)
})

test('fields with the names of a file’s properties are not a file', () => {
  const { file } = parseQuery('file[filename]=x.png&file[mimeType]=image/png&file[bytes]=x')
  for (const value of [file, { filename: 'x', mimeType: 'y', bytes: Buffer.alloc(1) }, 'x', null, undefined]) {
    assert.equal(isFilePart(value), false)
  }
})

test('a form of another type is refused with 415', async () => {
  for (const type of ['', 'text/plain', 'multipart/mixed; boundary=limit', 'application/json']) {
    assert.equal((await catchProblem(async () => await parseForm(Buffer.from('a=1'), type)))?.status, 415, type)
  }
})

test('any multipart body is parsed or refused, and never waits for more data', async () => {
  const head = 'Content-Disposition: form-data; name="a"'
  const pieces = [
    '\r\n--limit',
    '--limit',
    '\r\n',
    '\r\n\r\n',
    '--',
    head,
    `${head}; filename="f"`,
    ':',
    '"',
    '\n',
    'x'
  ]
  const body = fc.array(fc.constantFrom(...pieces), { maxLength: 20 })
  const parseOrRefuse = async (bytes: Buffer) =>
    await parseForm(bytes, multipart).catch(error => assert.ok(error instanceof Problem, String(error)))
  await fc.assert(
    fc.asyncProperty(body, async parts => {
      await parseOrRefuse(Buffer.from(parts.join('')))
      await parseOrRefuse(Buffer.from(`--limit\r\n${parts.join('')}\r\n--limit--`))
    }),
    { numRuns: countRuns(1000), timeout: 5000 }
  )
})
