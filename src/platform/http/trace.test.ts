import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { type Start, startServices } from '#test/support/services.ts'
import type { Log } from '../log.ts'
import { problemJson } from './errors.ts'
import type { Service } from './service.ts'

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const trace = { trace_id: '4bf92f3577b34da6a3ce929d0e0e4736', span_id: '00f067aa0ba902b7' }

/** A page that calls a failing API route. */
const service: Service = {
  name: 'page',
  title: 'A page',
  errorFormat: problemJson,
  rules: [],
  examples: [],
  routes: [
    ({ app, internalClient }) => {
      app.get('/page', {
        config: { requires: 'public' },
        handler: async request =>
          (await internalClient(request, { method: 'GET', path: '/failing', headers: {} })).status
      })
      app.get('/failing', {
        config: { requires: 'public' },
        handler: async () => {
          throw new Error('on purpose')
        }
      })
    }
  ]
}

async function startLogging(start: Start) {
  const lines: { message: string; trace_id?: string; span_id?: string }[] = []
  const write = (line: object, message: string) => lines.push({ ...line, message })
  const log = { debug: write, info: write, warn: write, error: write } as unknown as Log
  return { lines, ...(await startServices([() => service], { ...start, log })) }
}

test('log lines of a request contain its trace, also those of the API calls of a page', async () => {
  const { visitor, lines } = await startLogging({})
  await visitor.get('/page', { traceparent })
  assert.deepEqual(
    lines.map(({ message, trace_id, span_id }) => ({ message, trace_id, span_id })),
    [
      { message: 'request failed', ...trace },
      { message: 'request', ...trace }
    ]
  )
  lines.length = 0
  await visitor.get('/page', { traceparent: 'nonsense' })
  await visitor.get('/page')
  assert.equal(lines.length, 4)
  assert.ok(lines.every(line => !('trace_id' in line) && !('span_id' in line)))
})

test('API calls to another server carry the trace headers of the page request', async () => {
  const receivedHeaders: (string | string[] | undefined)[] = []
  const apiServer = createServer((request, response) => {
    receivedHeaders.push(request.headers.traceparent, request.headers.tracestate)
    response.end()
  }).listen(0, '127.0.0.1')
  await once(apiServer, 'listening')
  after(() => apiServer.close())
  const { visitor } = await startLogging({
    env: { API_URL: `http://127.0.0.1:${(apiServer.address() as AddressInfo).port}` }
  })
  await visitor.get('/page', { traceparent, tracestate: 'a=b' })
  await visitor.get('/page')
  assert.deepEqual(receivedHeaders, [traceparent, 'a=b', undefined, undefined])
})
