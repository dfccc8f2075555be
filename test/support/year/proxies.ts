// Checks the properties of a site behind a proxy that docs/operations.md promises.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { installFromDebian } from '../debian.ts'
import { waitUntil } from '../kalends-process.ts'
import { donation } from '../services.ts'
import { hostName, type Machine } from './machine.ts'
import { openThroughProxy, sendThroughProxy } from './site.ts'

const megabyte = 1024 * 1024
const programs = { nginx: '/usr/sbin/nginx', caddy: '/usr/bin/caddy' }

/** Why the proxy cannot be run here, or false. Installs it if possible. */
export function getProxySkip(name: keyof typeof programs): string | false {
  if (!existsSync(programs[name])) installFromDebian(name, name)
  return existsSync(programs[name]) ? false : `${name} is not installed, and cannot be installed without root on Debian`
}

/** Checks the site by its host name, through the proxy. */
export async function checkProxiedSite(
  machine: Machine,
  { password, key }: { password: string; key: string }
): Promise<void> {
  const { publicUrl } = machine
  await waitUntil(async () =>
    sendThroughProxy(machine, '/livez').then(
      ({ status }) => status === 200,
      () => false
    )
  )
  // HTTP redirects to HTTPS.
  const plain = await fetch(`http://127.0.0.1:${machine.ports.http}/en?a=b`, {
    headers: { host: hostName },
    redirect: 'manual'
  })
  assert.match(String(plain.headers.get('location')), /^https:\/\/[^/]+\/en\?a=b$/)

  const home = await sendThroughProxy(machine, '/en')
  assert.equal(home.status, 200)
  assert.match(home.headers['strict-transport-security'] ?? '', /max-age=/)
  const { body } = await sendThroughProxy(machine, '/calendar/events/v1/events?start_date=2027-01-01')
  assert.ok(body.events[0].rest_url.startsWith(`${publicUrl}/`), body.events[0].rest_url)
  assert.ok(body.events[0].url.startsWith(`${publicUrl}/`), body.events[0].url)

  await signIn(machine, password)
  await checkUploads(machine, key)
  await checkStream(machine)
  await checkClientAddress(machine)
}

/** Sends the sign-in form as a browser does, with PUBLIC_URL as origin; another origin is refused. */
export async function signIn(machine: Machine, password: string): Promise<void> {
  const form = new URLSearchParams({ email: 'anna@example.org', password })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = form.toString()
  const path = '/admin/sign-in'
  const { status, headers: responseHeaders } = await sendThroughProxy(machine, path, {
    method: 'POST',
    headers: { ...headers, origin: machine.publicUrl },
    body
  })
  assert.equal(status, 303)
  assert.match(String(responseHeaders['set-cookie']), /kalends_session=.*; Secure/)
  const crossOrigin = { method: 'POST', headers: { ...headers, origin: 'https://elsewhere.example' }, body }
  assert.equal((await sendThroughProxy(machine, path, crossOrigin)).status, 403)
}

/** The largest files that Kalends accepts pass the proxy: Kalends refuses them as malformed, the proxy would refuse them as too large. */
async function checkUploads(machine: Machine, key: string): Promise<void> {
  const begin =
    '--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n'
  const uploads = [
    { path: '/bank-statements', type: 'text/plain', body: Buffer.alloc(49 * megabyte, 'a') },
    {
      path: '/calendar/events/v1/media',
      type: 'multipart/form-data; boundary=x',
      body: Buffer.concat([Buffer.from(begin), Buffer.alloc(9.5 * megabyte), Buffer.from('\r\n--x--\r\n')])
    }
  ]
  for (const { path, type, body } of uploads) {
    const headers = { authorization: `Bearer ${key}`, 'content-type': type, 'content-length': String(body.length) }
    const { status, text, body: problem } = await sendThroughProxy(machine, path, { method: 'POST', headers, body })
    assert.ok([400, 415, 422].includes(status) && problem !== undefined, `${path}: ${status} ${text}`)
  }
}

/** An event arrives on an open stream. */
async function checkStream(machine: Machine): Promise<void> {
  const stream = await openThroughProxy(machine, '/stream')
  assert.equal(stream.statusCode, 200)
  let received = ''
  stream.setEncoding('utf8').on('data', text => (received += text))
  try {
    const body = JSON.stringify({ ...donation, amount: 7 })
    const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
    const { status, text } = await sendThroughProxy(machine, '/campaigns/1/donations', {
      method: 'POST',
      headers,
      body
    })
    assert.equal(status, 201, text)
    await waitUntil(() => received.includes('donation.created'))
  } finally {
    stream.destroy()
  }
}

/** The log has the address of the proxy's client, not the X-Forwarded-For header that the client sent. */
async function checkClientAddress(machine: Machine): Promise<void> {
  const id = 'from-the-year-of-an-administrator'
  await sendThroughProxy(machine, '/campaigns', {
    headers: { 'x-request-id': id, 'x-forwarded-for': '203.0.113.9' }
  })
  await waitUntil(async () => (await machine.readLog()).includes(id))
  const line = (await machine.readLog()).split('\n').find(text => text.includes(id))
  const { client } = JSON.parse(line ?? '{}')
  assert.ok(client !== undefined && client !== '203.0.113.0/24', line)
}
