// test: own process, long, full
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { sql } from '#platform/database/sql.ts'
import { type Attempt, expectStatuses, expectSuccess, newAttemptRunner } from '../support/crawl/malformed-attempts.ts'
import {
  any,
  isReadAs,
  listMalformedBodies,
  listMalformedParameters,
  listMalformedRows,
  malformedCredentials,
  malformedHeaders,
  malformedIdempotencyKeys,
  malformedIds,
  malformedVersions,
  type Outcome,
  wrongContentTypes
} from '../support/crawl/malformed-values.ts'
import {
  buildRequiredQuery,
  buildSample,
  type Field,
  getValueAt,
  listFields,
  listParameters,
  newSchemaValidator,
  type Operation,
  replacePathId,
  replaceWithRaw,
  startRouteCrawler
} from '../support/crawl/route-crawler.ts'
import { isFullRun, pickSample } from '../support/full-run.ts'
import type { TestResponse } from '../support/services.ts'

const crawler = await startRouteCrawler()
// The calendar has other manners: malformed-calendar.test.ts.
const { ofOthers: operations, readAgain, validRequestOfAdmin: validRequest } = crawler
const problemFaults = newSchemaValidator(crawler.document.components.schemas.Problem)

const attempt = newAttemptRunner(crawler, formFaults)

/** Every refusal is a problem in the documented form, short, and says what it is about. */
function formFaults({ status, headers, body, text }: TestResponse): string[] {
  if (status >= 500) return ['a 5xx']
  if (headers['content-type'] !== 'application/problem+json; charset=utf-8') return ['not a problem+json']
  return [
    ...problemFaults(body),
    ...(body.status === status ? [] : ['status in the body differs']),
    ...(body.requestId === headers['x-request-id'] ? [] : ['requestId differs from the header']),
    ...(/^[a-z]+(-[a-z]+)*$/.test(body.code) ? [] : ['the code is no code']),
    ...(body.code === 'invalid-input' && !(body.errors?.length > 0) ? ['errors are missing'] : []),
    ...(text.length < 10_000 ? [] : ['the answer is as long as the attack'])
  ]
}

const inside = ['too-deep', 'forbidden-name']

/** 400, with this code at this field, and nothing said of any other field. */
function refusedAt(place: 'body' | 'query', pointer: string, code: string) {
  return ({ status, body }: TestResponse): string[] => {
    if (status !== 400) return [`should be 400 with ${code}`]
    const errors: { in: string; pointer: string; code: string }[] = body.errors ?? []
    const isAt = (at: string) => at === pointer || (inside.includes(code) && at.startsWith(`${pointer}/`))
    const named = errors.some(error => isAt(error.pointer) && (error.code === code || code === any))
    const others = errors.filter(error => error.in !== place || !`${error.pointer}/`.startsWith(`${pointer}/`))
    return [
      ...(named ? [] : [`should name ${pointer} with ${code}`]),
      ...others.map(error => `blames ${error.pointer}`)
    ]
  }
}

function readsBack(request: InjectOptions, pointer: string, outcome: { reads: unknown }) {
  return async (answer: TestResponse): Promise<string[]> => {
    if (expectSuccess(answer).length > 0) return expectSuccess(answer)
    const again = await readAgain(request, answer)
    return [
      ...(isReadAs(outcome, getValueAt(answer.body, pointer)) ? [] : ['is not answered as it was sent']),
      ...(isReadAs(outcome, getValueAt(again, pointer)) ? [] : ['is not read as it was sent'])
    ]
  }
}

/** Taken, and not shown to those who sent it: whoever has the link of a donation is not told what else we know of the donor. */
const notShown: Record<string, string[]> = {
  'PATCH /donations/by-token/{token}': ['email', 'address'],
  // Answered, and kept nowhere.
  'POST /ibans': ['iban'],
  // The answer is the same for every address.
  'POST /password-resets': ['email'],
  // One of a list, without an address of its own to be read at.
  'PATCH /users/me/passkeys/{passkeyId}': ['name'],
  // Of donations that there are not.
  'POST /donations/status': ['receivedOn']
}

/** Whether these succeed is decided by what there is: a password, the first account, how many there are. What fits the rules is not refused by them. */
const decidedByState = [
  'POST /sessions',
  'POST /setup',
  'PUT /users/me/password',
  'POST /sessions/current/confirm',
  'POST /sessions/second-factor',
  'POST /sessions/passkey',
  'POST /sessions/passkey-options',
  'POST /users/me/totp',
  'POST /users/me/totp/confirm',
  'POST /users/me/totp/remove',
  'POST /users/me/recovery-codes',
  'POST /users/me/passkeys',
  'POST /users/me/passkeys/options',
  'POST /users/me/passkeys/{passkeyId}/remove',
  'POST /invitations/accept',
  'POST /account-links/check',
  'POST /password-resets/use',
  'POST /sessions/openid',
  'POST /users/me/identities/remove',
  'POST /webhooks',
  'PATCH /bank-statements/{statementId}/entries/{entryId}',
  'POST /bank-statements/{statementId}/entries/{entryId}/donation',
  'POST /campaigns/{campaignId}/donations/{donationId}/payments',
  'POST /payer-rules',
  'POST /account-requests',
  'POST /receipts',
  'POST /receipts/{receiptId}/withdraw',
  'POST /receipt-runs',
  'POST /donor-records/{donorId}/merges',
  'POST /donor-records/{donorId}/distinctions',
  'POST /donor-records/{donorId}/letters',
  'POST /collections',
  'PATCH /collections/{collectionId}'
]
/** What belongs together: a thing has a description and an origin. It is recorded once it is there. */
const aThing = { kind: 'in_kind', inKind: { description: 'A piano', origin: 'private' } }
const aThingsFields = [
  '/kind',
  '/inKind',
  ...['description', 'condition', 'origin', 'basis', 'documents'].map(name => `/inKind/${name}`)
]
/** The same for single fields: a trap that has to be empty, what is only looked at when it is asked for, what only waits. */
const fieldsDecidedByState: Record<string, string[]> = {
  'POST /campaigns/{campaignId}/donations': [
    '/website',
    '/proofOfWork',
    '/mandate',
    '/mandate/text',
    // Requires an address.
    '/news',
    '/news/text',
    ...aThingsFields,
    '/amountReceived',
    '/receivedOn',
    '/paymentSource'
  ],
  // Needs two people, and a second one to turn it off.
  'PATCH /site': ['/secondPersonForAccounts'],
  // A language that has no text yet needs a name.
  // Texts are sanitized, a language that has no text yet needs a title, and days to come are refused.
  ...Object.fromEntries(
    ['POST /campaigns/{campaignId}/updates', 'PATCH /campaigns/{campaignId}/updates/{updateId}'].map(name => [
      name,
      [
        '/date',
        '/texts',
        ...['en', 'de'].flatMap(one => [`/texts/${one}`, `/texts/${one}/title`, `/texts/${one}/text`])
      ]
    ])
  ),
  'PATCH /presentation': ['/homeCampaignId'],
  'PATCH /campaigns/{campaignId}': ['/translations/en/name', '/translations/de/name'],
  'PATCH /campaigns/{campaignId}/donations/{donationId}': [
    '/review',
    '/messageReview',
    ...aThingsFields,
    '/amountReceived',
    '/receivedOn',
    '/paymentSource'
  ]
}
/** What a body says only where it is tried: a promise has no payment, and what has come moves a donation on. */
const leftOut: Record<string, string[]> = {
  'POST /campaigns/{campaignId}/donations': ['amountReceived', 'receivedOn', 'paymentSource', 'kind', 'inKind', 'news'],
  // Of a campaign that there is not.
  'PATCH /presentation': ['homeCampaignId'],
  'PATCH /campaigns/{campaignId}/donations/{donationId}': [
    ...['status', 'amountReceived', 'receivedOn', 'paymentSource', 'kind', 'inKind']
  ]
}
function newSample({ name, body }: Operation): unknown {
  const all = Object.entries(buildSample(body ?? {}) as object)
  const left = Object.fromEntries(all.filter(([field]) => leftOut[name]?.includes(field) !== true))
  return left
}
const isNotTheRules = ({ status, text }: TestResponse) =>
  [400, 413, 415].includes(status) || status >= 500 ? [`should not be refused as such: ${text}`] : []

const triedRules = new Set<string>()
function isFirst({ schema: { description: _, examples: __, ...rules }, required, nullable }: Field): boolean {
  const known = triedRules.size
  return triedRules.add(JSON.stringify([rules, required, nullable])).size > known
}

for (const [place, operation] of operations.filter(({ body }) => body !== undefined).entries()) {
  // Anew each time, because an address of e-mail is taken once.
  const sample = () => newSample(operation)
  const sampleFor = ({ pointer }: Field) =>
    pointer.startsWith('/inKind/') ? { ...(sample() as object), ...aThing } : sample()
  const byState = decidedByState.includes(operation.name)

  test(`${operation.name} names the malformed field and changes nothing, and keeps what it takes as it was`, async () => {
    const request = await validRequest(operation)
    const attempts = listFields(operation.body ?? {}).flatMap((field, at) => {
      const toAttempt = (what: string, json: string | undefined, outcome: Outcome): Attempt => {
        const sent = { ...request, payload: replaceWithRaw(sampleFor(field), field.pointer, json) }
        if ('refused' in outcome) {
          return { what, request: sent, faults: refusedAt('body', field.pointer, outcome.refused) }
        }
        const [, outermost = ''] = field.pointer.split('/')
        const isHidden = field.schema.writeOnly === true || notShown[operation.name]?.includes(outermost) === true
        const isRead = isHidden ? expectSuccess : readsBack(request, field.pointer, outcome)
        const isByState = byState || fieldsDecidedByState[operation.name]?.includes(field.pointer) === true
        return { what, request: sent, taken: true, faults: isByState ? isNotTheRules : isRead }
      }
      // Fields with the same rules are read by the same code: all values for the first of them, some for each other.
      const all = listMalformedRows(field)
      const share = isFullRun ? 3 : 24
      // One that is taken is tried at each field, because each is stored in a column of its own.
      const stored = all.findIndex(({ outcome }) => !('refused' in outcome))
      const rows = isFirst(field)
        ? all
        : all.filter(
            ({ outcome }, index) =>
              index === stored || (isFullRun && !('refused' in outcome)) || (index + at) % share === 0
          )
      return rows.map(({ what, json, outcome }) => toAttempt(`${field.pointer} is ${what}`, json, outcome))
    })
    await attempt(attempts)
    // Otherwise later tests would need a second person for every account.
    await crawler.store.run(sql`update platform.site set second_person_for_accounts = false`)
  })

  test(`${operation.name} takes one JSON object of at most a megabyte, and nothing else`, async () => {
    const request = await validRequest(operation)
    const statuses: Record<string, number> = { 'body-too-large': 413 }
    await attempt(
      pickSample(listMalformedBodies(place), place).map(({ what, payload, code }) => ({
        what: `the body is ${what}`,
        request: { ...request, payload: payload(JSON.stringify(sample())) },
        taken: code === undefined,
        faults: answer => {
          if (code === undefined) return byState ? isNotTheRules(answer) : expectSuccess(answer)
          return [
            ...expectStatuses(statuses[code] ?? 400)(answer),
            ...(answer.body.code === code ? [] : [`should have the code ${code}`])
          ]
        }
      }))
    )
    await attempt(
      wrongContentTypes.map(type => ({
        what: `the type is ${type}`,
        request: { ...request, headers: type === undefined ? {} : { 'content-type': type } },
        faults: expectStatuses(415)
      }))
    )
  })
}

/** These path parameters are not ids but the subject of the request. */
const questions = ['GET /ibans/{iban}']

for (const [place, operation] of operations.entries()) {
  const inPath = listParameters(operation, 'path')
  if (inPath.length > 0) {
    test(`${operation.name} finds nothing under ids that cannot be`, async () => {
      const request = await validRequest(operation)
      const status = questions.includes(operation.name) ? 400 : 404
      await attempt(
        inPath.flatMap(({ name }) =>
          pickSample(malformedIds, place).map(id => ({
            what: `${name} is ${id.slice(0, 50)}`,
            request: { ...request, url: replacePathId(operation, String(request.url), name, id) },
            faults: isDecodable(id) ? expectStatuses(status) : expectStatuses(400, 404)
          }))
        )
      )
    })
  }

  const inQuery = listParameters(operation, 'query')
  if (inQuery.length > 0) {
    test(`${operation.name} refuses malformed parameters by name, and passes over those it does not know`, async () => {
      const request = await validRequest(operation)
      const [path = ''] = String(request.url).split('?', 1)
      const at = (query: string, name?: string) => ({
        ...request,
        url: `${path}?${[...buildRequiredQuery(operation, name), query].join('&')}`
      })
      // An export is written down, so even a read may change a table.
      // What was deleted by the request before is not there any more.
      const isTaken = operation.method === 'DELETE' ? isNotTheRules : expectSuccess
      const taken = (what: string, query: string) => ({ what, request: at(query), taken: true, faults: isTaken })
      const some = (length: number, piece: (n: number) => string) =>
        Array.from({ length }, (_, n) => piece(n)).join('&')
      await attempt([
        ...inQuery.flatMap(({ name, schema }): Attempt[] => [
          ...pickSample(listMalformedParameters(name, schema), place).map(
            ([value, code]): Attempt => ({
              what: `${name}=${value.slice(0, 50)}`,
              request: at(`${name}=${value}`, name),
              taken: code === undefined,
              faults: code === undefined ? expectStatuses(200, 400) : refusedAt('query', `/${name}`, code)
            })
          ),
          {
            what: `${name} twice`,
            request: at(`${name}=1&${name}=2`, name),
            faults: refusedAt('query', `/${name}`, schema.enum === undefined ? 'type' : any)
          },
          {
            what: `${name} a thousand times`,
            request: at(
              some(1000, () => `${name}=1`),
              name
            ),
            faults: refusedAt('query', `/${name}`, schema.enum === undefined ? 'type' : any)
          },
          taken(`${name}[]`, `${name}[]=x&${name}[$gt]=x&${name}.a=x`)
        ]),
        taken(
          'a thousand parameters',
          some(1000, n => `p${n}=${n}`)
        ),
        taken('a prototype', '__proto__=1&__proto__[polluted]=1&constructor=1'),
        taken('only signs', '&&==&=&?;[]%00')
      ])
    })
  }

  test(`${operation.name} tolerates malformed headers`, async () => {
    await attempt(await headerAttempts(operation, place))
  })
}

async function headerAttempts(operation: Operation, place: number): Promise<Attempt[]> {
  const request = await validRequest(operation)
  const carrying = (from: InjectOptions, name: string, value: string): InjectOptions => ({
    ...from,
    headers: { ...from.headers, [name]: value }
  })
  const refused = (name: string, values: string[], faults: Attempt['faults']) =>
    values.map(value => ({ what: `${name}: ${value.slice(0, 50)}`, request: carrying(request, name, value), faults }))
  const takes = (name: string) => listParameters(operation, 'header').some(parameter => parameter.name === name)

  const harmless: Attempt[] = []
  for (const value of pickSample(malformedHeaders, place)) {
    const fresh = operation.method === 'GET' ? request : await validRequest(operation)
    const names = ['accept-language', 'x-request-id', 'if-none-match', 'accept', 'origin', 'user-agent']
    harmless.push({
      what: `harmless headers are ${value.slice(0, 50)}`,
      request: names.reduce((from, name) => carrying(from, name, value), fresh),
      taken: true,
      faults: answer => [
        ...(decidedByState.includes(operation.name) ? isNotTheRules : expectSuccess)(answer),
        ...(/^[\w.-]{8,100}$/.test(answer.headers['x-request-id'] ?? '') ? [] : ['the id of the request is not one'])
      ]
    })
  }
  return [
    ...harmless,
    ...refused('authorization', pickSample(malformedCredentials, place), expectStatuses(401)),
    ...(takes('Idempotency-Key')
      ? refused('idempotency-key', pickSample(malformedIdempotencyKeys, place), expectStatuses(400))
      : []),
    ...(takes('If-Match') ? refused('if-match', pickSample(malformedVersions, place), expectStatuses(412)) : [])
  ]
}

function isDecodable(id: string): boolean {
  try {
    decodeURIComponent(id)
    return true
  } catch {
    return false
  }
}

test('none of this has reached the prototype of all objects', () => {
  assert.deepEqual(Object.keys(Object.prototype), [])
})
