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

const good = buildStatement([{ amount: '25.00', text: 'AC-7KXM-3PFT' }]).toString()
const namespace = 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08'
const within = (added: string) => good.replace('<Ntry>', `<Ntry>${added}`)
const withDoctype = (subset: string) => good.replace('?>', `?><!DOCTYPE Document [${subset}]>`)

async function problemOf(bytes: Buffer, type: FileType = 'xml'): Promise<StatementFileProblem> {
  try {
    await collect(parseStatement(bytes, { type }))
  } catch (error) {
    if (error instanceof StatementFileProblem) return error
    throw error
  }
  return assert.fail('It was read.')
}

for (const [what, text, code, line] of [
  ['nothing', '', 'statement-broken', 1],
  ['blanks', '  \n ', 'statement-broken', 2],
  ['no XML', 'Hello', 'statement-broken', 1],
  ['a page', '<!DOCTYPE html><html></html>', 'statement-doctype', 1],
  ['a page without a doctype', '<html></html>', 'not-a-statement', undefined],
  ['another message', good.replaceAll('camt.053.001.08', 'pain.008.001.08'), 'not-a-statement', undefined],
  ['a version that is not known', good.replaceAll('001.08', '001.99'), 'not-a-statement', undefined],
  ['another namespace', good.replace(namespace, 'urn:other'), 'not-a-statement', undefined],
  ['no namespace', good.replace(` xmlns="${namespace}"`, ''), 'not-a-statement', undefined],
  ['the wrong message for its namespace', good.replaceAll('BkToCstmrStmt', 'Other'), 'not-a-statement', undefined],
  ['an empty document', `<Document xmlns="${namespace}"/>`, 'not-a-statement', undefined],
  [
    'a message without a statement',
    `<Document xmlns="${namespace}"><BkToCstmrStmt><GrpHdr/></BkToCstmrStmt></Document>`,
    'statement-missing',
    undefined
  ],
  ['a file that is cut off', good.slice(0, -40), 'statement-broken', 2],
  ['a second document', `${good}<Document/>`, 'statement-broken', 3],
  ['an element that is not closed', within('<a>'), 'statement-broken', 2],
  ['a NUL', within('<a>\0</a>'), 'statement-broken', 2],
  ['a NUL as a number', within('<a>&#0;</a>'), 'statement-broken', 2],
  ['an entity of its own', within('<a>&ada;</a>'), 'statement-broken', 2],
  ['a doctype', withDoctype(''), 'statement-doctype', 1],
  [
    'an entity bomb',
    withDoctype('<!ENTITY a "aa"><!ENTITY b "&a;&a;">').replace('25.00', '&b;'),
    'statement-doctype',
    1
  ],
  ['a file from elsewhere', withDoctype('<!ENTITY a SYSTEM "file:///etc/passwd">'), 'statement-doctype', 1],
  ['elements 10,000 deep', within('<a>'.repeat(10_000)), 'statement-too-deep', 2],
  ['elements 10,000 deep where nobody looks', good.replace('<GrpHdr>', '<a>'.repeat(10_000)), 'statement-too-deep', 2],
  ['a text of a million characters', within(`<a>${'a'.repeat(1_000_000)}</a>`), 'statement-text-too-long', 2],
  ['a booking of 10,000 elements', within('<a/>'.repeat(10_000)), 'statement-too-large', 2],
  [
    '300,000 bookings',
    good.replace('</Stmt>', `${'<Ntry/>'.repeat(300_000)}</Stmt>`),
    'statement-too-many-entries',
    undefined
  ],
  ['an unknown encoding', good.replace('UTF-8', 'EBCDIC-CP-DE'), 'statement-encoding', undefined],
  ['an encoding that does not fit', good.replace('UTF-8', 'UTF-16'), 'statement-encoding', undefined]
] as const) {
  test(`${what} is refused with a reason, and a line where there is one`, {
    skip: what.startsWith('300,000') && skipUnlessFull
  }, async () => {
    const problem = await problemOf(Buffer.from(text))
    assert.deepEqual([problem.code, problem.line ?? undefined, problem.status], [code, line, 400])
    assert.ok(problem.text.en.length > 20 && problem.text.de.length > 20 && problem.text.en !== problem.text.de)
  })
}

test('characters that are not in the declared encoding are refused', async () => {
  const bytes = Buffer.from(within('<a>ü</a>'), 'latin1')
  assert.equal((await problemOf(bytes)).code, 'statement-encoding')
})

test('a file that breaks off says nothing of what stood in it', async () => {
  const { text, data } = await problemOf(Buffer.from(within('<Nm>Ada Lovelace DE02120300000000202051').slice(0, -100)))
  assert.doesNotMatch(JSON.stringify([text, data]), /Ada|DE02/)
})

for (const [what, bytes, code] of [
  ['nothing', Buffer.from(''), 'not-a-statement'],
  ['one word', Buffer.from('hello'), 'not-a-statement'],
  ['an archive', Buffer.from('PK\u0003\u0004something'), 'not-a-statement'],
  ['bytes', Buffer.from([0, 1, 2, 3, 59, 4]), 'not-a-statement'],
  ['a table of something else', Buffer.from('a;b\n1;2\n'), 'statement-columns']
] as const) {
  test(`${what} as a table is refused with a reason`, async () => {
    assert.equal((await problemOf(bytes, 'csv')).code, code)
  })
}

const mt940 = (...fields: string[]) => [':20:1', ':25:37040044/0532013000', ':60F:C260301EUR0,00', ...fields].join('\n')

for (const [what, text, code, line] of [
  ['a statement that begins in the midst', ':61:2603020302C25,00NTRFNONREF\n:86:x', 'statement-broken', 1],
  ['a statement without an account', ':20:1\n:60F:C260301EUR0,00', 'statement-broken', 1],
  ['a second one without an account', `${mt940()}\n-\n:20:2\n:61:2603020302C1,00NTRF`, 'statement-broken', 6],
  ['a line without an end', mt940(`:86:${'x'.repeat(1_000_000)}`), 'statement-text-too-long', 4],
  [
    'a text of thousands of lines',
    mt940(':61:2603020302C1,00NTRF', ':86:x', 'x\n'.repeat(5000)),
    'statement-too-large',
    5
  ],
  ['300,000 transactions', mt940(':61:2603020302C1,00NTRF\n'.repeat(300_000)), 'statement-too-many-entries', undefined]
] as const) {
  test(`MT940: ${what} is refused with a reason, and a line where there is one`, {
    skip: what.startsWith('300,000') && skipUnlessFull
  }, async () => {
    const bytes = Buffer.from(text)
    assert.equal(detectFileType(bytes), 'mt940')
    const problem = await problemOf(bytes, 'mt940')
    assert.deepEqual([problem.code, problem.line ?? undefined, problem.status], [code, line, 400])
  })
}

test('MT940 that is cut off anywhere, or full of bytes, is read or refused, and never anything else', async () => {
  const whole = readFileSync(new URL('fixtures/german.sta', import.meta.url))
  for (let end = 1; end < whole.length - 5; end += 7) {
    for (const bytes of [whole.subarray(0, end), Buffer.from(whole).fill(end % 256, end, end + 5)]) {
      const entries = await collect(parseStatement(bytes, { type: 'mt940' })).catch(error => {
        assert.ok(error instanceof StatementFileProblem, String(error))
        return []
      })
      assert.ok(entries.every(({ amountCents }) => Number.isSafeInteger(amountCents) && amountCents >= 0))
    }
  }
})

test('a status report that is cut off is refused', async () => {
  const whole = readFileSync(new URL('fixtures/rejected.pain.002.001.03.xml', import.meta.url))
  for (let end = 150; end < whole.length - 15; end += 101) {
    assert.equal((await problemOf(whole.subarray(0, end))).code, 'statement-broken')
  }
})

test('10,000 payments are read with flat memory, as bookings and as one booking', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const payment = { amount: '1.00', text: 'AC-7KXM-3PFT', name: 'Ada Lovelace', iban: 'DE02120300000000202051' }
  const many = Array.from({ length: 10_000 }, (_, place) => ({ ...payment, bankReference: `B${place}` }))
  const files = [buildStatement(many), buildStatement([{ amount: '10000.00', payments: many }])]
  for (const [place, file] of files.entries()) {
    collect()
    const before = process.memoryUsage().heapUsed
    let most = before
    let count = 0
    for await (const { amountCents, problems } of parseStatement(file, { type: 'xml' })) {
      count += amountCents === 100 && problems.length === 0 ? 1 : 0
      if (count % 2000 !== 0) continue
      collect()
      most = Math.max(most, process.memoryUsage().heapUsed)
    }
    assert.equal(count, 10_000)
    // A booking is kept as long as it is read; the files have 10 MB.
    assert.ok(most - before < (place === 0 ? 4 : 24) * 1024 * 1024, `${most - before} bytes more`)
  }
})
