import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import Fastify from 'fastify'
import { sendTogether } from './send-together.ts'

const app = Fastify()
const steps: string[] = []
app.decorateRequest('isInternal', false)
app.addHook('onRequest', (request, _, next) => {
  request.isInternal = request.headers.internal === 'yes'
  next()
})
await app.register(sendTogether)
app.addHook('onSend', ({ url }, _, payload, next) => {
  steps.push(`send ${url}`)
  next(null, payload)
})
for (const url of ['/one', '/two']) {
  app.get(url, (_, reply) => {
    steps.push(`handle ${url}`)
    reply.send(url)
  })
}
app.get('/bad-header', (_, reply) => {
  reply.header('x-name', 'Größe 漢').send('text')
})
after(() => app.close())

test('responses of one turn of the event loop are sent after its last request, in order', async () => {
  steps.length = 0
  const answers = await Promise.all(['/one', '/two'].map(async url => await app.inject(url)))
  assert.deepEqual(steps, ['handle /one', 'handle /two', 'send /one', 'send /two'])
  assert.deepEqual(
    answers.map(({ statusCode, body }) => [statusCode, body]),
    [
      [200, '/one'],
      [200, '/two']
    ]
  )
})

test('a page in the same process does not wait for others', async () => {
  steps.length = 0
  const headers = { internal: 'yes' }
  await Promise.all(['/one', '/two'].map(async url => await app.inject({ url, headers })))
  assert.deepEqual(steps, ['handle /one', 'send /one', 'handle /two', 'send /two'])
})

test('a header that cannot be sent is an error of its request and does not stop the process', async () => {
  const [bad, good] = await Promise.all([app.inject('/bad-header'), app.inject('/one')])
  assert.equal(bad.statusCode, 500)
  assert.equal(good.statusCode, 200)
})
