import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHttpProxy } from '#test/support/http-proxy.ts'
import { sendRequest, waitUntil } from '#test/support/kalends-process.ts'
import { startCampaigns } from '#test/support/services.ts'
import type { Log } from '../../log.ts'
import { checkProxy } from './proxy-check.ts'

async function listening(env: Record<string, string>) {
  const warnings: string[] = []
  const note = (...words: unknown[]) => void warnings.push(JSON.stringify(words))
  const log = { debug: () => {}, info: () => {}, warn: note, error: note } as unknown as Log
  const { server, store, settings } = await startCampaigns({ env, log })
  const url = await server.app.listen({ host: '127.0.0.1', port: 0 })
  const findings = async () => await checkProxy(store, settings, new Date())
  return { url, store, settings, findings, proxyWarnings: () => warnings.filter(text => text.includes('TRUST_PROXY')) }
}

const publicUrl = { PUBLIC_URL: 'https://give.example.org' }
const looksProxied: [env: Record<string, string>, headers: Record<string, string>, sign: RegExp][] = [
  [{}, { 'x-forwarded-for': '192.0.2.7' }, /headers of a proxy/],
  [publicUrl, { via: '1.1 proxy' }, /headers of a proxy/],
  [publicUrl, { host: 'give.example.org' }, /for the host of PUBLIC_URL/]
]

test('the log warns once, and doctor warns, that requests come through a proxy while TRUST_PROXY is not set', async () => {
  for (const [env, headers, sign] of looksProxied) {
    const { url, findings, proxyWarnings } = await listening(env)
    await sendRequest(`${url}/campaigns`)
    assert.deepEqual([proxyWarnings(), await findings()], [[], []])
    for (let count = 0; count < 3; count += 1) await sendRequest(`${url}/campaigns`, { headers })
    assert.equal(proxyWarnings().length, 1)
    assert.match(proxyWarnings()[0] ?? '', sign)
    assert.match(proxyWarnings()[0] ?? '', /set TRUST_PROXY to its address/)
    assert.ok(!proxyWarnings()[0]?.includes('192.0.2.7'))
    await waitUntil(async () => (await findings()).length === 1)
    const [finding] = await findings()
    assert.equal(finding?.level, 'WARN')
    assert.match(finding?.details[0] ?? '', sign)
    assert.match(finding?.remedy ?? '', /TRUST_PROXY/)
  }
})

test('nginx with default settings is detected by HTTP/1.0', async () => {
  const { url, proxyWarnings } = await listening(publicUrl)
  await sendRequest(`${await startHttpProxy(url, { host: 'upstream', version: '1.0' })}/campaigns`)
  assert.match(proxyWarnings()[0] ?? '', /HTTP\/1\.0/)
})

test('with TRUST_PROXY there is no warning, and earlier observations are ignored', async () => {
  const { url, store, settings, findings, proxyWarnings } = await listening({ ...publicUrl, TRUST_PROXY: 'loopback' })
  await sendRequest(`${url}/campaigns`, { headers: { host: 'give.example.org', 'x-forwarded-for': '192.0.2.7' } })
  await store.script(`insert into platform.observations (name, seen_at) values ('untrusted-proxy', now())`)
  assert.deepEqual([proxyWarnings(), await findings()], [[], []])
  assert.equal((await checkProxy(store, { ...settings, trustProxy: false }, new Date())).length, 1)
  const later = new Date(Date.now() + 31 * 86_400_000)
  assert.deepEqual(await checkProxy(store, { ...settings, trustProxy: false }, later), [])
})
