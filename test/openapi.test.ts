import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from '#platform/sql.ts'
import { root } from './process.ts'
import type { Answer, Client } from './support.ts'
import { faultsBy, type Operation, startWalk } from './walk.ts'

const { admin, aCampaign, aDonation, document, operations, store, validRequest, visitor, withRole } = await startWalk()

test('B12 the document under docs/api is the one the service answers', async () => {
  const { body } = await visitor.get('/openapi/campaigns.json')
  const file = readFileSync(join(root, 'docs/api/campaigns.json'), 'utf8')
  const same = file === `${JSON.stringify(body, undefined, 2)}\n`
  assert.ok(same, 'The API has changed. Write it down: ./kalends openapi campaigns > docs/api/campaigns.json')
})

test('B12 the document of the process has every route of its services, and the service its own only', async () => {
  const { body } = await visitor.get('/openapi/campaigns.json')
  for (const [path, methods] of Object.entries(body.paths)) assert.deepEqual(methods, document.paths[path], path)
  const tags = operations.map(operation => [operation.path, operation.tags] as const)
  for (const [path, tag] of tags) assert.equal(path in body.paths, String(tag) === 'campaigns', path)
})

test('B12 the document says of every operation what it is for, under a name of its own', () => {
  assert.equal(document.openapi, '3.1.0')
  const ids = operations.map(({ operationId }) => operationId)
  assert.deepEqual([...new Set(ids)], ids)
  for (const { name, path, summary = '', parameters, responses } of operations) {
    assert.match(summary, /\S/, `${name} needs a summary.`)
    const inPath = parameters.filter(parameter => parameter.in === 'path').map(parameter => `{${parameter.name}}`)
    assert.deepEqual(inPath, path.match(/\{\w+\}/g) ?? [], name)
    assert.ok(
      Object.keys(responses).some(status => /^2\d\d$/.test(status)),
      `${name} needs an answer for success.`
    )
  }
})

/** What is wrong with an answer by the document; a field that the document does not name is wrong too. */
function undocumented({ responses }: Operation, { status, headers, body, text }: Answer): string[] {
  const documented = responses[status]
  if (documented === undefined) return [`${status} is not documented`]
  const type = (headers['content-type'] ?? '').split(';', 1)[0] ?? ''
  if (documented.content === undefined) return text === '' ? [] : [`a body of ${type} is not documented`]
  const content = documented.content[type]
  return content === undefined ? [`${type} is not documented`] : faultsBy(content.schema)(body)
}

for (const operation of operations) {
  test(`B12 ${operation.name} answers what the document says, and no field more`, async () => {
    const request = await validRequest(operation)
    assert.deepEqual(undocumented(operation, await admin.send(request)), [])
  })
}

test('B12 C8 what readers with fewer rights get is what the document says, too', async () => {
  const { id } = await aCampaign()
  const donation = await aDonation(id, { message: 'Good luck!', email: 'ada@example.org', showName: true })
  await aDonation(id, { status: 'TRANSFERRED', account: undefined })
  const readers: Client[] = [visitor, await withRole('viewer'), await withRole('editor'), await withRole('treasurer')]
  for (const operation of operations) {
    if (operation.method !== 'GET' || !operation.path.includes('/{campaignId}/donations')) continue
    const url = operation.path.replace('{campaignId}', id).replace('{donationId}', donation.id)
    for (const reader of readers) {
      const answer = await reader.get(url)
      if (answer.status !== 401 && answer.status !== 403) assert.deepEqual(undocumented(operation, answer), [], url)
    }
  }
})

test('C3 B12 a list so long that it is streamed has the same form as a short one', async () => {
  const { id } = await aCampaign()
  await store.run(sql`
    insert into fundraising.campaigns (
      name, description, donation_minimum_cents, target_amount_cents, currency, status, starts_at, ends_at,
      account_iban, account_iban_valid, account_name, account_bank, created_at, updated_at
    )
    select
      name, description, donation_minimum_cents, target_amount_cents, currency, status, starts_at, ends_at,
      account_iban, account_iban_valid, account_name, account_bank, created_at, updated_at
    from fundraising.campaigns, generate_series(1, 600)
    where id = ${id}`)
  const operation = operations.find(({ name }) => name === 'GET /campaigns')
  assert.ok(operation)
  const answer = await visitor.get('/campaigns')
  assert.ok(answer.body.length > 600)
  assert.deepEqual(undocumented(operation, answer), [])
})
