// test: both stores
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sendDueEmails } from '#platform/email/send.ts'
import { newWebhookSender } from '#platform/webhooks/sender.ts'
import { silent } from '#test/support/database.ts'
import { type EventStreamClient, openEventStream } from '#test/support/event-stream-client.ts'
import { buildBooking } from '#test/support/fundraising/bank-import.ts'
import { buildStatement } from '#test/support/fundraising/bank-statements.ts'
import { startMailbox } from '#test/support/mailbox.ts'
import { campaign, donation, removeIds, startSite } from '#test/support/services.ts'
import { startWebhookReceiver } from '#test/support/webhook-receiver.ts'
import { createFundraisingActivityTypes } from '../../activity-types.ts'
import { foldTotals } from '../../campaigns/totals/totals.ts'
import { fundraisingChecks } from '../../doctor.ts'
import { fundraisingEmails } from '../../emails/templates.ts'

const mailbox = await startMailbox()
const { admin, visitor, server, store, settings, withRole } = await startSite({
  env: {
    ...{ RATE_LIMIT: '0', RATE_LIMIT_DONATIONS: '0', RATE_LIMIT_DONATIONS_PER_ACCOUNT: '0' },
    ...{ SMTP_URL: mailbox.url, MAIL_FROM: 'give@example.org', PUBLIC_URL: 'https://give.example.org' }
  }
})
const treasurer = await withRole('treasurer')
const origin = await server.app.listen({ host: '127.0.0.1', port: 0 })
const streams: EventStreamClient[] = []
after(() => {
  for (const stream of streams) stream.close()
})

before(async () => {
  assert.equal((await admin.patch('/organisation', { reviewAbove: 500 })).status, 200)
  await admin.patch('/site', { name: 'Music School', contactEmail: 'office@example.org' })
})

const aCampaign = async () => (await admin.post('/campaigns', campaign)).body.id as number
/** By the public: large, and with a name that is found nowhere else. */
const give = async (id: number, fields: object = {}) => {
  const sent = { ...donation, amount: 777, donorName: 'Grete Gross', showName: true, message: 'Sehr viel', ...fields }
  const { status, body } = await visitor.post(`/campaigns/${id}/donations`, sent)
  assert.equal(status, 201)
  return { ...body, path: `/campaigns/${id}/donations/${body.id}` }
}
const totalsOf = async (id: number) => {
  const { amountDonatedSoFar, amountTransferred, donationCount } = (await visitor.get(`/campaigns/${id}`)).body
  return [amountDonatedSoFar, amountTransferred, donationCount]
}
const doctor = async () => (await Promise.all(fundraisingChecks.map(async check => await check.run(store)))).flat()
const actionsOf = async (id: string) =>
  (await admin.get(`/activity?subject=donation&subjectId=${id}`)).body
    .map(({ action }: { action: string }) => action)
    .reverse()

test('a donation above the limit shows nowhere in public until a treasurer releases it, and its donor notices nothing', async () => {
  const id = await aCampaign()
  const receiver = await startWebhookReceiver()
  await admin.post('/webhooks', {
    url: receiver.url,
    actions: ['donation.created', 'donation.released', 'donation.updated', 'campaign.updated']
  })
  const [stranger, official] = await Promise.all([
    openEventStream(`${origin}/stream`),
    openEventStream(`${origin}/stream`, { authorization: `Bearer ${settings.adminKey}` })
  ])
  streams.push(stranger, official)
  const held = await give(id)
  assert.equal(held.review, undefined)
  assert.match(held.reference, /-/)
  assert.equal((await visitor.get(`/donations/by-token/${held.donorToken}`)).body.reference, held.reference)
  assert.equal((await visitor.get(`/en/donate/thanks/${held.donorToken}`)).status, 200)
  const usual = await give(id, { amount: 500, donorName: 'Karl Klein', message: '' })
  assert.equal((await treasurer.patch(usual.path, { messageReview: 'shown' })).status, 200)

  const places = [
    ...['/campaigns', `/campaigns/${id}`, `/campaigns/${id}/donations`, '/campaigns.csv', '/campaigns.jsonl'],
    ...['/en', '/en/donate', `/en/donate/${id}`, '/en/campaigns.atom', `/en/embed/campaigns/${id}`]
  ]
  const shown = async () => {
    let everything = ''
    for (const place of places) {
      let answer = await visitor.get(place)
      if (answer.status === 301) answer = await visitor.get(answer.headers.location ?? '')
      assert.equal(answer.status, 200, place)
      everything += answer.text
    }
    assert.ok(everything.length > 10_000)
    return everything
  }
  assert.deepEqual(await totalsOf(id), [500, 0, 1])
  const everything = await shown()
  const leaked = /Grete|Sehr viel|"amount":777|€777|€1,277|"amountDonatedSoFar":1277/.exec(everything)
  assert.equal(leaked?.[0], undefined)
  assert.ok(everything.includes('Karl Klein'))
  assert.equal((await visitor.get(held.path)).status, 404)
  const list = await visitor.get(`/campaigns/${id}/donations`)
  assert.equal(list.headers['x-total-count'], '1')
  const all = await treasurer.get(`/campaigns/${id}/donations`)
  assert.equal(all.headers['x-total-count'], '2')
  assert.deepEqual(
    all.body.map((one: { id: string; review: string | null }) => [one.id, one.review]),
    [
      [usual.id, null],
      [held.id, 'waiting']
    ]
  )
  // Also a correction is nobody's business.
  await treasurer.patch(held.path, { message: 'Sehr, sehr viel' })
  await official.waitUntil(() => official.messages.some(({ event }) => event === 'donation.updated'))
  assert.doesNotMatch(removeIds(JSON.stringify(stranger.messages)), /Grete|777|Sehr/)

  const released = await treasurer.patch(held.path, { review: 'released' })
  assert.deepEqual([released.status, released.body.review, released.body.status], [200, 'released', 'IN_PROCESS'])
  await stranger.waitUntil(() => stranger.messages.some(({ event }) => event === 'donation.released'))
  const told = stranger.messages.find(({ event }) => event === 'donation.released')
  assert.deepEqual(
    [told?.data.data.donorName, told?.data.data.campaign.amountDonatedSoFar, told?.data.data.review],
    ['Grete Gross', 1277, undefined]
  )
  assert.deepEqual(await totalsOf(id), [1277, 0, 2])
  assert.ok((await shown()).includes('Grete Gross'))
  assert.deepEqual(await actionsOf(held.id), ['donation.held', 'donation.updated', 'donation.released'])
  assert.ok(official.messages.some(({ event }) => event === 'donation.held'))

  const sender = newWebhookSender({
    ...{
      db: store,
      keys: settings,
      activityTypes: createFundraisingActivityTypes(settings),
      origin,
      allowPrivate: true,
      log: silent
    },
    now: () => new Date(Date.now() + 60_000)
  })
  while ((await sender.deliverDue()) > 0) await sender.drain()
  const heard = receiver.received.map(({ body }) => JSON.parse(body))
  assert.deepEqual(
    heard.filter(({ type }) => type === 'donation.created').map(({ data }) => data.id),
    [usual.id]
  )
  assert.equal(heard.find(({ type }) => type === 'donation.released').data.donorName, 'Grete Gross')
  await foldTotals(store)
  assert.deepEqual(await doctor(), [])
})

test('only what waits can be released, once; what is sent back as it was read changes nothing', async () => {
  const id = await aCampaign()
  const held = await give(id)
  const { body: read, headers } = await treasurer.get(held.path)
  assert.equal((await treasurer.patch(held.path, { review: read.review })).headers.etag, headers.etag)
  for (const review of [null, 'refused', 7, '']) {
    const { status } = await treasurer.patch(held.path, { review })
    assert.equal(status, review === null ? 422 : 400, String(review))
  }
  assert.equal((await visitor.patch(held.path, { review: 'released' })).status, 401)
  assert.equal((await treasurer.patch(held.path, { review: 'released' })).status, 200)
  const again = await treasurer.patch(held.path, { review: 'released' })
  assert.equal(again.status, 200)
  assert.deepEqual(await totalsOf(id), [777, 0, 1])
  const back = await treasurer.patch(held.path, { review: 'waiting' })
  assert.deepEqual([back.status, back.body.code, back.body.errors[0].pointer], [422, 'illegal-review', '/review'])
  const usual = await give(id, { amount: 10 })
  assert.equal((await treasurer.patch(usual.path, { review: 'released' })).body.code, 'illegal-review')
  assert.equal((await treasurer.patch(usual.path, { review: null })).status, 200)
  const ofTreasurer = await treasurer.post(`/campaigns/${id}/donations`, { ...donation, amount: 900 })
  assert.equal(ofTreasurer.body.review, null)
})

test('money releases a donation, and one that is cancelled, fails or is taken back counts nowhere', async () => {
  const id = await aCampaign()
  const [paid, cancelled, failed, taken] = [await give(id), await give(id), await give(id), await give(id)]
  assert.equal((await treasurer.patch(paid.path, { status: 'TRANSFERRED' })).body.review, 'released')
  assert.deepEqual(await actionsOf(paid.id), ['donation.held', 'donation.released', 'donation.status_changed'])
  assert.equal((await treasurer.patch(cancelled.path, { status: 'CANCELLED' })).body.review, null)
  assert.equal((await treasurer.patch(failed.path, { status: 'FAILED' })).body.review, null)
  assert.equal((await treasurer.delete(taken.path)).status, 204)
  assert.equal((await treasurer.patch(cancelled.path, { review: 'released' })).body.code, 'illegal-review')
  assert.deepEqual(await totalsOf(id), [777, 777, 1])
  const { body, headers } = await treasurer.get(`/campaigns/${id}/donations`)
  assert.deepEqual([body.length, headers['x-total-count']], [3, '3'])
  assert.deepEqual(await doctor(), [])
})

test('released and booked at the same moment, a donation counts once', async () => {
  const id = await aCampaign()
  const many = await Promise.all(Array.from({ length: 8 }, async () => await give(id)))
  await Promise.all(
    many.flatMap(({ path, id: donationId }) => [
      treasurer.patch(path, { review: 'released' }),
      treasurer.patch(path, { status: 'TRANSFERRED' }),
      treasurer.post('/donations/release', { donations: [{ campaignId: id, id: donationId }] })
    ])
  )
  assert.deepEqual(await totalsOf(id), [777 * 8, 777 * 8, 8])
  // The bank's word is as good as a treasurer's.
  const ofBank = await give(id)
  const payload = buildStatement([buildBooking({ amount: '777.00', text: ofBank.reference })])
  const [statement] = await Promise.all([
    treasurer.send({
      ...{ method: 'POST', url: '/bank-statements', payload },
      headers: { 'content-type': 'application/xml' }
    }),
    treasurer.patch(ofBank.path, { review: 'released' })
  ])
  assert.equal(statement.status, 201)
  const { body: booked } = await treasurer.get(ofBank.path)
  assert.deepEqual([booked.status, booked.review], ['TRANSFERRED', 'released'])
  assert.deepEqual(await totalsOf(id), [777 * 9, 777 * 9, 9])
  for (const { id: donationId } of [...many, ofBank]) {
    const actions = await actionsOf(donationId)
    assert.equal(actions.filter((action: string) => action === 'donation.released').length, 1, actions.join())
  }
  await foldTotals(store)
  assert.deepEqual(await doctor(), [])
})

test('the books list and sum what waits apart, and several are released at once', async () => {
  const id = await aCampaign()
  const [one, other] = [await give(id), await give(id, { amount: 600 })]
  const small = await give(id, { amount: 20 })
  const waiting = await treasurer.get(`/donations?review=waiting&campaignId=${id}`)
  assert.deepEqual([waiting.headers['x-total-count'], waiting.body[0].id], ['2', other.id])
  const { body: sums } = await treasurer.get(`/donations/summary?campaignId=${id}&from=2020-01-01`)
  assert.deepEqual(
    [sums.count, sums.byStatus.IN_PROCESS, sums.waitingForReview],
    [3, { count: 1, amount: 20, received: 0 }, { count: 2, amount: 1377, received: 0 }]
  )
  assert.equal(sums.byDay.at(-1).amount, 20)
  const total = Number((await treasurer.get('/donations?limit=1')).headers['x-total-count'])
  assert.equal((await treasurer.get('/donations?limit=200')).body.length, total)

  const donations = [one, other, small].map(each => ({ campaignId: id, id: each.id }))
  const { body } = await treasurer.post('/donations/release', { donations })
  assert.equal(body.changed, 2)
  assert.deepEqual(
    body.results.map(({ ok, code }: { ok: boolean; code?: string }) => code ?? ok),
    [true, true, 'illegal-review']
  )
  assert.equal((await treasurer.get(`/donations?review=waiting&campaignId=${id}`)).body.length, 0)
  assert.equal((await treasurer.get(`/donations?review=released&campaignId=${id}`)).body.length, 2)
  assert.equal((await treasurer.get('/donations?review=maybe')).status, 400)
  assert.deepEqual(await totalsOf(id), [1397, 0, 3])
})

test('the organisation gets a letter about a donation that waits, without the donor, and none about one that waits no more', async () => {
  await sendDueEmails(store, settings, fundraisingEmails)
  mailbox.received.length = 0
  const id = await aCampaign()
  const [held, released] = [await give(id), await give(id)]
  await treasurer.patch(released.path, { review: 'released' })
  await sendDueEmails(store, settings, fundraisingEmails)
  const letters = mailbox.received.filter(({ to }) => to.includes('office@example.org'))
  assert.equal(letters.length, 1)
  const [letter] = letters
  assert.match(letter?.headers.subject ?? '', /€777\.00/)
  assert.match(letter?.text ?? '', new RegExp(held.reference))
  assert.match(letter?.text ?? '', /https:\/\/give\.example\.org\/admin\/donations\?review=waiting/)
  assert.doesNotMatch(letter?.raw ?? '', /Grete|Lovelace|DE02/)
})
