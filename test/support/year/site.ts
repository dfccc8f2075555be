// The site of an administrator: its content, and a snapshot of it to compare after every step of the year.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { donor, organisation } from '../fundraising/receipts.ts'
import { campaign, donation, event } from '../services.ts'
import { hostName, type Machine } from './machine.ts'

export interface SiteResponse {
  status: number
  headers: Record<string, string | undefined>
  bytes: Buffer
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: the shape differs between responses.
  body: any
}

interface SiteRequest {
  method?: string
  headers?: Record<string, string>
  body?: string | Buffer
}

/** Sends a request to the service itself, without a proxy. */
export async function sendDirectly(
  machine: Machine,
  path: string,
  sent: SiteRequest & { body?: string } = {}
): Promise<SiteResponse> {
  const response = await fetch(`http://127.0.0.1:${machine.ports.kalends}${path}`, { redirect: 'manual', ...sent })
  return toResponse(response.status, Object.fromEntries(response.headers), Buffer.from(await response.arrayBuffer()))
}

/** Sends a request to the proxy by the host name of the site, and checks its certificate. */
export async function sendThroughProxy(machine: Machine, path: string, sent: SiteRequest = {}): Promise<SiteResponse> {
  const response = await openThroughProxy(machine, path, sent)
  return toResponse(response.statusCode ?? 0, response.headers, await buffer(response))
}

/** Like sendThroughProxy, without reading the body. */
export async function openThroughProxy(
  machine: Machine,
  path: string,
  { method = 'GET', headers = {}, body }: SiteRequest = {}
): Promise<IncomingMessage> {
  const ca = readFileSync(machine.locate(`/etc/letsencrypt/live/${hostName}/fullchain.pem`))
  const { https: port } = machine.ports
  const target = { host: '127.0.0.1', port, path, method, servername: hostName, ca, agent: false }
  const sent = request({ ...target, headers: { host: `${hostName}:${port}`, ...headers } }).end(body)
  const [response] = await once(sent, 'response')
  // A server may respond before it has read the whole body, and close the connection.
  sent.on('error', () => undefined)
  return response
}

function toResponse(status: number, headers: object, bytes: Buffer): SiteResponse {
  const text = bytes.toString()
  const given = headers as Record<string, string | undefined>
  const isJson = /[/+]json\b/.test(given['content-type'] ?? '') && text !== ''
  return { status, headers: given, bytes, text, body: isJson ? JSON.parse(text) : undefined }
}

/** Calls of the API with a key. */
export interface Site {
  get(path: string): Promise<SiteResponse>
  /** The status of a request with another key. */
  getStatus(path: string, key: string): Promise<number>
  write(method: 'POST' | 'PATCH', path: string, body: object): Promise<SiteResponse>
}

/** The key is read at each call, because it is replaced during the year. */
export function newSite(machine: Machine, getKey: () => string): Site {
  const authorize = (key: string) => ({ authorization: `Bearer ${key}` })
  return {
    get: async path => {
      const response = await sendDirectly(machine, path, { headers: authorize(getKey()) })
      assert.equal(response.status, 200, `${path}: ${response.text}`)
      return response
    },
    getStatus: async (path, key) => (await sendDirectly(machine, path, { headers: authorize(key) })).status,
    write: async (method, path, body) => {
      const headers = { ...authorize(getKey()), 'content-type': 'application/json' }
      const response = await sendDirectly(machine, path, { method, headers, body: JSON.stringify(body) })
      assert.ok(response.status < 300, `${path}: ${response.status} ${response.text}`)
      return response
    }
  }
}

/** A campaign with a donation and its receipt, an event, and a webhook, whose secret is encrypted. */
export async function createContent({ write }: Pick<Site, 'write'>): Promise<void> {
  await write('PATCH', '/organisation', organisation)
  await write('POST', '/campaigns', campaign)
  await addReceivedDonation({ write }, 25)
  await write('POST', '/calendar/events/v1/events', event)
  await write('POST', '/webhooks', { url: 'https://example.org/hook', actions: ['event.created'], isOn: false })
}

/** Adds a received donation and its receipt, as every month. */
export async function addReceivedDonation({ write }: Pick<Site, 'write'>, amount: number): Promise<void> {
  const campaignId = 1
  const given = { ...donation, ...donor, amount, status: 'TRANSFERRED' }
  const { id } = (await write('POST', `/campaigns/${campaignId}/donations`, given)).body
  await write('POST', '/receipts', { kind: 'single', donation: { campaignId, id } })
}

/** The content of the site that must not change: totals, donations with their account numbers, receipts byte by byte, events. */
export interface Snapshot {
  campaigns: unknown
  donations: unknown
  receipts: { number: string; sha256: string }[]
  events: unknown
}

export async function takeSnapshot({ get }: Pick<Site, 'get'>): Promise<Snapshot> {
  const receipts: { id: string; number: string; sha256: string }[] = (await get('/receipts')).body
  for (const { id, number, sha256 } of receipts) {
    const { bytes } = await get(`/receipts/${id}.pdf`)
    assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256, `receipt ${number}`)
  }
  const snapshot = {
    campaigns: (await get('/campaigns')).body,
    donations: (await get('/campaigns/1/donations')).body,
    receipts: receipts.map(({ number, sha256 }) => ({ number, sha256 })),
    events: (await get('/calendar/events/v1/events?start_date=2027-01-01')).body.events
  }
  // The account number is decrypted.
  assert.match(JSON.stringify(snapshot.donations), new RegExp(donation.account.iban))
  return snapshot
}
