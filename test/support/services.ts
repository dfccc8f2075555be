import { text } from 'node:stream/consumers'
import { after } from 'node:test'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
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
  /** The parsed JSON body, or the text of another body. */
  // biome-ignore lint/suspicious/noExplicitAny: the shape differs between responses.
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

/** The calendar service, like startCampaigns. */
export async function startCalendar(start: Start = {}) {
  const started = await startServices([await events()], start)
  const { admin } = started
  const newCreator =
    (collection: string, required: object) =>
    async (fields: object = {}, by: Client = admin) => {
      const created = await by.post(`${calendar}/${collection}`, { ...required, ...fields })
      if (created.status !== 201) throw new Error(`${collection}: ${created.status} ${created.text}`)
      return created.body
    }
  return {
    ...started,
    anEvent: newCreator('events', event),
    aVenue: newCreator('venues', { venue: 'Town Hall' }),
    anOrganizer: newCreator('organizers', { organizer: 'Choir' }),
    aCategory: newCreator('categories', { name: 'Music' }),
    aTag: newCreator('tags', { name: 'Outdoors' })
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

/** Starts the given services, as `serve` with names of services does. */
export async function startServices(
  services: ((settings: Settings) => Service)[],
  { env = {}, log = silent, database: existing, withTimeouts = false }: Start
) {
  const database = existing ?? (await createDatabase())
  const settings = readSettings({
    ADMIN_KEY: adminKey,
    ENCRYPTION_KEY: encryptionKey,
    ...env,
    DATABASE_URL: database.url
  })
  const lockTimeout = withTimeouts ? {} : { lock_timeout: 60_000 }
  const store = connectStore({ connectionString: database.url, ...lockTimeout }, { noTimeouts: !withTimeouts, log })
  const server = await createServer(
    services.map(service => service(settings)),
    { store, settings, log, backups: { ...newBackupOperations(settings), startRestore: () => true } }
  )
  after(async () => {
    await server.drain()
    await store.close()
    await database.remove()
    // Many test files run in one process, and their modules stay in memory. This releases what the server refers to.
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
    const response = await server.app.inject(request)
    // The log has the request at the end of the turn.
    await endOfTurn()
    const body = decodeText(response.rawPayload, response.headers['content-encoding'])
    const isJson = /[/+]json\b/.test(String(response.headers['content-type'])) && body !== ''
    return {
      status: response.statusCode,
      headers: response.headers as Record<string, string | undefined>,
      body: isJson ? JSON.parse(body) : body,
      text: body
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

/** As a client reads it: decompressed, if it has a body at all. */
function decodeText(body: Buffer, coding: string | string[] | number | undefined): string {
  if (body.length === 0 || coding === undefined) return body.toString()
  return coding === 'br' ? brotliDecompressSync(body).toString() : gunzipSync(body).toString()
}

/** For tests that search a text for digits, which a random id may contain. */
export function removeIds(text: string): string {
  return text.replace(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g, 'id')
}

/** Reads only status and headers of an event stream. */
async function readStreamHead(app: Server['app'], request: InjectOptions): Promise<TestResponse> {
  const response = await app.inject({ ...request, payloadAsStream: true })
  const headers = response.headers as Record<string, string | undefined>
  const isEndless = request.method !== 'HEAD' && headers['content-type']?.startsWith('text/event-stream') === true
  if (isEndless) response.raw.res.destroy()
  const body = isEndless ? '' : await text(response.stream())
  const isJson = /json\b/.test(headers['content-type'] ?? '')
  return { status: response.statusCode, headers, body: isJson ? JSON.parse(body) : body, text: body }
}
