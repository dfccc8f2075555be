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
// The calendar has another error format: malformed-input-calendar.test.ts.
const { ofOthers: operations, readAgain, validRequestOfAdmin: validRequest } = crawler
const validateProblem = newSchemaValidator(crawler.document.components.schemas.Problem)

const attempt = newAttemptRunner(crawler, findProblemFaults)

/** Every error response is a problem in the documented format, is short, and names its fields. */
function findProblemFaults({ status, headers, body, text }: TestResponse): string[] {
  if (status >= 500) return ['a 5xx']
  if (headers['content-type'] !== 'application/problem+json; charset=utf-8') return ['not a problem+json']
  return [
    ...validateProblem(body),
    ...(body.status === status ? [] : ['status in the body differs']),
    ...(body.requestId === headers['x-request-id'] ? [] : ['requestId differs from the header']),
    ...(/^[a-z]+(-[a-z]+)*$/.test(body.code) ? [] : ['the code has a wrong format']),
    ...(body.code === 'invalid-input' && !(body.errors?.length > 0) ? ['errors are missing'] : []),
    ...(text.length < 10_000 ? [] : ['the response repeats the input'])
  ]
}

const codesOfMembers = ['too-deep', 'forbidden-name']

/** 400, with this code at this field, and no error of another field. */
function expectRefusedAt(place: 'body' | 'query', pointer: string, code: string) {
  return ({ status, body }: TestResponse): string[] => {
    if (status !== 400) return [`should be 400 with ${code}`]
    const errors: { in: string; pointer: string; code: string }[] = body.errors ?? []
    const isAt = (at: string) => at === pointer || (codesOfMembers.includes(code) && at.startsWith(`${pointer}/`))
    const named = errors.some(error => isAt(error.pointer) && (error.code === code || code === any))
    const others = errors.filter(error => error.in !== place || !`${error.pointer}/`.startsWith(`${pointer}/`))
    return [
      ...(named ? [] : [`should name ${pointer} with ${code}`]),
      ...others.map(error => `blames ${error.pointer}`)
    ]
  }
}

function expectReadBack(request: InjectOptions, pointer: string, outcome: { reads: unknown }) {
  return async (answer: TestResponse): Promise<string[]> => {
    if (expectSuccess(answer).length > 0) return expectSuccess(answer)
    const again = await readAgain(request, answer)
    return [
      ...(isReadAs(outcome, getValueAt(answer.body, pointer)) ? [] : ['is not returned as it was sent']),
      ...(isReadAs(outcome, getValueAt(again, pointer)) ? [] : ['is not read as it was sent'])
    ]
  }
}

/** Fields that are accepted and not returned: the link of a donation does not show other data of the donor. */
const notShown: Record<string, string[]> = {
  'PATCH /donations/by-token/{token}': ['email', 'address'],
  // Checked only, and not stored.
  'POST /ibans': ['iban'],
  // The response is the same for every address.
  'POST /password-resets': ['email'],
  // There is only a list of passkeys, no GET of one.
  'PATCH /users/me/passkeys/{passkeyId}': ['name'],
  // For unknown donations.
  'POST /donations/status': ['receivedOn']
}

/** Whether these succeed depends on stored data, such as a password or the number of items. Valid input is not refused as malformed. */
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
  'PATCH /collections/{collectionId}',
  // One at a time.
  'POST /backups',
  // One byte is no backup.
  'POST /backups/uploads'
]
/** Fields that are required together: a gift in kind has a description and an origin, and is received. */
const giftInKind = { kind: 'in_kind', inKind: { description: 'A piano', origin: 'private' } }
/** A decorative picture has no alternative text. */
const picture = { url: '/pictures/roof.jpg', alt: { en: 'Roof', de: 'Dach' }, isDecorative: false }
const giftInKindFields = [
  '/kind',
  '/inKind',
  ...['description', 'condition', 'origin', 'basis', 'documents'].map(name => `/inKind/${name}`)
]
/** The same for single fields: a honeypot that has to be empty, fields that are checked on demand, a review that waits. */
const fieldsDecidedByState: Record<string, string[]> = {
  'POST /campaigns/{campaignId}/donations': [
    '/website',
    '/proofOfWork',
    '/mandate',
    '/mandate/text',
    // Requires an email address.
    '/news',
    '/news/text',
    ...giftInKindFields,
    '/amountReceived',
    '/receivedOn',
    '/paymentSource'
  ],
  // Needs two users, and a second one to turn it off.
  'PATCH /site': ['/secondPersonForAccounts'],
  // Sanitized.
  'PATCH /campaigns/{campaignId}/story': ['/text/en', '/text/de'],
  // Without one, that of the site is shown.
  'PATCH /campaigns/{campaignId}/presentation': ['/contact'],
  // Sanitized, and a slug that is taken or empty becomes another one.
  ...Object.fromEntries(
    ['POST /pages', 'PATCH /pages/{id}'].map(name => [
      name,
      ['en', 'de'].flatMap(one => [`/texts/${one}/content`, `/texts/${one}/slug`])
    ])
  ),
  // Texts are sanitized, a language that has no text yet needs a title, and future dates are refused.
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
  // A language that has no text yet needs a name.
  'PATCH /campaigns/{campaignId}': ['/translations/en/name', '/translations/de/name'],
  'PATCH /campaigns/{campaignId}/donations/{donationId}': [
    '/review',
    '/messageReview',
    ...giftInKindFields,
    '/amountReceived',
    '/receivedOn',
    '/paymentSource'
  ]
}
/** Fields that a body has only in their own attempts: a pledge has no payment, and a payment changes the status. */
const omittedFields: Record<string, string[]> = {
  'POST /campaigns/{campaignId}/donations': ['amountReceived', 'receivedOn', 'paymentSource', 'kind', 'inKind', 'news'],
  // The id of an unknown campaign.
  'PATCH /presentation': ['homeCampaignId'],
  'PATCH /campaigns/{campaignId}/donations/{donationId}': [
    ...['status', 'amountReceived', 'receivedOn', 'paymentSource', 'kind', 'inKind']
  ]
}
/** May be left out where there is a text in this language already. */
const requiredIfNew: Record<string, string[]> = { 'PATCH /pages/{id}': ['/texts/en/title', '/texts/de/title'] }
const isTakenOrRequired = (pointer: string) => (answer: TestResponse) =>
  answer.status === 200 ? [] : expectRefusedAt('body', pointer, 'required')(answer)
/** Where the example has one language: a field of the other one comes with what it requires. */
const inBothLanguages: Record<string, () => object> = Object.fromEntries(
  ['POST /pages', 'PATCH /pages/{id}'].map(name => [
    name,
    () => ({ texts: { en: { title: 'Our team', content: '' }, de: { title: 'Wir', content: '' } } })
  ])
)
function newSample({ name, body }: Operation): unknown {
  const all = Object.entries(buildSample(body ?? {}) as object)
  const kept = Object.fromEntries(all.filter(([field]) => omittedFields[name]?.includes(field) !== true))
  return { ...kept, ...inBothLanguages[name]?.() }
}
const expectNotRefusedByRules = ({ status, text }: TestResponse) =>
  [400, 413, 415].includes(status) || status >= 500 ? [`should not be refused as malformed: ${text}`] : []

const triedRules = new Set<string>()
function isFirst({ schema: { description: _, examples: __, ...rules }, required, nullable }: Field): boolean {
  const known = triedRules.size
  return triedRules.add(JSON.stringify([rules, required, nullable])).size > known
}

for (const [place, operation] of operations.filter(({ body }) => body !== undefined).entries()) {
  // A new sample each time, because an email address can be used once.
  const sample = () => newSample(operation)
  const sampleFor = ({ pointer }: Field) => {
    if (pointer.startsWith('/inKind/')) return { ...(sample() as object), ...giftInKind }
    if (pointer.startsWith('/pictures/0/alt/')) return { pictures: [picture] }
    return sample()
  }
  const isDecidedByState = decidedByState.includes(operation.name)

  test(`${operation.name} refuses each malformed field by name and changes nothing, and stores accepted values unchanged`, async () => {
    const request = await validRequest(operation)
    const attempts = listFields(operation.body ?? {}).flatMap((field, at) => {
      const toAttempt = (what: string, json: string | undefined, outcome: Outcome): Attempt => {
        const sent = { ...request, payload: replaceWithRaw(sampleFor(field), field.pointer, json) }
        if ('refused' in outcome) {
          return { what, request: sent, faults: expectRefusedAt('body', field.pointer, outcome.refused) }
        }
        const [, outermost = ''] = field.pointer.split('/')
        const isHidden = field.schema.writeOnly === true || notShown[operation.name]?.includes(outermost) === true
        const isRead = isHidden ? expectSuccess : expectReadBack(request, field.pointer, outcome)
        const isNew = json === undefined && requiredIfNew[operation.name]?.includes(field.pointer) === true
        if (isNew) return { what, request: sent, taken: true, faults: isTakenOrRequired(field.pointer) }
        const isByState = isDecidedByState || fieldsDecidedByState[operation.name]?.includes(field.pointer) === true
        return { what, request: sent, taken: true, faults: isByState ? expectNotRefusedByRules : isRead }
      }
      // Fields with the same rules are parsed by the same code: all values for the first of them, some for the others.
      const all = listMalformedRows(field)
      const share = isFullRun ? 3 : 24
      // One accepted value is tried at each field, because each is stored in a column of its own.
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

  test(`${operation.name} accepts only a JSON object of at most a megabyte`, async () => {
    const request = await validRequest(operation)
    const statuses: Record<string, number> = { 'body-too-large': 413 }
    await attempt(
      pickSample(listMalformedBodies(place), place).map(({ what, payload, code }) => ({
        what: `the body is ${what}`,
        request: { ...request, payload: payload(JSON.stringify(sample())) },
        taken: code === undefined,
        faults: answer => {
          if (code === undefined) return isDecidedByState ? expectNotRefusedByRules(answer) : expectSuccess(answer)
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
const withoutIds = ['GET /ibans/{iban}']

for (const [place, operation] of operations.entries()) {
  const inPath = listParameters(operation, 'path')
  if (inPath.length > 0) {
    test(`${operation.name} refuses malformed ids`, async () => {
      const request = await validRequest(operation)
      const status = withoutIds.includes(operation.name) ? 400 : 404
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
    test(`${operation.name} refuses malformed parameters by name, and ignores unknown ones`, async () => {
      const request = await validRequest(operation)
      const [path = ''] = String(request.url).split('?', 1)
      const at = (query: string, name?: string) => ({
        ...request,
        url: `${path}?${[...buildRequiredQuery(operation, name), query].join('&')}`
      })
      // An export is recorded, so even a read may change a table.
      // An item can be deleted once.
      const isTaken = operation.method === 'DELETE' ? expectNotRefusedByRules : expectSuccess
      const taken = (what: string, query: string) => ({ what, request: at(query), taken: true, faults: isTaken })
      const joinPairs = (length: number, piece: (n: number) => string) =>
        Array.from({ length }, (_, n) => piece(n)).join('&')
      await attempt([
        ...inQuery.flatMap(({ name, schema }): Attempt[] => [
          ...pickSample(listMalformedParameters(name, schema), place).map(
            ([value, code]): Attempt => ({
              what: `${name}=${value.slice(0, 50)}`,
              request: at(`${name}=${value}`, name),
              taken: code === undefined,
              faults: code === undefined ? expectStatuses(200, 400) : expectRefusedAt('query', `/${name}`, code)
            })
          ),
          {
            what: `${name} twice`,
            request: at(`${name}=1&${name}=2`, name),
            faults: expectRefusedAt('query', `/${name}`, schema.enum === undefined ? 'type' : any)
          },
          {
            what: `${name} a thousand times`,
            request: at(
              joinPairs(1000, () => `${name}=1`),
              name
            ),
            faults: expectRefusedAt('query', `/${name}`, schema.enum === undefined ? 'type' : any)
          },
          taken(`${name}[]`, `${name}[]=x&${name}[$gt]=x&${name}.a=x`)
        ]),
        taken(
          'a thousand parameters',
          joinPairs(1000, n => `p${n}=${n}`)
        ),
        taken('a prototype', '__proto__=1&__proto__[polluted]=1&constructor=1'),
        taken('only punctuation', '&&==&=&?;[]%00')
      ])
    })
  }

  test(`${operation.name} ignores malformed harmless headers, and refuses malformed credentials, idempotency keys and versions`, async () => {
    await attempt(await buildHeaderAttempts(operation, place))
  })
}

async function buildHeaderAttempts(operation: Operation, place: number): Promise<Attempt[]> {
  const request = await validRequest(operation)
  const withHeader = (from: InjectOptions, name: string, value: string): InjectOptions => ({
    ...from,
    headers: { ...from.headers, [name]: value }
  })
  const refused = (name: string, values: string[], faults: Attempt['faults']) =>
    values.map(value => ({ what: `${name}: ${value.slice(0, 50)}`, request: withHeader(request, name, value), faults }))
  const takes = (name: string) => listParameters(operation, 'header').some(parameter => parameter.name === name)

  const harmless: Attempt[] = []
  for (const value of pickSample(malformedHeaders, place)) {
    const fresh = operation.method === 'GET' ? request : await validRequest(operation)
    const names = ['accept-language', 'x-request-id', 'if-none-match', 'accept', 'origin', 'user-agent']
    harmless.push({
      what: `harmless headers are ${value.slice(0, 50)}`,
      request: names.reduce((from, name) => withHeader(from, name, value), fresh),
      taken: true,
      faults: answer => [
        ...(decidedByState.includes(operation.name) ? expectNotRefusedByRules : expectSuccess)(answer),
        ...(/^[\w.-]{8,100}$/.test(answer.headers['x-request-id'] ?? '') ? [] : ['the request id has a wrong format'])
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

test('after these tests Object.prototype has no new members', () => {
  assert.deepEqual(Object.keys(Object.prototype), [])
})
