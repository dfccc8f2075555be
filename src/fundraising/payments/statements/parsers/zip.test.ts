import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { buildStatement, collect } from '#test/support/fundraising/bank-statements.ts'
import { buildZip, type ZipMember } from '#test/support/zip.ts'
import { StatementFileProblem } from './file-problems.ts'
import { detectFileType, parseStatement } from './parse-statement.ts'

const readFixture = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url))
const one = buildStatement([{ amount: '25.00', text: 'one' }, { amount: '1.00' }])
const two = buildStatement([{ amount: '5.00', text: 'two' }])

async function parseFile(bytes: Buffer) {
  const reading = parseStatement(bytes, { type: detectFileType(bytes) })
  return { entries: await collect(reading), format: reading.meta.format }
}

async function findProblem(bytes: Buffer): Promise<StatementFileProblem> {
  try {
    await parseFile(bytes)
  } catch (error) {
    if (error instanceof StatementFileProblem) return error
    throw error
  }
  return assert.fail('the file was accepted')
}

test('the files of an archive are parsed in the order of their names, as one statement', async () => {
  const { entries, format } = await parseFile(
    buildZip([
      { name: 'b/2026-03-03.xml', content: two, hasDescriptor: true },
      { name: 'a/', content: '', isStored: true },
      { name: 'b/2026-03-02.xml', content: one, isStored: true },
      { name: '__MACOSX/b/._2026-03-02.xml', content: 'x' }
    ])
  )
  assert.equal(format, 'zip of camt.053.001.08')
  assert.deepEqual(
    entries.map(({ position, part, amountCents }) => [position, part, amountCents]),
    [
      [1, 1, 2500],
      [2, 1, 100],
      [3, 2, 500]
    ]
  )
})

test('an archive may contain files of several formats and end with a comment', async () => {
  const { entries, format } = await parseFile(
    buildZip(
      [
        { name: '1.sta', content: readFixture('german.sta') },
        { name: '2.xml', content: one }
      ],
      'A comment.'
    )
  )
  assert.deepEqual([entries.length, format], [9, 'zip of mt940, camt.053.001.08'])
})

const bomb = deflateRawSync(Buffer.alloc(20 * 1024 * 1024))
const buildMembers = (count: number): ZipMember[] =>
  Array.from({ length: count }, (_, index) => ({ name: `${index}.xml`, content: two }))
const validZip = buildZip([{ name: 'a.xml', content: one }])
const withZip64 = Buffer.concat([
  validZip.subarray(0, validZip.length - 22),
  Buffer.from('504b0607', 'hex'),
  Buffer.alloc(16),
  validZip.subarray(validZip.length - 22)
])

for (const [description, bytes, code, member] of [
  ['an empty archive', buildZip([]), 'zip-empty'],
  ['an archive with folders only', buildZip([{ name: 'a/', content: '' }]), 'zip-empty'],
  ['a truncated archive', validZip.subarray(0, -10), 'zip-broken'],
  ['the beginning of an archive', Buffer.from('PK\u0003\u0004something'), 'zip-broken'],
  ['only a signature', Buffer.from('PK\u0003\u0004'), 'zip-broken'],
  ['an archive whose bytes were changed', Buffer.from(validZip).fill(0xff, 60, 90), 'zip-broken', 'a.xml'],
  ['an archive in ZIP64', withZip64, 'zip-unsupported'],
  ['501 files', buildZip(buildMembers(501)), 'zip-too-large'],
  ['an archive within an archive', buildZip([{ name: 'b.zip', content: validZip }]), 'zip-nested', 'b.zip'],
  ['a spreadsheet', buildZip([{ name: '[Content_Types].xml', content: '<Types/>' }]), 'statement-packed'],
  ['a file with a password', buildZip([{ name: 'a.xml', content: one, told: { flags: 1 } }]), 'zip-encrypted', 'a.xml'],
  [
    'an unsupported compression',
    buildZip([{ name: 'a.xml', content: one, told: { method: 14 } }]),
    'zip-unsupported',
    'a.xml'
  ],
  ['a wrong checksum', buildZip([{ name: 'a.xml', content: one, told: { crc: 1 } }]), 'zip-broken', 'a.xml'],
  ['more bytes than declared', buildZip([{ name: 'a.xml', content: one, told: { size: 100 } }]), 'zip-broken', 'a.xml'],
  [
    'fewer bytes than declared',
    buildZip([{ name: 'a.xml', content: one, told: { size: 9999 } }]),
    'zip-broken',
    'a.xml'
  ],
  [
    'a ZIP bomb with its true size',
    buildZip([{ name: 'a.xml', content: bomb, isStored: true, told: { method: 8, size: 4_000_000_000 } }]),
    'zip-too-large',
    'a.xml'
  ],
  [
    'a ZIP bomb with a small declared size',
    buildZip([{ name: 'a.xml', content: bomb, isStored: true, told: { method: 8, size: 1000 } }]),
    'zip-broken',
    'a.xml'
  ],
  [
    'files that are too large together',
    buildZip(buildMembers(3).map(member => ({ ...member, told: { size: 40_000_000 } }))),
    'zip-too-large'
  ],
  [
    'overlapping files',
    buildZip([
      { name: 'a.xml', content: one },
      { name: 'b.xml', content: one, told: { offset: 0 } }
    ]),
    'zip-broken',
    'b.xml'
  ],
  ['a wrong offset', buildZip([{ name: 'a.xml', content: one, told: { offset: 7 } }]), 'zip-broken', 'a.xml'],
  [
    'a file that is not a statement',
    buildZip([
      { name: '1.xml', content: one },
      { name: '2.pdf', content: '%PDF-1.7' }
    ]),
    'not-a-statement',
    '2.pdf'
  ],
  [
    'a truncated file',
    buildZip([
      { name: '1.xml', content: one },
      { name: '../../2.xml', content: one.subarray(0, -40) }
    ]),
    'statement-broken',
    '../../2.xml'
  ]
] as [string, Buffer, string, string?][]) {
  test(`${description} is refused with a code, and the file name if there is one`, async () => {
    const { code: found, status, data, text } = await findProblem(bytes)
    assert.deepEqual([found, status, data.member], [code, 400, member])
    if (member !== undefined) assert.ok(text.en.startsWith(`${member}: `) && text.de.startsWith(`${member}: `))
    assert.notEqual(text.en, text.de)
  })
}

test('an archive that is truncated or changed at any position is parsed or refused, and causes no other error', {
  skip: skipUnlessFull
}, async () => {
  const bytes = buildZip([
    { name: 'a.xml', content: one },
    { name: 'b.xml', content: two, isStored: true, hasDescriptor: true }
  ])
  for (let position = 4; position < bytes.length; position += position > bytes.length - 200 ? 1 : 23) {
    for (const changed of [
      bytes.subarray(0, position),
      Buffer.from(bytes).fill(0xff, position, position + 1),
      Buffer.from(bytes).fill(0, position, position + 1)
    ]) {
      await parseFile(changed).catch(error => assert.ok(error instanceof StatementFileProblem, String(error)))
    }
  }
})
