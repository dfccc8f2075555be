import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adminKey, startCampaignsAndCalendar } from '#test/support/services.ts'
// Imported as users of the package import it.
import {
  ApiError,
  type Campaign,
  type Client,
  newClient,
  type RequestBody,
  type ResponseBody,
  unwrap,
  withIdempotencyKey
} from './client.ts'

const { server } = await startCampaignsAndCalendar()
const baseUrl = await server.app.listen({ host: '127.0.0.1', port: 0 })
const admin = newClient({ baseUrl, key: adminKey })
const visitor = newClient({ baseUrl })

const newCampaign: RequestBody<'/campaigns', 'post'> = {
  name: 'New roof for the music school',
  donationMinimum: 5,
  targetAmount: 8000,
  account: { iban: 'DE89370400440532013000', name: 'Music School' }
}
const gift: RequestBody<'/campaigns/{campaignId}/donations', 'post'> = {
  amount: '20.50',
  donorName: 'Ada Lovelace',
  account: { iban: 'DE02120300000000202051' }
}

async function aCampaign(): Promise<Campaign> {
  return await unwrap(admin.POST('/campaigns', { body: newCampaign }))
}

/** The error that is thrown, which has to be an ApiError. */
async function catchApiError(
  request: Promise<{ data?: unknown; error?: unknown; response: Response }>
): Promise<ApiError> {
  try {
    await unwrap(request)
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error))
    return error
  }
  assert.fail('The request was not refused.')
}

test('a campaign is created, gets a donation, and is listed with its amount', async () => {
  const { id } = await aCampaign()
  const params = { path: { campaignId: id } }
  const donation = await unwrap(visitor.POST('/campaigns/{campaignId}/donations', { params, body: gift }))
  assert.equal(donation.amount, 20.5)
  assert.equal(donation.status, 'IN_PROCESS')

  const listed: ResponseBody<'/campaigns', 'get'> = await unwrap(visitor.GET('/campaigns'))
  assert.equal(listed.find(campaign => campaign.id === id)?.amountDonatedSoFar, 20.5)
  const donations = await unwrap(
    visitor.GET('/campaigns/{campaignId}/donations', { params: { ...params, query: { limit: 1 } } })
  )
  assert.deepEqual(
    donations.map(one => one.id),
    [donation.id]
  )
})

test('a request repeated with the same withIdempotencyKey() has one effect', async () => {
  const { id } = await aCampaign()
  const donate = async (sent: ReturnType<typeof withIdempotencyKey>) =>
    await visitor.POST('/campaigns/{campaignId}/donations', {
      params: { path: { campaignId: id } },
      body: gift,
      ...sent
    })
  const sent = withIdempotencyKey()
  const [first, again, other] = [await donate(sent), await donate(sent), await donate(withIdempotencyKey())]
  assert.equal(again.response.headers.get('idempotent-replayed'), 'true')
  assert.equal(again.data?.id, first.data?.id)
  assert.notEqual(other.data?.id, first.data?.id)
  assert.deepEqual(withIdempotencyKey('order-17'), { headers: { 'Idempotency-Key': 'order-17' } })
})

test('an event with a venue is created, and found by filters with several values', async () => {
  const address = '/calendar/events/v1/events'
  const { id } = await unwrap(
    admin.POST(address, {
      body: {
        title: 'Summer concert',
        start_date: '2027-06-01 19:00:00',
        end_date: '2027-06-01 21:00:00',
        venue: { venue: 'Town Hall' },
        categories: ['Music, old and new', 'Open air'],
        status: 'publish'
      }
    })
  )
  const found = async (categories: string[]) => {
    const query = { categories, start_date: '2027-01-01', per_page: 5, status: ['publish' as const] }
    const { events } = await unwrap(visitor.GET(address, { params: { query } }))
    return events.map(event => event.id)
  }
  assert.deepEqual(await found(['Music, old and new']), [id])
  const other = await unwrap(admin.POST('/calendar/events/v1/categories', { body: { name: 'Talks' } }))
  assert.deepEqual(await found([other.slug, 'open-air']), [id])
  assert.deepEqual(await found([other.slug]), [])
})

test('a response that is not JSON is read as text, and a file is uploaded in a form', async () => {
  const calendar = await unwrap(visitor.GET('/calendar/events/v1/events.ics', { parseAs: 'text' }))
  assert.match(calendar, /^BEGIN:VCALENDAR/)
  const body = new FormData()
  const pixel = 'R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw=='
  body.set('file', new Blob([Buffer.from(pixel, 'base64')], { type: 'image/gif' }), 'pixel.gif')
  const image = await unwrap(admin.POST('/calendar/events/v1/media', { body }))
  assert.equal(image.width, 1)
})

test('keys are created and revoked through platform routes', async () => {
  const { id, key } = await unwrap(admin.POST('/keys', { body: { name: 'For a while', role: 'editor' } }))
  const editor = newClient({ baseUrl, key })
  assert.equal((await editor.POST('/campaigns', { body: newCampaign })).response.status, 201)
  assert.equal(await unwrap(admin.DELETE('/keys/{id}', { params: { path: { id } } })), undefined)
  assert.equal((await catchApiError(editor.GET('/campaigns'))).status, 401)
})

test('PATCH changes some fields of a campaign and keeps the others', async () => {
  const { id } = await unwrap(admin.POST('/campaigns', { body: { ...newCampaign, description: 'Rain' } }))
  const params = { path: { campaignId: id } }
  const body = { status: 'closed' as const, description: null, account: { name: 'Choir' } }
  const changed = await unwrap(admin.PATCH('/campaigns/{campaignId}', { params, body }))
  assert.deepEqual([changed.status, changed.description, changed.account.name], ['closed', '', 'Choir'])
  assert.equal(changed.name, newCampaign.name)
})

test('an error of the campaign API is thrown with status, request id and fields, with messages in the language of the client', async () => {
  const german = newClient({ baseUrl, key: adminKey, language: 'de' })
  const refused = await catchApiError(
    german.POST('/campaigns', { body: { ...newCampaign, name: '', account: { iban: 'nonsense', name: 'X' } } })
  )
  assert.equal(refused.status, 400)
  assert.deepEqual(Object.keys(refused.fields).sort(), ['account/iban', 'name'])
  assert.match(refused.fields.name ?? '', /leer|Zeichen/)
  assert.match(refused.requestId, /^[\w-]{8,}$/)
  assert.equal((await catchApiError(visitor.POST('/campaigns', { body: newCampaign }))).status, 401)
})

test('an error of the calendar API has the same form', async () => {
  const missing = await catchApiError(
    visitor.GET('/calendar/events/v1/events/{id}', { params: { path: { id: 987654 } } })
  )
  assert.equal(missing.status, 404)
  assert.equal(missing.code, 'rest-event-not-found')
  const body = { title: 'Backwards', start_date: '2027-06-02', end_date: '2027-06-01' }
  const refused = await catchApiError(admin.POST('/calendar/events/v1/events', { body }))
  assert.equal(refused.status, 400)
  assert.ok('end_date' in refused.fields, JSON.stringify(refused))
})

test('without unwrap() an error is returned next to the response', async () => {
  const path = { campaignId: 987654 }
  const { data, error, response } = await visitor.GET('/campaigns/{campaignId}', { params: { path } })
  assert.equal(data, undefined)
  assert.equal(response.status, 404)
  assert.equal(error?.requestId, response.headers.get('x-request-id'))
})

test('a response that Kalends did not write is an error with its status and Retry-After', async () => {
  const busy = async () => new Response('<h1>Busy</h1>', { status: 503, headers: { 'retry-after': '7' } })
  const refused = await catchApiError(newClient({ baseUrl, fetch: busy }).GET('/campaigns'))
  assert.equal(refused.status, 503)
  assert.equal(refused.retryAfterSeconds, 7)
  assert.equal(refused.code, '')
  assert.deepEqual(refused.fields, {})
})

test('unknown paths, methods, fields and values do not compile', () => {
  /** Never called: the compiler checks it, and fails where one of these lines is correct. */
  async function mistakes(client: Client): Promise<void> {
    // @ts-expect-error There is no such path.
    await client.GET('/campains')
    // @ts-expect-error A list has no PATCH.
    await client.PATCH('/campaigns', {})
    // @ts-expect-error The path parameter is missing.
    await client.GET('/campaigns/{campaignId}')
    // @ts-expect-error A campaign needs more than a name.
    await client.POST('/campaigns', { body: { name: 'Roof' } })
    // @ts-expect-error There is no field of this name.
    await client.POST('/campaigns', { body: { ...newCampaign, tragetAmount: 1 } })
    // @ts-expect-error There is no such status.
    await client.POST('/campaigns', { body: { ...newCampaign, status: 'finished' } })
    // @ts-expect-error There is no such filter.
    await client.GET('/calendar/events/v1/events', { params: { query: { catgories: ['music'] } } })
    const campaign = await unwrap(client.GET('/campaigns/{campaignId}', { params: { path: { campaignId: 1 } } }))
    // @ts-expect-error Amounts are numbers.
    campaign.amountDonatedSoFar.toUpperCase()
    const { data } = await client.GET('/campaigns')
    // @ts-expect-error It is undefined if the request was refused.
    data.length
  }
  assert.equal(typeof mistakes, 'function')
})
