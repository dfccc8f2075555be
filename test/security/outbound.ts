// URLs of users to fetch from or send to: none may reach the local machine or a private network.
import { once } from 'node:events'
import { createServer as createWebServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { createCalendarJobs } from '#calendar/jobs.ts'
import { runSubscriptions } from '#calendar/subscriptions/runner/run.ts'
import { platformActivityTypes } from '#platform/activity/resource-types.ts'
import {
  type FetchOptions,
  fetchBytes,
  isPublicAddress,
  type NetworkResolver,
  SafeFetchError
} from '#platform/safe-fetch.ts'
import { newWebhookSender } from '#platform/webhooks/sender.ts'
import { silent } from '../support/database.ts'
import { type Finding, toFinding } from '../support/security/checks.ts'
import { calendar, event, startCampaignsAndCalendar } from '../support/services.ts'

/** The local machine, private networks and the metadata services of clouds, in all notations. */
const hosts = [
  ...[
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '127.255.255.254',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '017700000001',
    '0177.0.0.1'
  ],
  ...[
    '0',
    '0.0.0.0',
    '[::]',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]'
  ],
  ...[
    '[2002:7f00:1::]',
    '[fe80::1]',
    '[fd00::1]',
    '[fec0::1]',
    '[ff02::1]',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost'
  ],
  ...[
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '100.64.0.1',
    '169.254.169.254',
    '0xa9fea9fe',
    '2852039166'
  ],
  ...[
    '[::ffff:a9fe:a9fe]',
    '[fd00:ec2::254]',
    '168.63.129.16',
    '192.0.0.192',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255'
  ],
  ...['１２７.０.０.１', '127。0。0。1', '①②⑦.⓪.⓪.①', 'ⓛocalhost', '%31%32%37.0.0.1', '127.0.0.1%2f@example.org']
]

/** URLs with other protocols, or that hide their target. */
const listOtherUrls = (port: number) => [
  ...[
    'file:///etc/passwd',
    'file://127.0.0.1/etc/passwd',
    `gopher://127.0.0.1:${port}/_GET`,
    `ftp://127.0.0.1:${port}/`
  ],
  ...[
    `dict://127.0.0.1:${port}/a`,
    `ldap://127.0.0.1:${port}/`,
    'data:text/plain,a',
    'javascript:alert(1)',
    '//127.0.0.1/'
  ],
  ...[
    `http://example.org@127.0.0.1:${port}/`,
    `http://me:secret@127.0.0.1:${port}/`,
    `http:127.0.0.1:${port}`,
    'http:///etc'
  ],
  ...[
    `http://127.0.0.1:${port}#@example.org/`,
    `http://127.0.0.1:${port}\\@example.org/`,
    `jar:http://127.0.0.1:${port}!/`
  ]
]

export async function checkOutboundRequests(): Promise<Finding[]> {
  const canary = await startCanary()
  const { admin, store, settings } = await startCampaignsAndCalendar()
  const urls = [...hosts.map(host => `http://${host}:${canary.port}/latest/meta-data`), ...listOtherUrls(canary.port)]
  const faults: string[] = []
  let attempts = 0

  // Images are fetched while the request waits.
  for (const url of urls) {
    for (const [collection, fields] of Object.entries({
      events: event,
      venues: { venue: 'V' },
      organizers: { organizer: 'O' }
    })) {
      attempts += 1
      const { status, text } = await admin.post(`${calendar}/${collection}`, { ...fields, image: url })
      if (status !== 400) faults.push(`image ${url}: ${status}`)
      if (/ECONN|EADDR|127\.0\.0\.1:\d+ /.test(text)) faults.push(`image ${url}: reveals ${text.slice(0, 200)}`)
    }
  }

  // Imports are fetched by the worker.
  const [runImports] = createCalendarJobs(settings)
  for (const url of urls) {
    for (const source of ['tec', 'ical']) {
      attempts += 1
      const { status, body } = await admin.post(`${calendar}/imports`, { source, url, dry_run: false })
      if (status !== 201 && status !== 400) faults.push(`import ${url}: ${status}`)
      if (status !== 201) continue
      await runImports?.run(store, {}, new AbortController().signal)
      const after = (await admin.get(`${calendar}/imports/${body.id}`)).body
      if (after.status !== 'failed') faults.push(`import ${url}: ${after.status}`)
    }
  }

  // Subscriptions are fetched by the worker, too.
  for (const url of urls) {
    attempts += 1
    const { status, body } = await admin.post(`${calendar}/subscriptions`, { url })
    if (![201, 400, 409].includes(status)) faults.push(`subscription ${url}: ${status}`)
    if (status !== 201) continue
    await runSubscriptions(store, { settings, signal: new AbortController().signal })
    const after = (await admin.get(`${calendar}/subscriptions/${body.id}`)).body
    if (after.last_result !== 'failed') faults.push(`subscription ${url}: ${after.last_result}`)
  }

  // Webhooks are sent by the webhook sender.
  const now = () => new Date(Date.now() + 60_000)
  const sender = newWebhookSender({
    db: store,
    keys: settings,
    activityTypes: platformActivityTypes,
    origin: 'http://a.example',
    allowPrivate: false,
    log: silent,
    now
  })
  for (const url of urls) {
    attempts += 1
    const { status, body } = await admin.post('/webhooks', { url, actions: ['key.created'] })
    if (status !== 201 && status !== 400) faults.push(`webhook ${url}: ${status}`)
    if (status !== 201) continue
    await admin.post(`/webhooks/${body.id}/test`)
    await sender.deliverDue()
    await sender.drain()
    const [delivery] = (await admin.get(`/webhooks/${body.id}/deliveries`)).body
    if (delivery?.status === 'delivered') faults.push(`webhook ${url} was delivered`)
    await admin.delete(`/webhooks/${body.id}`)
  }
  const secondCanary = await startCanary('127.0.0.1')
  attempts += await runDeceptions(secondCanary.port, faults)

  const limit = 'every one is refused, and nothing ever connects to the canary'
  const hits = canary.hits() + secondCanary.hits()
  if (hits > 0) faults.push(`${hits} connections to the canaries`)
  return [
    toFinding(
      'outbound',
      `${attempts} attempts with ${urls.length} addresses, ${hits} hits on the canary`,
      limit,
      faults
    )
  ]
}

/** Listens at all addresses of this machine, or only at this one, and counts connections. */
async function startCanary(only?: string): Promise<{ port: number; hits(): number }> {
  let count = 0
  const listen = async (host: string, port: number) => {
    const server = createServer(socket => {
      count += 1
      socket.destroy()
    }).listen(port, host)
    server.unref()
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const port = await listen(only ?? '0.0.0.0', 0)
  // Not every machine has IPv6.
  if (only === undefined) await listen('::1', port).catch(() => undefined)
  return { port, hits: () => count }
}

const fetchOptions: FetchOptions = {
  allowPrivate: false,
  bytesMax: 1000,
  timeoutMs: 3000,
  redirectsMax: 3,
  accept: '*/*'
}

/** Redirects of a public server to private addresses, and a name that resolves to another address for the connection (DNS rebinding). */
async function runDeceptions(port: number, faults: string[]): Promise<number> {
  const targets = [...hosts.map(host => `http://${host}:${port}/`), ...listOtherUrls(port)]
  let target = ''
  const redirectServer = createWebServer((_, response) =>
    response.writeHead(302, { location: Buffer.from(target).toString('latin1') }).end()
  ).listen(0, '127.0.0.2')
  redirectServer.unref()
  await once(redirectServer, 'listening')
  const { port: redirectPort } = redirectServer.address() as AddressInfo
  let lookups = 0
  const resolver: NetworkResolver = {
    // A public address at the first lookup, a private one at the second.
    resolve: async host => {
      lookups += 1
      return host === 'public.example' || lookups % 2 === 1 ? ['127.0.0.2'] : ['127.0.0.1']
    },
    isPublic: address => address === '127.0.0.2' || isPublicAddress(address)
  }
  const assertRefused = async (url: string, what: string) => {
    try {
      const { status } = await fetchBytes(url, fetchOptions, resolver)
      faults.push(`${what} ${target} was fetched: ${status}`)
    } catch (error) {
      if (!(error instanceof SafeFetchError)) faults.push(`${what} ${target}: ${error}`)
    }
  }
  for (target of targets) await assertRefused(`http://public.example:${redirectPort}/`, 'redirect to')
  for (let time = 0; time < 10; time += 1) await assertRefused(`http://rebinding.example:${port}/`, 'rebinding')
  redirectServer.close()
  return targets.length + 10
}
