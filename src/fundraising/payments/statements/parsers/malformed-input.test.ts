// test: full
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { buildStatement, collect } from '#test/support/fundraising/bank-statements.ts'
import { StatementFileProblem } from './file-problems.ts'
import { detectFileType, type FileType, parseStatement } from './parse-statement.ts'

const validXml = buildStatement([{ amount: '25.00', text: 'AC-7KXM-3PFT' }]).toString()
const namespace = 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08'
const insertIntoBooking = (added: string) => validXml.replace('<Ntry>', `<Ntry>${added}`)
const addDoctype = (subset: string) => validXml.replace('?>', `?><!DOCTYPE Document [${subset}]>`)

async function findProblem(bytes: Buffer, type: FileType = 'xml'): Promise<StatementFileProblem> {
  try {
    await collect(parseStatement(bytes, { type }))
  } catch (error) {
    if (error instanceof StatementFileProblem) return error
    throw error
  }
  return assert.fail('the file was accepted')
}

for (const [description, text, code, line] of [
  ['an empty file', '', 'statement-broken', 1],
  ['a file of blanks', '  \n ', 'statement-broken', 2],
  ['text instead of XML', 'Hello', 'statement-broken', 1],
  ['an HTML page', '<!DOCTYPE html><html></html>', 'statement-doctype', 1],
  ['an HTML page without a doctype', '<html></html>', 'not-a-statement', undefined],
  ['another message', validXml.replaceAll('camt.053.001.08', 'pain.008.001.08'), 'not-a-statement', undefined],
  ['an unknown version', validXml.replaceAll('001.08', '001.99'), 'not-a-statement', undefined],
  ['another namespace', validXml.replace(namespace, 'urn:other'), 'not-a-statement', undefined],
  ['no namespace', validXml.replace(` xmlns="${namespace}"`, ''), 'not-a-statement', undefined],
  ['the wrong message for its namespace', validXml.replaceAll('BkToCstmrStmt', 'Other'), 'not-a-statement', undefined],
  ['an empty document', `<Document xmlns="${namespace}"/>`, 'not-a-statement', undefined],
  [
    'a message without a statement',
    `<Document xmlns="${namespace}"><BkToCstmrStmt><GrpHdr/></BkToCstmrStmt></Document>`,
    'statement-missing',
    undefined
  ],
  ['a file that is cut off', validXml.slice(0, -40), 'statement-broken', 2],
  ['a second document', `${validXml}<Document/>`, 'statement-broken', 3],
  ['an element that is not closed', insertIntoBooking('<a>'), 'statement-broken', 2],
  ['a NUL', insertIntoBooking('<a>\0</a>'), 'statement-broken', 2],
  ['a NUL as a number', insertIntoBooking('<a>&#0;</a>'), 'statement-broken', 2],
  ['an undefined entity', insertIntoBooking('<a>&ada;</a>'), 'statement-broken', 2],
  ['a doctype', addDoctype(''), 'statement-doctype', 1],
  [
    'an entity bomb',
    addDoctype('<!ENTITY a "aa"><!ENTITY b "&a;&a;">').replace('25.00', '&b;'),
    'statement-doctype',
    1
  ],
  ['an external entity', addDoctype('<!ENTITY a SYSTEM "file:///etc/passwd">'), 'statement-doctype', 1],
  ['elements 10,000 deep', insertIntoBooking('<a>'.repeat(10_000)), 'statement-too-deep', 2],
  [
    'elements 10,000 deep in an ignored part',
    validXml.replace('<GrpHdr>', '<a>'.repeat(10_000)),
    'statement-too-deep',
    2
  ],
  [
    'a text of a million characters',
    insertIntoBooking(`<a>${'a'.repeat(1_000_000)}</a>`),
    'statement-text-too-long',
    2
  ],
  ['a booking of 10,000 elements', insertIntoBooking('<a/>'.repeat(10_000)), 'statement-too-large', 2],
  [
    '300,000 bookings',
    validXml.replace('</Stmt>', `${'<Ntry/>'.repeat(300_000)}</Stmt>`),
    'statement-too-many-entries',
    undefined
  ],
  ['an unknown encoding', validXml.replace('UTF-8', 'EBCDIC-CP-DE'), 'statement-encoding', undefined],
  ['a wrong encoding', validXml.replace('UTF-8', 'UTF-16'), 'statement-encoding', undefined]
] as const) {
  test(`${description} is refused with a code, and the line if there is one`, {
    skip: description.startsWith('300,000') && skipUnlessFull
  }, async () => {
    const problem = await findProblem(Buffer.from(text))
    assert.deepEqual([problem.code, problem.line ?? undefined, problem.status], [code, line, 400])
    assert.ok(problem.text.en.length > 20 && problem.text.de.length > 20 && problem.text.en !== problem.text.de)
  })
}

test('characters that are not in the declared encoding are refused', async () => {
  const bytes = Buffer.from(insertIntoBooking('<a>ü</a>'), 'latin1')
  assert.equal((await findProblem(bytes)).code, 'statement-encoding')
})

test('the error of a truncated file does not repeat its content', async () => {
  const { text, data } = await findProblem(
    Buffer.from(insertIntoBooking('<Nm>Ada Lovelace DE02120300000000202051').slice(0, -100))
  )
  assert.doesNotMatch(JSON.stringify([text, data]), /Ada|DE02/)
})

for (const [description, bytes, code] of [
  ['an empty file', Buffer.from(''), 'not-a-statement'],
  ['one word', Buffer.from('hello'), 'not-a-statement'],
  ['an archive', Buffer.from('PK\u0003\u0004something'), 'not-a-statement'],
  ['binary data', Buffer.from([0, 1, 2, 3, 59, 4]), 'not-a-statement'],
  ['a table with other columns', Buffer.from('a;b\n1;2\n'), 'statement-columns']
] as const) {
  test(`CSV: ${description} is refused with a code`, async () => {
    assert.equal((await findProblem(bytes, 'csv')).code, code)
  })
}

const buildMt940 = (...fields: string[]) =>
  [':20:1', ':25:37040044/0532013000', ':60F:C260301EUR0,00', ...fields].join('\n')

for (const [description, text, code, line] of [
  ['a statement without its beginning', ':61:2603020302C25,00NTRFNONREF\n:86:x', 'statement-broken', 1],
  ['a statement without an account', ':20:1\n:60F:C260301EUR0,00', 'statement-broken', 1],
  [
    'a second statement without an account',
    `${buildMt940()}\n-\n:20:2\n:61:2603020302C1,00NTRF`,
    'statement-broken',
    6
  ],
  ['a line without an end', buildMt940(`:86:${'x'.repeat(1_000_000)}`), 'statement-text-too-long', 4],
  [
    'a text of thousands of lines',
    buildMt940(':61:2603020302C1,00NTRF', ':86:x', 'x\n'.repeat(5000)),
    'statement-too-large',
    5
  ],
  [
    '300,000 transactions',
    buildMt940(':61:2603020302C1,00NTRF\n'.repeat(300_000)),
    'statement-too-many-entries',
    undefined
  ]
] as const) {
  test(`MT940: ${description} is refused with a code, and the line if there is one`, {
    skip: description.startsWith('300,000') && skipUnlessFull
  }, async () => {
    const bytes = Buffer.from(text)
    assert.equal(detectFileType(bytes), 'mt940')
    const problem = await findProblem(bytes, 'mt940')
    assert.deepEqual([problem.code, problem.line ?? undefined, problem.status], [code, line, 400])
  })
}

test('an MT940 file that is truncated or overwritten at any position is parsed or refused, and causes no other error', async () => {
  const completeFile = readFileSync(new URL('fixtures/german.sta', import.meta.url))
  for (let end = 1; end < completeFile.length - 5; end += 7) {
    for (const bytes of [completeFile.subarray(0, end), Buffer.from(completeFile).fill(end % 256, end, end + 5)]) {
      const entries = await collect(parseStatement(bytes, { type: 'mt940' })).catch(error => {
        assert.ok(error instanceof StatementFileProblem, String(error))
        return []
      })
      assert.ok(entries.every(({ amountCents }) => Number.isSafeInteger(amountCents) && amountCents >= 0))
    }
  }
})

test('a truncated status report is refused', async () => {
  const completeFile = readFileSync(new URL('fixtures/rejected.pain.002.001.03.xml', import.meta.url))
  for (let end = 150; end < completeFile.length - 15; end += 101) {
    assert.equal((await findProblem(completeFile.subarray(0, end))).code, 'statement-broken')
  }
})

test('10,000 payments are parsed with constant memory, as bookings and as one booking', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const payment = { amount: '1.00', text: 'AC-7KXM-3PFT', name: 'Ada Lovelace', iban: 'DE02120300000000202051' }
  const payments = Array.from({ length: 10_000 }, (_, index) => ({ ...payment, bankReference: `B${index}` }))
  const files = [buildStatement(payments), buildStatement([{ amount: '10000.00', payments: payments }])]
  for (const [index, file] of files.entries()) {
    collect()
    const before = process.memoryUsage().heapUsed
    let maxHeapUsed = before
    let count = 0
    for await (const { amountCents, problems } of parseStatement(file, { type: 'xml' })) {
      count += amountCents === 100 && problems.length === 0 ? 1 : 0
      if (count % 2000 !== 0) continue
      collect()
      maxHeapUsed = Math.max(maxHeapUsed, process.memoryUsage().heapUsed)
    }
    assert.equal(count, 10_000)
    // A booking is in memory while it is parsed; the files have 10 MB.
    assert.ok(maxHeapUsed - before < (index === 0 ? 4 : 24) * 1024 * 1024, `${maxHeapUsed - before} bytes more`)
  }
})
