import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import Fastify from 'fastify'
import { headRequests } from './head-requests.ts'

const warnings: string[] = []
const logger = { level: 'warn', stream: { write: (line: string) => warnings.push(line) } }
const app = Fastify({ exposeHeadRoutes: false, logger })
await app.register(headRequests)
after(() => app.close())

const rowsRead: string[] = []
function* readRows() {
  rowsRead.push('first')
  yield 'first\n'
}
const csv = Readable.from(readRows())
const broken = new Readable({ read: () => undefined, destroy: (_error, done) => done(new Error('connection lost')) })

app.get('/text', async (_, reply) => await reply.type('text/plain').send('naïve'))
app.get('/csv', async (_, reply) => await reply.type('text/csv').send(csv))
app.get('/broken', async (_, reply) => await reply.send(broken))

test('HEAD has the headers of GET and no body', async () => {
  const get = await app.inject({ method: 'GET', url: '/text' })
  const head = await app.inject({ method: 'HEAD', url: '/text' })
  assert.equal(get.body, 'naïve')
  assert.equal(head.body, '')
  for (const { statusCode, headers } of [get, head]) {
    assert.equal(statusCode, 200)
    assert.equal(headers['content-length'], '6')
    assert.match(String(headers['content-type']), /^text\/plain/)
  }
})

test('HEAD of an export closes it without reading a row', async () => {
  const head = await app.inject({ method: 'HEAD', url: '/csv' })
  assert.equal(head.statusCode, 200)
  assert.equal(head.body, '')
  assert.equal(head.headers['content-length'], undefined)
  assert.equal(csv.destroyed, true)
  assert.deepEqual(rowsRead, [])
})

test('an export that cannot be closed is logged and does not stop the process', async () => {
  assert.equal((await app.inject({ method: 'HEAD', url: '/broken' })).statusCode, 200)
  assert.match(warnings.join(''), /closing a response stream failed/)
  assert.match(warnings.join(''), /connection lost/)
})
