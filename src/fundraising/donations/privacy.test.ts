import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFullRun, skipUnlessFull } from '#test/support/full-run.ts'
import {
  type Client,
  campaign,
  donation,
  removeIds,
  startCampaigns,
  type TestResponse
} from '#test/support/services.ts'

const { admin, visitor, withRole, aCampaign } = await startCampaigns()
const treasurer = await withRole('treasurer')

const hiddenDonor = {
  amount: 25,
  donorName: 'Hedwig Verborgen',
  email: 'hedwig@geheim.example',
  message: 'From a friend',
  account: { iban: 'DE02100500000054540402', name: 'Hedi Heimlich', nameOfBank: 'Verschwiegene Bank' }
}
const shownDonor = {
  ...hiddenDonor,
  donorName: 'Otto Offen',
  showName: true,
  email: 'otto@privat.example',
  account: { iban: 'GB82WEST12345698765432', name: 'Otto O. Offen', nameOfBank: 'Stille Bank' }
}
const secrets = [
  /DE02\s*1005|5454\s*0402|GB82\s*WEST|1234\s*5698/i,
  /hedwig|verborgen|heimlich|geheim/i,
  /otto o\.|privat\.example/i,
  /verschwiegen|stille bank/i
]

function assertNoSecrets({ headers, text }: TestResponse, where: string): void {
  const all = JSON.stringify(headers) + text
  for (const secret of secrets) assert.doesNotMatch(all, secret, where)
}

/** Creates a campaign with donations in every status and a deleted one. */
async function createCampaignWithDonations() {
  const { id } = await aCampaign()
  const path = `/campaigns/${id}/donations`
  const donations: { id: string; reference: string }[] = []
  for (const steps of [[], ['TRANSFERRED'], ['CANCELLED'], ['FAILED'], ['TRANSFERRED', 'REFUNDED']]) {
    for (const donor of [hiddenDonor, shownDonor]) {
      const { body } = await visitor.post(path, donor)
      await treasurer.patch(`${path}/${body.id}`, { messageReview: 'shown' })
      for (const status of steps) await treasurer.patch(`${path}/${body.id}`, { status })
      donations.push(body)
    }
  }
  const deleted = await visitor.post(path, hiddenDonor)
  await treasurer.delete(`${path}/${deleted.body.id}`)
  donations.push(deleted.body)
  return { id, path, donations }
}

/** Requests every URL of the service with every method, with valid and invalid bodies. */
async function sendEveryRequest(
  client: Client,
  id: number,
  donationIds: string[]
): Promise<{ where: string; response: TestResponse }[]> {
  const { body: document } = await visitor.get('/openapi.json')
  const responses: { where: string; response: TestResponse }[] = []
  const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PATCH', 'PUT', 'DELETE'] as const
  for (const method of methods) {
    for (const template of Object.keys(document.paths).sort().reverse()) {
      for (const donationId of template.includes('{donationId}') ? donationIds : ['']) {
        const url = template
          .replace('{campaignId}', String(id))
          .replace('{donationId}', donationId)
          .replace('{id}', '1')
        for (const body of ['POST', 'PUT', 'PATCH'].includes(method)
          ? [campaign, donation, { status: 'FAILED' }, []]
          : [undefined]) {
          // The languages alternate.
          const language = responses.length % 2 === 0 ? 'en' : 'de'
          const headers = { 'content-type': 'application/json', 'accept-language': language }
          const response = await client.send(
            body === undefined
              ? { method, url, headers: { 'accept-language': language } }
              : { method, url, headers, payload: JSON.stringify(body) }
          )
          responses.push({ where: `${method} ${url} ${JSON.stringify(body)}: ${response.status}`, response })
        }
      }
    }
  }
  return responses
}

for (const role of [undefined, 'viewer', 'contributor', 'author', 'editor'] as const) {
  test(`no response to ${role ?? 'a visitor'} contains the account, email address, hidden name or reference of a donor`, {
    skip: role === undefined ? false : skipUnlessFull
  }, async () => {
    const client = role === undefined ? visitor : await withRole(role)
    const { id, donations } = await createCampaignWithDonations()
    const responses = await sendEveryRequest(
      client,
      id,
      // In a full run all donations; otherwise one of each donor and the deleted one.
      donations.filter((_, index) => isFullRun || index % 5 === 0).map(one => one.id)
    )
    assert.ok(responses.some(({ response }) => response.status === 200 && response.text.includes('Otto Offen')))
    assert.ok(responses.some(({ response }) => response.status === 200 && response.text.includes('From a friend')))
    for (const { where, response } of responses) {
      assertNoSecrets(response, where)
      for (const { reference } of donations) assert.ok(!response.text.includes(reference), where)
    }
  })
}

test('the response to the donor contains no account and no email address', async () => {
  const { id } = await aCampaign()
  for (const client of [visitor, await withRole('editor')]) {
    const { status, text } = await client.post(`/campaigns/${id}/donations`, hiddenDonor)
    assert.equal(status, 201)
    assert.doesNotMatch(removeIds(text), /DE02|5454|hedwig@|heimlich|verschwiegen/i)
  }
})

test('an error response does not repeat personal data of the request', async () => {
  const { id } = await aCampaign({ donationMinimum: 100 })
  const bad = {
    ...hiddenDonor,
    donorName: `${hiddenDonor.donorName}\u0007`,
    email: `${hiddenDonor.email}@`,
    amount: -1
  }
  for (const body of [
    hiddenDonor,
    bad,
    { ...bad, account: { ...hiddenDonor.account, iban: `${hiddenDonor.account.iban}!`, name: 7 } },
    { ...hiddenDonor, status: hiddenDonor.account.iban },
    { ...hiddenDonor, message: `\ud800${hiddenDonor.email}` }
  ]) {
    const response = await visitor.post(`/campaigns/${id}/donations`, body)
    assert.ok(response.status === 400 || response.status === 422)
    assertNoSecrets(response, JSON.stringify(body))
  }
  const cut = JSON.stringify(hiddenDonor).slice(0, -5)
  const headers = { 'content-type': 'application/json' }
  const malformed = await visitor.send({ method: 'POST', url: `/campaigns/${id}/donations`, headers, payload: cut })
  assert.equal(malformed.status, 400)
  assertNoSecrets(malformed, 'malformed')
})

test('treasurers and admins see the account, email address and name of donors', async () => {
  const { path, donations } = await createCampaignWithDonations()
  for (const client of [treasurer, admin]) {
    for (const url of [path, `${path}/${donations[0]?.id}`, `${path}.csv`]) {
      const { text } = await client.get(url)
      assert.ok(text.includes('DE02100500000054540402'))
      assert.ok(text.includes('Hedwig Verborgen'))
      assert.ok(text.includes('hedwig@geheim.example'))
    }
  }
})

test('responses to treasurers are not stored by shared caches', async () => {
  const { path, donations } = await createCampaignWithDonations()
  for (const url of [path, `${path}/${donations[0]?.id}`]) {
    const { headers } = await treasurer.get(url)
    assert.match(headers['cache-control'] ?? '', /private/)
    assert.match(headers.vary ?? '', /authorization/i)
  }
  assert.equal((await treasurer.get(`${path}.csv`)).headers['cache-control'], 'no-store')
})
