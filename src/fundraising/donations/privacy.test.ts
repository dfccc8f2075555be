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

const hidden = {
  amount: 25,
  donorName: 'Hedwig Verborgen',
  email: 'hedwig@geheim.example',
  message: 'From a friend',
  account: { iban: 'DE02100500000054540402', name: 'Hedi Heimlich', nameOfBank: 'Verschwiegene Bank' }
}
const shown = {
  ...hidden,
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

function refuseSecrets({ headers, text }: TestResponse, where: string): void {
  const all = JSON.stringify(headers) + text
  for (const secret of secrets) assert.doesNotMatch(all, secret, where)
}

/** A campaign whose donations are in every status, one of them deleted. */
async function aCampaignWithDonors() {
  const { id } = await aCampaign()
  const path = `/campaigns/${id}/donations`
  const made: { id: string; reference: string }[] = []
  for (const steps of [[], ['TRANSFERRED'], ['CANCELLED'], ['FAILED'], ['TRANSFERRED', 'REFUNDED']]) {
    for (const donor of [hidden, shown]) {
      const { body } = await visitor.post(path, donor)
      await treasurer.patch(`${path}/${body.id}`, { messageReview: 'shown' })
      for (const status of steps) await treasurer.patch(`${path}/${body.id}`, { status })
      made.push(body)
    }
  }
  const deleted = await visitor.post(path, hidden)
  await treasurer.delete(`${path}/${deleted.body.id}`)
  made.push(deleted.body)
  return { id, path, made }
}

/** Every address of the service with every method, with bodies that are taken and bodies that are not. */
async function everyAnswer(
  client: Client,
  id: number,
  donationIds: string[]
): Promise<{ where: string; answer: TestResponse }[]> {
  const { body: document } = await visitor.get('/openapi.json')
  const answers: { where: string; answer: TestResponse }[] = []
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
          // Each language for every other.
          const language = answers.length % 2 === 0 ? 'en' : 'de'
          const headers = { 'content-type': 'application/json', 'accept-language': language }
          const answer = await client.send(
            body === undefined
              ? { method, url, headers: { 'accept-language': language } }
              : { method, url, headers, payload: JSON.stringify(body) }
          )
          answers.push({ where: `${method} ${url} ${JSON.stringify(body)}: ${answer.status}`, answer })
        }
      }
    }
  }
  return answers
}

for (const role of [undefined, 'viewer', 'contributor', 'author', 'editor'] as const) {
  test(`no answer to ${role ?? 'a visitor'} has a donor's account, e-mail address, hidden name or reference`, {
    skip: role === undefined ? false : skipUnlessFull
  }, async () => {
    const client = role === undefined ? visitor : await withRole(role)
    const { id, made } = await aCampaignWithDonors()
    const answers = await everyAnswer(
      client,
      id,
      // In a full run every donation; otherwise one of each kind of donor and the deleted one.
      made.filter((_, index) => isFullRun || index % 5 === 0).map(one => one.id)
    )
    assert.ok(answers.some(({ answer }) => answer.status === 200 && answer.text.includes('Otto Offen')))
    assert.ok(answers.some(({ answer }) => answer.status === 200 && answer.text.includes('From a friend')))
    for (const { where, answer } of answers) {
      refuseSecrets(answer, where)
      for (const { reference } of made) assert.ok(!answer.text.includes(reference), where)
    }
  })
}

test('the donor too gets no account and no e-mail address back', async () => {
  const { id } = await aCampaign()
  for (const client of [visitor, await withRole('editor')]) {
    const { status, text } = await client.post(`/campaigns/${id}/donations`, hidden)
    assert.equal(status, 201)
    assert.doesNotMatch(removeIds(text), /DE02|5454|hedwig@|heimlich|verschwiegen/i)
  }
})

test('a refusal does not repeat what was sent', async () => {
  const { id } = await aCampaign({ donationMinimum: 100 })
  const bad = { ...hidden, donorName: `${hidden.donorName}\u0007`, email: `${hidden.email}@`, amount: -1 }
  for (const body of [
    hidden,
    bad,
    { ...bad, account: { ...hidden.account, iban: `${hidden.account.iban}!`, name: 7 } },
    { ...hidden, status: hidden.account.iban },
    { ...hidden, message: `\ud800${hidden.email}` }
  ]) {
    const answer = await visitor.post(`/campaigns/${id}/donations`, body)
    assert.ok(answer.status === 400 || answer.status === 422)
    refuseSecrets(answer, JSON.stringify(body))
  }
  const cut = JSON.stringify(hidden).slice(0, -5)
  const headers = { 'content-type': 'application/json' }
  const malformed = await visitor.send({ method: 'POST', url: `/campaigns/${id}/donations`, headers, payload: cut })
  assert.equal(malformed.status, 400)
  refuseSecrets(malformed, 'malformed')
})

test('treasurers and admins see account, e-mail address and name, which is what they are for', async () => {
  const { path, made } = await aCampaignWithDonors()
  for (const client of [treasurer, admin]) {
    for (const url of [path, `${path}/${made[0]?.id}`, `${path}.csv`]) {
      const { text } = await client.get(url)
      assert.ok(text.includes('DE02100500000054540402'))
      assert.ok(text.includes('Hedwig Verborgen'))
      assert.ok(text.includes('hedwig@geheim.example'))
    }
  }
})

test('what a treasurer sees is not kept by caches for others', async () => {
  const { path, made } = await aCampaignWithDonors()
  for (const url of [path, `${path}/${made[0]?.id}`]) {
    const { headers } = await treasurer.get(url)
    assert.match(headers['cache-control'] ?? '', /private/)
    assert.match(headers.vary ?? '', /authorization/i)
  }
  assert.equal((await treasurer.get(`${path}.csv`)).headers['cache-control'], 'no-store')
})
