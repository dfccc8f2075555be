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
import { campaign, donation, startSite } from '#test/support/services.ts'
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

const createCampaign = async () => (await admin.post('/campaigns', campaign)).body.id as number
/** Donates as a visitor: above the review limit, with a name that no other donation has. */
const donate = async (id: number, fields: object = {}) => {
  const sent = { ...donation, amount: 777, donorName: 'Grete Gross', showName: true, message: 'Sehr viel', ...fields }
  const { status, body } = await visitor.post(`/campaigns/${id}/donations`, sent)
  assert.equal(status, 201)
  return { ...body, path: `/campaigns/${id}/donations/${body.id}` }
}
const readTotals = async (id: number) => {
  const { amountDonatedSoFar, amountTransferred, donationCount } = (await visitor.get(`/campaigns/${id}`)).body
  return [amountDonatedSoFar, amountTransferred, donationCount]
}
const findFaults = async () => (await Promise.all(fundraisingChecks.map(async check => await check.run(store)))).flat()
const readActions = async (id: string) =>
  (await admin.get(`/activity?subject=donation&subjectId=${id}`)).body
    .map(({ action }: { action: string }) => action)
    .reverse()

test('a donation above the limit is not public until a treasurer approves it, and its donor sees no difference', async () => {
  const id = await createCampaign()
  const receiver = await startWebhookReceiver()
  await admin.post('/webhooks', {
    url: receiver.url,
    actions: ['donation.created', 'donation.released', 'donation.updated', 'campaign.updated']
  })
  const [publicStream, adminStream] = await Promise.all([
    openEventStream(`${origin}/stream`),
    openEventStream(`${origin}/stream`, { authorization: `Bearer ${settings.adminKey}` })
  ])
  streams.push(publicStream, adminStream)
  const held = await donate(id)
  assert.equal(held.review, undefined)
  assert.match(held.reference, /-/)
  assert.equal((await visitor.get(`/donations/by-token/${held.donorToken}`)).body.reference, held.reference)
  assert.equal((await visitor.get(`/en/donate/thanks/${held.donorToken}`)).status, 200)
  const belowLimit = await donate(id, { amount: 500, donorName: 'Karl Klein', message: '' })
  assert.equal((await treasurer.patch(belowLimit.path, { messageReview: 'shown' })).status, 200)

  const paths = [
    ...['/campaigns', `/campaigns/${id}`, `/campaigns/${id}/donations`, '/campaigns.csv', '/campaigns.jsonl'],
    ...['/en', '/en/donate', `/en/donate/${id}`, '/en/campaigns.atom', `/en/embed/campaigns/${id}`]
  ]
  const readPublic = async () => {
    let everything = ''
    for (const path of paths) {
      let response = await visitor.get(path)
      if (response.status === 301) response = await visitor.get(response.headers.location ?? '')
      assert.equal(response.status, 200, path)
      everything += response.text
    }
    assert.ok(everything.length > 10_000)
    return everything
  }
  assert.deepEqual(await readTotals(id), [500, 0, 1])
  const everything = await readPublic()
  // Not the bare digits: ids have them by chance.
  const ofHeldDonation = /Grete|Sehr|"amount":777|€777|€1,277|"amountDonatedSoFar":1277/
  assert.equal(ofHeldDonation.exec(everything)?.[0], undefined)
  assert.ok(everything.includes('Karl Klein'))
  assert.equal((await visitor.get(held.path)).status, 404)
  const list = await visitor.get(`/campaigns/${id}/donations`)
  assert.equal(list.headers['x-total-count'], '1')
  const all = await treasurer.get(`/campaigns/${id}/donations`)
  assert.equal(all.headers['x-total-count'], '2')
  assert.deepEqual(
    all.body.map((one: { id: string; review: string | null }) => [one.id, one.review]),
    [
      [belowLimit.id, null],
      [held.id, 'waiting']
    ]
  )
  // A correction is not public either.
  await treasurer.patch(held.path, { message: 'Sehr, sehr viel' })
  await adminStream.waitUntil(() => adminStream.messages.some(({ event }) => event === 'donation.updated'))
  assert.doesNotMatch(JSON.stringify(publicStream.messages), ofHeldDonation)

  const released = await treasurer.patch(held.path, { review: 'released' })
  assert.deepEqual([released.status, released.body.review, released.body.status], [200, 'released', 'IN_PROCESS'])
  await publicStream.waitUntil(() => publicStream.messages.some(({ event }) => event === 'donation.released'))
  const releaseMessage = publicStream.messages.find(({ event }) => event === 'donation.released')
  assert.deepEqual(
    [
      releaseMessage?.data.data.donorName,
      releaseMessage?.data.data.campaign.amountDonatedSoFar,
      releaseMessage?.data.data.review
    ],
    ['Grete Gross', 1277, undefined]
  )
  assert.deepEqual(await readTotals(id), [1277, 0, 2])
  assert.ok((await readPublic()).includes('Grete Gross'))
  assert.deepEqual(await readActions(held.id), ['donation.held', 'donation.updated', 'donation.released'])
  assert.ok(adminStream.messages.some(({ event }) => event === 'donation.held'))

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
  const webhookMessages = receiver.received.map(({ body }) => JSON.parse(body))
  assert.deepEqual(
    webhookMessages.filter(({ type }) => type === 'donation.created').map(({ data }) => data.id),
    [belowLimit.id]
  )
  assert.equal(webhookMessages.find(({ type }) => type === 'donation.released').data.donorName, 'Grete Gross')
  await foldTotals(store)
  assert.deepEqual(await findFaults(), [])
})

test('only a donation that is held for review can be approved; sending back the current value changes nothing', async () => {
  const id = await createCampaign()
  const held = await donate(id)
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
  assert.deepEqual(await readTotals(id), [777, 0, 1])
  const back = await treasurer.patch(held.path, { review: 'waiting' })
  assert.deepEqual([back.status, back.body.code, back.body.errors[0].pointer], [422, 'illegal-review', '/review'])
  const belowLimit = await donate(id, { amount: 10 })
  assert.equal((await treasurer.patch(belowLimit.path, { review: 'released' })).body.code, 'illegal-review')
  assert.equal((await treasurer.patch(belowLimit.path, { review: null })).status, 200)
  const ofTreasurer = await treasurer.post(`/campaigns/${id}/donations`, { ...donation, amount: 900 })
  assert.equal(ofTreasurer.body.review, null)
})

test('receiving a held donation approves it; a held donation that is cancelled, fails or is deleted is in no total', async () => {
  const id = await createCampaign()
  const [paid, cancelled, failed, deleted] = [await donate(id), await donate(id), await donate(id), await donate(id)]
  assert.equal((await treasurer.patch(paid.path, { status: 'TRANSFERRED' })).body.review, 'released')
  assert.deepEqual(await readActions(paid.id), ['donation.held', 'donation.released', 'donation.status_changed'])
  assert.equal((await treasurer.patch(cancelled.path, { status: 'CANCELLED' })).body.review, null)
  assert.equal((await treasurer.patch(failed.path, { status: 'FAILED' })).body.review, null)
  assert.equal((await treasurer.delete(deleted.path)).status, 204)
  assert.equal((await treasurer.patch(cancelled.path, { review: 'released' })).body.code, 'illegal-review')
  assert.deepEqual(await readTotals(id), [777, 777, 1])
  const { body, headers } = await treasurer.get(`/campaigns/${id}/donations`)
  assert.deepEqual([body.length, headers['x-total-count']], [3, '3'])
  assert.deepEqual(await findFaults(), [])
})

test('a donation that is approved and booked concurrently counts once', async () => {
  const id = await createCampaign()
  const heldDonations = await Promise.all(Array.from({ length: 8 }, async () => await donate(id)))
  await Promise.all(
    heldDonations.flatMap(({ path, id: donationId }) => [
      treasurer.patch(path, { review: 'released' }),
      treasurer.patch(path, { status: 'TRANSFERRED' }),
      treasurer.post('/donations/release', { donations: [{ campaignId: id, id: donationId }] })
    ])
  )
  assert.deepEqual(await readTotals(id), [777 * 8, 777 * 8, 8])
  // A booking from a bank statement approves the donation as well.
  const bookedByBank = await donate(id)
  const payload = buildStatement([buildBooking({ amount: '777.00', text: bookedByBank.reference })])
  const [statement] = await Promise.all([
    treasurer.send({
      ...{ method: 'POST', url: '/bank-statements', payload },
      headers: { 'content-type': 'application/xml' }
    }),
    treasurer.patch(bookedByBank.path, { review: 'released' })
  ])
  assert.equal(statement.status, 201)
  const { body: booked } = await treasurer.get(bookedByBank.path)
  assert.deepEqual([booked.status, booked.review], ['TRANSFERRED', 'released'])
  assert.deepEqual(await readTotals(id), [777 * 9, 777 * 9, 9])
  for (const { id: donationId } of [...heldDonations, bookedByBank]) {
    const actions = await readActions(donationId)
    assert.equal(actions.filter((action: string) => action === 'donation.released').length, 1, actions.join())
  }
  await foldTotals(store)
  assert.deepEqual(await findFaults(), [])
})

test('held donations are listed and summed separately, and several can be approved in one request', async () => {
  const id = await createCampaign()
  const [one, other] = [await donate(id), await donate(id, { amount: 600 })]
  const small = await donate(id, { amount: 20 })
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
  assert.deepEqual(await readTotals(id), [1397, 0, 3])
})

test('the organisation gets an email about a held donation, without donor data, and none if it was approved before sending', async () => {
  await sendDueEmails(store, settings, fundraisingEmails)
  mailbox.received.length = 0
  const id = await createCampaign()
  const [held, released] = [await donate(id), await donate(id)]
  await treasurer.patch(released.path, { review: 'released' })
  await sendDueEmails(store, settings, fundraisingEmails)
  const emails = mailbox.received.filter(({ to }) => to.includes('office@example.org'))
  assert.equal(emails.length, 1)
  const [email] = emails
  assert.match(email?.headers.subject ?? '', /€777\.00/)
  assert.match(email?.text ?? '', new RegExp(held.reference))
  assert.match(email?.text ?? '', /https:\/\/give\.example\.org\/admin\/donations\?review=waiting/)
  assert.doesNotMatch(email?.raw ?? '', /Grete|Lovelace|DE02/)
})
