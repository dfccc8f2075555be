import { text } from 'node:stream/consumers'
import { after } from 'node:test'
import type { InjectOptions } from 'fastify'
import type { Role } from '#platform/caller.ts'
import { readSettings, type Settings } from '#platform/config.ts'
import { connectStore } from '#platform/database/postgres.ts'
import type { Service } from '#platform/http/service.ts'
import type { Log } from '#platform/log.ts'
import { createServer, type Server } from '#platform/server.ts'
import { newBackupOperations } from '../../src/cli/server/backup-operations.ts'
import { createDatabase, encryptionKey, silent, type TestDatabase } from './database.ts'
import './fast-passwords.ts'

export const adminKey = 'the-key-of-the-tests-admin'

export interface TestResponse {
  status: number
  headers: Record<string, string | undefined>
  /** The JSON body, or its text where it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts on what comes, whatever its shape.
  body: any
  text: string
}

export interface Client {
  get(path: string, headers?: Record<string, string>): Promise<TestResponse>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<TestResponse>
  put(path: string, body: unknown, headers?: Record<string, string>): Promise<TestResponse>
  patch(path: string, body: unknown, headers?: Record<string, string>): Promise<TestResponse>
  delete(path: string, headers?: Record<string, string>): Promise<TestResponse>
  /** Sends any request unchanged. */
  send(options: InjectOptions): Promise<TestResponse>
}

export interface Start {
  env?: Record<string, string>
  log?: Log
  /** A database that the test created itself or shares with another server. */
  database?: TestDatabase
  /** For tests of slow databases. Other tests have no timeouts, because the machine may be busy. */
  withTimeouts?: boolean
}

/** The campaign service on a fresh database, with a client for each role. Everything is closed after the file's tests. */
export async function startCampaigns(start: Start = {}) {
  const started = await startServices([await campaigns()], start)
  const { admin } = started
  return {
    ...started,
    aCampaign: async (fields: object = {}) => (await admin.post('/campaigns', { ...campaign, ...fields })).body,
    aDonation: async (campaignId: number, fields: object = {}) =>
      (await admin.post(`/campaigns/${campaignId}/donations`, { ...donation, ...fields })).body
  }
}

/** The namespace of the calendar. */
export const calendar = '/calendar/events/v1'

/** The calendar service in the same way. */
export async function startCalendar(start: Start = {}) {
  const started = await startServices([await events()], start)
  const { admin } = started
  const make =
    (collection: string, required: object) =>
    async (fields: object = {}, by: Client = admin) => {
      const made = await by.post(`${calendar}/${collection}`, { ...required, ...fields })
      if (made.status !== 201) throw new Error(`${collection}: ${made.status} ${made.text}`)
      return made.body
    }
  return {
    ...started,
    anEvent: make('events', event),
    aVenue: make('venues', { venue: 'Town Hall' }),
    anOrganizer: make('organizers', { organizer: 'Choir' }),
    aCategory: make('categories', { name: 'Music' }),
    aTag: make('tags', { name: 'Outdoors' })
  }
}

/** Both services, as `serve` starts them. */
export async function startCampaignsAndCalendar(start: Start = {}) {
  return await startServices([await campaigns(), await events()], start)
}

/** Both services and the pages on top of them. */
export async function startSite(start: Start = {}) {
  const { newWebService: webService } = await import('#web/service.ts')
  return await startServices([await campaigns(), await events(), webService], start)
}

// Loaded lazily: each service is hundreds of files that tests of the others do not need.
const campaigns = async () => (await import('#fundraising/service.ts')).createFundraisingService
const events = async () => (await import('#calendar/service.ts')).createCalendarService

/** These services, as `serve` with the names of parts starts them. */
export async function startServices(
  services: ((settings: Settings) => Service)[],
  { env = {}, log = silent, database: given, withTimeouts = false }: Start
) {
  const database = given ?? (await createDatabase())
  const settings = readSettings({
    ADMIN_KEY: adminKey,
    ENCRYPTION_KEY: encryptionKey,
    ...env,
    DATABASE_URL: database.url
  })
  const waits = withTimeouts ? {} : { lock_timeout: 60_000 }
  const store = connectStore({ connectionString: database.url, ...waits }, { noTimeouts: !withTimeouts, log })
  const server = await createServer(
    services.map(service => service(settings)),
    { store, settings, log, backups: { ...newBackupOperations(settings), startRestore: () => true } }
  )
  after(async () => {
    await server.drain()
    await store.close()
    await database.remove()
    // Modules of tests stay in memory, and with them whatever they refer to: many files run in one process.
    for (const name of Object.keys(server)) Reflect.deleteProperty(server, name)
  })

  const admin = newClient(server, settings.adminKey)
  async function withRole(role: Role): Promise<Client> {
    const issued = await admin.post('/keys', { name: `the tests' ${role}`, role })
    return newClient(server, issued.body.key)
  }

  return {
    server,
    store,
    settings,
    databaseUrl: database.url,
    visitor: newClient(server),
    admin,
    /** A client with a key of this role. */
    withRole,
    /** A client with any key. */
    withKey: (key: string) => newClient(server, key)
  }
}

/** The required fields of an event. */
export const event = {
  title: 'Summer concert',
  start_date: '2027-06-01 19:00:00',
  end_date: '2027-06-01 21:00:00'
}

/** The fields of the specification. */
export const campaign = {
  name: 'New roof for the music school',
  donationMinimum: 5,
  targetAmount: 8000,
  account: { iban: 'DE89370400440532013000', name: 'Music School', nameOfBank: 'Example Bank' }
}

export const donation = {
  amount: 25,
  donorName: 'Ada Lovelace',
  receiptRequested: true,
  status: 'IN_PROCESS',
  account: { iban: 'DE02120300000000202051', name: 'Ada Lovelace', nameOfBank: 'Example Bank' }
}

export function newClient(server: Pick<Server, 'app'>, key?: string): Client {
  const credentials: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` }

  async function send(options: InjectOptions): Promise<TestResponse> {
    const request = { ...options, headers: { ...credentials, ...options.headers } }
    if (/^\/stream\b/.test(String(options.url))) return await readStreamHead(server.app, request)
    const answer = await server.app.inject(request)
    const isJson = /[/+]json\b/.test(String(answer.headers['content-type'])) && answer.body !== ''
    return {
      status: answer.statusCode,
      headers: answer.headers as Record<string, string | undefined>,
      body: isJson ? answer.json() : answer.body,
      text: answer.body
    }
  }
  const withBody =
    (method: 'POST' | 'PUT' | 'PATCH') =>
    async (path: string, body?: unknown, headers: Record<string, string> = {}) =>
      await send(
        body === undefined
          ? { method, url: path, headers }
          : {
              method,
              url: path,
              headers: { 'content-type': 'application/json', ...headers },
              payload: JSON.stringify(body)
            }
      )

  return {
    send,
    get: async (path, headers = {}) => await send({ method: 'GET', url: path, headers }),
    post: withBody('POST'),
    put: withBody('PUT'),
    patch: withBody('PATCH'),
    delete: async (path, headers = {}) => await send({ method: 'DELETE', url: path, headers })
  }
}

/** For tests that search a text for digits: an id has any of them by chance. */
export function removeIds(text: string): string {
  return text.replace(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g, 'id')
}

/** Reads only the head of an endless response. */
async function readStreamHead(app: Server['app'], request: InjectOptions): Promise<TestResponse> {
  const answer = await app.inject({ ...request, payloadAsStream: true })
  const headers = answer.headers as Record<string, string | undefined>
  const isEndless = request.method !== 'HEAD' && headers['content-type']?.startsWith('text/event-stream') === true
  if (isEndless) answer.raw.res.destroy()
  const body = isEndless ? '' : await text(answer.stream())
  const isJson = /json\b/.test(headers['content-type'] ?? '')
  return { status: answer.statusCode, headers, body: isJson ? JSON.parse(body) : body, text: body }
}
