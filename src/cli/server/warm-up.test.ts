import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silent } from '#test/support/database.ts'
import { startSite } from '#test/support/services.ts'
import { newWebService } from '#web/service.ts'
import { startWarmUp } from './warm-up.ts'

/** A server that answers these paths; the others are missing. */
function newFakeApp(
  answers: Record<string, { statusCode: number; headers?: { location?: string } }>,
  onRequest: () => void = () => undefined
) {
  const requested: string[] = []
  const inject = async ({ url }: { url: string }) => {
    requested.push(url)
    onRequest()
    return { headers: {}, ...(answers[url] ?? { statusCode: 404 }) }
  }
  return { app: { inject } as never, requested }
}

test('after the start, the first pages are requested several times in turn, where they redirect to', async () => {
  const { app, requested } = newFakeApp({
    '/': { statusCode: 303, headers: { location: '/en' } },
    '/en': { statusCode: 200 }
  })
  const warnings: object[] = []
  const log = { warn: (fields: object) => warnings.push(fields) }
  const services = [{ warmUpPaths: ['/'] }, {}, { warmUpPaths: ['/gone'] }]
  await startWarmUp({ app, services, host: 'example.org', log: log as never }).done
  const round = ['/', '/en', '/gone']
  assert.deepEqual(requested, [...round, ...round, ...round])
  assert.deepEqual(warnings, Array(3).fill({ path: '/gone', status: 404 }))
})

test('a server that stops waits for one request at most', async () => {
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped = warmUp.stop()
  }
  const { app, requested } = newFakeApp({ '/': { statusCode: 200 }, '/next': { statusCode: 200 } }, stop)
  const log = { warn: () => assert.fail('Nothing failed.') }
  const warmUp = startWarmUp({
    app,
    services: [{ warmUpPaths: ['/', '/next'] }],
    host: 'example.org',
    log: log as never
  })
  await warmUp.done
  await stopped
  assert.deepEqual(requested, ['/'])
})

test('a server that stops at once requests nothing', async () => {
  const { app, requested } = newFakeApp({ '/': { statusCode: 200 } })
  const log = { warn: () => assert.fail('Nothing failed.') }
  await startWarmUp({ app, services: [{ warmUpPaths: ['/'] }], host: 'example.org', log: log as never }).stop()
  assert.deepEqual(requested, [])
})

test('the pages that are requested after the start exist, and the requests are not logged', async () => {
  const logged: unknown[] = []
  const log = { ...silent, info: (...line: unknown[]) => logged.push(line) } as never
  const { server, settings, visitor } = await startSite({ env: { PUBLIC_URL: 'https://example.org' }, log })
  const warnings = { warn: (fields: object) => assert.fail(JSON.stringify(fields)) } as never
  const services = [newWebService(settings)]
  await startWarmUp({ app: server.app, services, host: 'example.org', log: warnings }).done
  assert.deepEqual(logged, [])
  await visitor.get('/livez')
  assert.equal(logged.length, 1)
})
