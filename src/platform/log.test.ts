// test: own process
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { root } from '#test/support/project-root.ts'
import { parseTrace, redact } from './log.ts'

const masked: [text: string, logged: string][] = [
  ['DE89370400440532013000', '[IBAN]'],
  ['DE89 3704 0044 0532 0130 00', '[IBAN]'],
  ['de89370400440532013000', '[IBAN]'],
  ['NO9386011117947', '[IBAN]'],
  ['MT84MALT011000012345MTLCAST001S', '[IBAN]'],
  ['FR14 2004 1010 0505 0001 3M02 606', '[IBAN]'],
  ['"iban":"DE89370400440532013000"', '"iban":"[IBAN]"'],
  ['value DE89370400440532013000.', 'value [IBAN].'],
  ['(DE89370400440532013000)', '([IBAN])'],
  ['/campaigns/DE89370400440532013000', '/campaigns/[IBAN]'],
  ['/campaigns/DE89%203704%200044%200532%200130%2000', '/campaigns/[IBAN]'],
  ['/campaigns/DE89+3704+0044+0532+0130+00/x', '/campaigns/[IBAN]/x'],
  ['DE89370400440532013000,NL91ABNA0417164300', '[IBAN],[IBAN]'],
  ['first DE89370400440532013000\nthen NL91ABNA0417164300', 'first [IBAN]\nthen [IBAN]'],
  ['DE00000000000000000000', '[IBAN]']
]

test('a key in a URL is redacted', () => {
  const key = 'kal_GO25WxJIzJ_v7Yu10TbZ6W1rnzs6ypyBYU2s34NzQT9'
  assert.equal(redact(`/keys/${key}`), '/keys/[key]')
})

test('an IBAN is redacted in every form and place', () => {
  for (const [text, logged] of masked) assert.equal(redact(text), logged, text)
})

test('an IBAN between words is redacted, possibly together with adjacent words', () => {
  for (const text of ['to DE89 3704 0044 0532 0130 00 by Ada', 'DE89370400440532013000 Example Bank and more']) {
    assert.doesNotMatch(redact(text), /3704|0044|0532|0130/, text)
    assert.match(redact(text), /\[IBAN\]/, text)
  }
})

const unchanged = [
  '',
  'GET /campaigns/1/donations',
  '019343b2-7c00-7abc-8def-0123456789ab',
  '2026-11-15T05:04:59.000Z',
  'kal_Ab12Cd34Ef',
  'RF18 5390 0754',
  'DE89 3704',
  'duplicate key value violates unique constraint "donations_by_reference"'
]

test('other text is not redacted', () => {
  for (const text of unchanged) assert.equal(redact(text), text)
})

test('redacting takes time proportional to the length of the text', { timeout: 60_000 }, () => {
  for (const piece of ['DE89', 'DE89 ', 'A1', 'DE89370400440532013000', ' ', 'DE89%20']) {
    const text = piece.repeat(200_000 / piece.length)
    assert.ok(redact(text).length <= text.length)
  }
})

test('the log line of a PostgreSQL error has its code and constraint, and no values of rows', () => {
  const lines = logged(`
    const inner = Object.assign(new Error('Key (iban)=(DE89370400440532013000) already exists'), {
      code: '23505', constraint: 'donations_by_reference', detail: 'Failing row contains (Ada Lovelace, ada@example.org)',
      where: 'COPY line 1: secret', table: 'donations', query: 'insert secret'
    })
    log.error({ err: new Error('outer DE89370400440532013000', { cause: inner }), requestId: 'r1' }, 'request failed')
    log.warn({ err: inner }, 'again')`)
  const [first, second] = lines
  assert.equal(first.msg, 'request failed')
  assert.equal(first.requestId, 'r1')
  assert.equal(first.err.message, 'outer [IBAN]')
  assert.match(first.err.stack, /outer \[IBAN\]\n +at /)
  assert.equal(first.err.cause.code, '23505')
  assert.equal(first.err.cause.constraint, 'donations_by_reference')
  assert.equal(second.err.constraint, 'donations_by_reference')
  assert.doesNotMatch(JSON.stringify(lines), /Ada|example\.org|secret|370400/)
})

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
const span = '00f067aa0ba902b7'

test('the trace of a request is read only from a valid W3C traceparent header', () => {
  const read = { trace_id: trace, span_id: span }
  for (const header of [
    `00-${trace}-${span}-01`,
    `00-${trace}-${span}-00`,
    `cc-${trace}-${span}-01-what-comes-later`
  ]) {
    assert.deepEqual(parseTrace({ traceparent: header }), read, header)
  }
  for (const header of [
    '',
    `00-${trace}-${span}`,
    `00-${trace}-${span}-01-more`,
    `00-${trace}-${span}-01,00-${trace}-${span}-01`,
    `ff-${trace}-${span}-01`,
    `00-${trace.toUpperCase()}-${span}-01`,
    `00-${'0'.repeat(32)}-${span}-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace.slice(1)}-${span}-01`,
    `00-${trace}-${span}-0x`,
    `00-${trace}-${span}-01\n`,
    'x'.repeat(10_000)
  ]) {
    assert.deepEqual(parseTrace({ traceparent: header }), {}, header.slice(0, 100))
  }
  assert.deepEqual(parseTrace({}), {})
})

test('the log is one JSON line per event, from its level up', () => {
  const lines = logged(`log.debug('no'); log.info({ part: 'x' }, 'yes'); log.error('also')`)
  assert.deepEqual(
    lines.map(({ msg }) => msg),
    ['yes', 'also']
  )
  assert.equal(lines[0].part, 'x')
  assert.match(lines[0].time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
})

test('a process can exit after the reader of its log is closed, and a slow reader gets all lines', {
  skip: skipUnlessFull
}, async () => {
  const script = `process.stdin.once('data', () => { for (let line = 0; line < 3000; line += 1) log.info('x'.repeat(100)); process.exit(0) })
    process.stdout.write('ready')`
  const start = async () => {
    const child = spawn(process.execPath, flagsOf(script), { cwd: root })
    await once(child.stdout, 'data')
    return child
  }
  const unread = await start()
  unread.stderr.destroy()
  unread.stdin.write('go')
  assert.deepEqual(await once(unread, 'exit'), [0, null])

  const slow = await start()
  slow.stdin.write('go')
  await sleep(500)
  let text = ''
  for await (const chunk of slow.stderr.setEncoding('utf8')) text += chunk
  assert.equal(text.split('\n').length, 3001)
})

test('on a terminal the log is text, elsewhere JSON, and LOG_FORMAT overrides both', t => {
  const line = /^\d\d:\d\d:\d\d\.\d{3} WARN {2}hello part=worker\r?\n$/
  const program = `log.warn({ part: 'worker' }, 'hello')`
  const [node, ...flags] = [process.execPath, ...flagsOf(program, 'text')]
  assert.match(spawnSync(node, flags, { cwd: root, encoding: 'utf8' }).stderr, line)
  assert.equal(logged(program)[0].msg, 'hello')

  const words = [process.execPath, ...flagsOf(program)].map(word => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  const terminal = spawnSync('script', ['-qec', words, '/dev/null'], { cwd: root, encoding: 'utf8' })
  if (terminal.error !== undefined)
    t.skip('the program script of util-linux, which creates a terminal, is not installed')
  else assert.match(terminal.stdout, line)
})

// biome-ignore lint/suspicious/noExplicitAny: the tests assert on log lines of any shape.
function logged(script: string): any[] {
  const { status, stdout, stderr } = spawnSync(process.execPath, flagsOf(script), { cwd: root, encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  assert.equal(stdout, '')
  return stderr
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
}

function flagsOf(script: string, format = 'auto'): string[] {
  const program = `import { newLog } from './src/platform/log.ts'; const log = newLog('info', '${format}'); ${script}`
  return ['--import', 'tsx', '--input-type=module', '--eval', program]
}
