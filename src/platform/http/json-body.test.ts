// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaign, startCampaigns } from '#test/support/services.ts'
import { sql } from '../database/sql.ts'

const { admin, store } = await startCampaigns()

const send = async (payload: string | Buffer, contentType: string | undefined = 'application/json') =>
  await admin.send({
    method: 'POST',
    url: '/campaigns',
    payload,
    headers: contentType === '' ? {} : { 'content-type': contentType }
  })
const countCampaigns = async () =>
  (await store.one<{ n: number }>(sql`select count(*) as n from fundraising.campaigns`)).n

/** The campaign as JSON, with this text added. */
const withMore = (more: string) => JSON.stringify(campaign).replace(/}$/, `,${more}}`)
const nested = (levels: number) => '{"a":'.repeat(levels) + 1 + '}'.repeat(levels)
const valid = JSON.stringify(campaign)

const accepted: Record<string, string | Buffer> = {
  plain: valid,
  'with blanks around it': `\r\n\t ${valid} \n`,
  'with a byte order mark': `\ufeff${valid}`,
  'with a byte order mark as bytes': Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(valid)]),
  'with non-ASCII characters': JSON.stringify({ ...campaign, name: 'Größe für Łódź, 東京 und 🎻' }),
  'with escaped surrogate pairs': withMore('"description":"\\ud83c\\udfbb"'),
  'nested twenty levels deep': withMore(`"more":${nested(19)}`),
  'with lists twenty levels deep': withMore(`"more":${'['.repeat(19)}${']'.repeat(19)}`),
  'with names of object properties': withMore('"constructor":1,"prototype":2,"toString":3,"hasOwnProperty":4'),
  'with a list of 10,000 numbers': withMore(`"more":[${Array(10_000).fill('1').join(',')}]`),
  'of almost a megabyte': withMore(`"more":"${'x'.repeat(1_000_000)}"`)
}

test('every valid form of a JSON body is accepted', async () => {
  for (const [what, body] of Object.entries(accepted)) {
    const response = await send(body)
    assert.equal(response.status, 201, `${what}: ${response.text.slice(0, 300)}`)
  }
  for (const type of ['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json;charset=UTF-8']) {
    assert.equal((await send(valid, type)).status, 201, type)
  }
})

const malformed: Record<string, string | Buffer> = {
  'a truncated object': valid.slice(0, -1),
  'two objects': valid + valid,
  'a trailing comma': `${valid.slice(0, -1)},}`,
  'single quotes': "{'name':'x'}",
  words: 'name=x',
  NaN: withMore('"donationMinimum":NaN'),
  'a control character in a string': withMore('"description":"a\nb"'),
  'Latin-1': Buffer.from(JSON.stringify({ ...campaign, name: 'Größe' }), 'latin1'),
  'UTF-16': Buffer.from(valid, 'utf16le'),
  'a cut-off character': Buffer.concat([Buffer.from(valid.slice(0, -1)), Buffer.from([0xe2, 0x82])]),
  'invalid bytes': Buffer.from([0xff, 0xfe, 0xc0, 0x80]),
  'a coded surrogate': Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
  'only white space': '   ',
  'a NUL': '\u0000',
  '10,000 open brackets': '['.repeat(10_000),
  '1,000,000 open brackets': '['.repeat(1_000_000)
}

test('a body that is not JSON in UTF-8 is refused with 400, and the next request works', async () => {
  const before = await countCampaigns()
  for (const [what, body] of Object.entries(malformed)) {
    const response = await send(body)
    assert.equal(response.status, 400, what)
    assert.equal(response.body.code, 'malformed-json', what)
  }
  assert.equal(await countCampaigns(), before)
  for (const body of [accepted.plain, accepted['with a byte order mark']])
    assert.equal((await send(body ?? '')).status, 201)
})

test('an empty body, or one that is not an object, is refused with 400', async () => {
  const responses = [
    await send(''),
    await admin.post('/campaigns'),
    ...(await Promise.all(['null', '[]', '"text"', '7', 'true', '[{}]'].map(async body => await send(body))))
  ]
  for (const { status, body, text } of responses) {
    assert.equal(status, 400, text)
    assert.equal(body.errors[0].pointer, '')
  }
})

test('a body of another type is refused with 415', async () => {
  const types = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonp',
    'text/json',
    'nonsense',
    ''
  ]
  for (const type of types) {
    const response = await send(valid, type)
    assert.equal(response.status, 415, type)
    assert.equal(response.body.code, 'unsupported-media-type')
  }
})

test('a body of more than a megabyte is refused with 413', async () => {
  for (const bytes of [1_048_577, 5_000_000]) {
    const response = await send(`"${'x'.repeat(bytes - 2)}"`)
    assert.equal(response.status, 413, String(bytes))
    assert.equal(response.body.code, 'body-too-large')
  }
})

const hostile: [what: string, body: string, pointer: string, code: string][] = [
  ['21 levels', withMore(`"more":${nested(20)}`), `/more${'/a'.repeat(19)}`, 'too-deep'],
  ['21 lists', withMore(`"more":${'['.repeat(20)}${']'.repeat(20)}`), `/more${'/0'.repeat(19)}`, 'too-deep'],
  ['10,000 levels', withMore(`"more":${nested(10_000)}`), `/more${'/a'.repeat(19)}`, 'too-deep'],
  ['10,000 lists', '['.repeat(10_000) + ']'.repeat(10_000), '/0'.repeat(20), 'too-deep'],
  ['__proto__ on top', withMore('"__proto__":{"role":"admin"}'), '/__proto__', 'forbidden-name'],
  ['__proto__ inside', withMore('"more":{"__proto__":1}'), '/more/__proto__', 'forbidden-name'],
  ['__proto__ in a list', withMore('"more":[{"a":[{"__proto__":null}]}]'), '/more/0/a/0/__proto__', 'forbidden-name'],
  ['__proto__ in escapes', withMore('"\\u005f_proto__":1'), '/__proto__', 'forbidden-name'],
  ['NUL in a value', withMore('"description":"a\\u0000b"'), '/description', 'nul-character'],
  ['NUL in an unknown field', withMore('"more":[{"a":"\\u0000"}]'), '/more/0/a', 'nul-character'],
  ['NUL in a name', withMore('"na\\u0000me":1'), '/na\ufffdme', 'nul-character'],
  ['NUL in a name inside', withMore('"more":{"\\u0000":1}'), '/more/\ufffd', 'nul-character'],
  ['a lone surrogate in a value', withMore('"description":"\\ud83c"'), '/description', 'lone-surrogate'],
  ['surrogates in the wrong order', withMore('"description":"\\udfbb\\ud83c"'), '/description', 'lone-surrogate'],
  ['a lone surrogate in a name', withMore('"more":{"x\\udfbb":1}'), '/more/x\ufffd', 'lone-surrogate'],
  ['a name with a slash', withMore('"a/b~c":"\\u0000"'), '/a~1b~0c', 'nul-character']
]

test('forbidden names, characters and depths are refused with 400 and a pointer to the field', async () => {
  const before = await countCampaigns()
  for (const [what, body, pointer, code] of hostile) {
    const response = await send(body)
    assert.equal(response.status, 400, what)
    assert.deepEqual(
      response.body.errors.map((error: { in: string; pointer: string; code: string }) => ({ ...error, message: '' })),
      [{ in: 'body', pointer, code, message: '' }],
      what
    )
    assert.ok(response.body.errors[0].message.startsWith(pointer), what)
  }
  assert.equal(await countCampaigns(), before)
  assert.equal(({} as { role?: string }).role, undefined)
})

test('a long name of a refused field is shortened in the error', async () => {
  const response = await send(withMore(`"${'x'.repeat(100_000)}":"\\u0000"`))
  assert.equal(response.status, 400)
  assert.ok(response.text.length < 2000)
})
