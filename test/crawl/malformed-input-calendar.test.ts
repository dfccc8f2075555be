// test: own process, long, full
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { acknowledgement } from '#calendar/wordpress/experimental.ts'
import { buildCalendarBody, getRule } from '../support/crawl/calendar-fields.ts'
import { type Attempt, expectStatuses, expectSuccess, newAttemptRunner } from '../support/crawl/malformed-attempts.ts'
import {
  listMalformedRows,
  listMalformedTexts,
  type MalformedRow,
  malformedSpellings,
  type Outcome,
  others
} from '../support/crawl/malformed-calendar-values.ts'
import {
  forAll,
  listMalformedBodies,
  malformedCredentials,
  malformedHeaders,
  malformedIdempotencyKeys,
  malformedIds,
  malformedVersions,
  wrongContentTypes
} from '../support/crawl/malformed-values.ts'
import {
  buildMultipartForm,
  buildRequiredQuery,
  isFileUpload,
  listParameters,
  newSchemaValidator,
  type Operation,
  picture,
  replacePathId,
  type Schema,
  startRouteCrawler
} from '../support/crawl/route-crawler.ts'
import { isFullRun, pickSample } from '../support/full-run.ts'
import { calendar, event, type TestResponse } from '../support/services.ts'

const crawler = await startRouteCrawler()
const { admin, pathOf, validRequest, visitor } = crawler
// The token of a confirmation is a credential: suggestions/confirmation.test.ts tests it.
const operations = crawler.ofCalendar.filter(({ name }) => name !== `POST ${calendar}/suggestions/confirm`)
const validateRefusal = newSchemaValidator(crawler.document.components.schemas.Refusal ?? {})
const attempt = newAttemptRunner(crawler, findRefusalFaults)

/** Every error response has the format of WordPress, is short, and names its parameters. */
function findRefusalFaults({ status, headers, body, text }: TestResponse): string[] {
  if (status >= 500) return ['a 5xx']
  if (headers['content-type'] !== 'application/json; charset=utf-8') return ['not JSON']
  return [
    ...validateRefusal(body),
    ...(body.data?.status === status ? [] : ['status in the body differs']),
    ...(/^[a-z]+([-_][a-z]+)*$/.test(body.code) ? [] : ['the code has a wrong format']),
    ...(body.code === 'rest_invalid_param' && listNamedParams(body).length === 0 ? ['params are missing'] : []),
    ...(text.length < 10_000 ? [] : ['the response repeats the input'])
  ]
}

/** The names of the parameters; a member of one is named with a dot. */
const listNamedParams = (body: TestResponse['body']): string[] => {
  const names: string[] = Array.isArray(body.data?.params) ? body.data.params : Object.keys(body.data?.params ?? {})
  return names.map(name => name.split('.')[0] ?? '')
}

/** 400, with the name of this parameter only. */
function expectRefusedAt(name: string, code?: string) {
  return ({ status, body }: TestResponse): string[] => {
    if (status !== 400) return [`should be 400 for ${name}`]
    const named = listNamedParams(body)
    return [
      ...(named.includes(name) ? [] : [`should name ${name}`]),
      ...named.filter(other => other !== name).map(other => `blames ${other}`),
      ...(code === undefined || body.data.details?.[name]?.code === code ? [] : [`should have the code ${code}`])
    ]
  }
}

/** Lines of plain text, for an email: they may have any characters. */
const plainLines = { reason: '', answer: '' }

/** Accepted, and the response is as documented and harmless. */
function findTakenFaults({ responses }: Operation, answer: TestResponse): string[] {
  if (expectSuccess(answer).length > 0) return expectSuccess(answer)
  const { text, headers, body } = answer
  const type = (headers['content-type'] ?? '').split(';', 1)[0] ?? ''
  const documented = responses[answer.status]?.content?.[type]
  const markup = typeof body === 'object' ? JSON.stringify({ ...body, ...plainLines }) : text
  return [
    ...(documented === undefined
      ? [`${answer.status} ${type} is not documented`]
      : newSchemaValidator(documented.schema)(body)),
    ...(text.isWellFormed() ? [] : ['is not well-formed']),
    ...(/\\u0000|\0/.test(text) ? ['has a NUL'] : []),
    ...(/<script|<svg|<iframe|<[a-z][^>]*\son\w+\s*=/i.test(markup) ? ['has a script'] : []),
    // Entities are decoded in plain text; in HTML they would become a tag.
    ...(/<object/i.test(`${body.description} ${body.excerpt}`) ? ['has a tag that was escaped'] : []),
    ...(/"(?:url|website|href|src|sameAs|image)":"(?:javascript|data):/i.test(text) ? ['links to a script'] : [])
  ]
}

/** A GET of the item returns the values of the response to the write, except for members that only one of them has. */
async function findReadFaults(url: string, answer: TestResponse): Promise<string[]> {
  // Bulk actions and restored versions return more than one item.
  if (/\/(?:bulk|versions)(?=[/?]|$)/.test(url)) return []
  // The receipt of a suggestion has no id.
  if (answer.body.id === undefined) return []
  const { id } = answer.body
  // A preview stores nothing.
  if (url.includes('/series/preview')) return []
  const collection = url.slice(calendar.length + 1).split(/[/?]/, 1)[0]
  const again = await admin.get(`${calendar}/${collection}/${id}?context=edit&language=${answer.body.language ?? 'en'}`)
  if (answer.body.status === 'trash') return []
  if (again.status !== 200) return [`is read as ${again.status} ${again.text.slice(0, 200)}`]
  const differing = Object.keys(answer.body).filter(
    name =>
      !['json_ld', '_links'].includes(name) && JSON.stringify(answer.body[name]) !== JSON.stringify(again.body[name])
  )
  return differing.map(name => `${name} is read as ${JSON.stringify(again.body[name])?.slice(0, 100)}`)
}

/** For rules about two fields, the error may name the other one. */
const relatedFields: Record<string, string[]> = {
  start_date: ['end_date'],
  all_day: ['end_date'],
  timezone: ['end_date'],
  geo_lat: ['geo_lng'],
  geo_lng: ['geo_lat'],
  geoloc_lat: ['geoloc_lng'],
  geoloc_lng: ['geoloc_lat'],
  geoloc_radius: ['geoloc_lat', 'geoloc_lng'],
  text_only: ['language']
}
/** Errors without parameters. */
const selfExplanatoryCodes = [
  'term_exists',
  'duplicate_term_slug',
  'rest_invalid_namespace',
  'subscription-exists',
  'subscription-no-conflict'
]
/** Requests that an item takes once: later ones change nothing, or are refused. */
const isTakenOnce = ({ path }: Operation) => /\/(?:accept|decline|undo)$/.test(path)

function expectOutcome(operation: Operation, name: string, request: InjectOptions, outcome: Outcome, code?: string) {
  return async (answer: TestResponse): Promise<string[]> => {
    if (outcome === 'refused') return expectRefusedAt(name, code)(answer)
    const reads = operation.method === 'GET'
    if (answer.status >= 400) {
      if (selfExplanatoryCodes.includes(answer.body.code)) return []
      if (answer.status === 404 && reads && /page-not-found$/.test(answer.body.code)) return []
      if (answer.status === 400 && (outcome === 'either' || (relatedFields[name] ?? []).length > 0)) {
        const allowed = [name, ...(relatedFields[name] ?? [])]
        return listNamedParams(answer.body).some(named => allowed.includes(named)) ? [] : [`should name ${name}`]
      }
    }
    const faults = findTakenFaults(operation, answer)
    if (faults.length > 0 || reads || operation.method === 'DELETE') return faults
    return await findReadFaults(String(request.url), answer)
  }
}

/** Routes of one collection with the same parameters: each gets a share of the values, because the same code parses them. */
function groupOperations(some: Operation[], takes: (operation: Operation) => unknown, by = 'method'): Operation[][] {
  const groups = new Map<string, Operation[]>()
  for (const operation of some) {
    const collection = operation.path.slice(calendar.length).split(/[/.]/)[1]
    const key = JSON.stringify([
      collection,
      by === 'method' && ['GET', 'DELETE'].includes(operation.method) ? operation.method : '',
      takes(operation)
    ])
    groups.set(key, [...(groups.get(key) ?? []), operation])
  }
  return [...groups.values()]
}

const formatGroup = (group: Operation[]) =>
  `${group[0]?.name}${group.length > 1 ? ` and ${group.length - 1} more` : ''}`
function isDecodable(id: string): boolean {
  try {
    return decodeURIComponent(id) !== ''
  } catch {
    return false
  }
}

/** Digits with leading zeros are a valid id. */
const ids = malformedIds.filter(id => id !== '01')
const harmless = [
  'accept-language',
  'x-request-id',
  'if-none-match',
  'accept',
  'origin',
  'user-agent',
  'x-http-method-override',
  'content-disposition'
]
const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }

const omit = (body: Record<string, unknown>, ...names: string[]) =>
  Object.fromEntries(Object.entries(body).filter(([key]) => !names.includes(key)))

const isFreeText = (name: string, schema: Schema) =>
  ['text', 'password', 'html', 'slug'].includes(getRule(name, schema))

/** A share of the rows: every n-th refused and every n-th accepted one, shifted for each field. */
function pickShare<Row extends { outcome: Outcome }>(rows: Row[], parts: number, ofTaken: number, at: number): Row[] {
  const every = isFullRun ? 1 : 6
  return rows.filter(({ outcome }, index) => (index + at) % (every * (outcome === 'taken' ? ofTaken : parts)) === 0)
}

/** A value that several free text fields accept is sent in all of them at once; other values are sent alone. */
function pickInTurns<Row extends { name: string; what: string; outcome: Outcome; alone: boolean }>(
  rows: Row[]
): { names: string[]; row: Row }[] {
  const turns = new Map<string, { names: string[]; row: Row }>()
  for (const row of rows) {
    const key = row.alone || row.outcome !== 'taken' ? `${row.what} in ${row.name}` : row.what
    const known = turns.get(key)
    if (known === undefined) turns.set(key, { names: [row.name], row })
    else known.names.push(row.name)
  }
  return [...turns.values()]
}

// Items for the lists.
for (const { name, body = {} } of operations) {
  if (name !== `POST ${calendar}/events`) continue
  for (let count = 0; count < 5; count += 1)
    await admin.post(`${calendar}/events`, omit(buildCalendarBody(body), 'post_password'))
}

for (const group of groupOperations(operations, ({ path }) => path, 'any method')) {
  const inPath = listParameters(group[0] as Operation, 'path')
  if (inPath.length === 0) continue
  test(`${group.map(({ method }) => method)} ${group[0]?.path}: malformed ids and slugs are refused with 404 or 400`, async () => {
    const requests: InjectOptions[] = []
    for (const operation of group) requests.push(await validRequest(operation))
    const attempts: Attempt[] = []
    for (const { name } of inPath) {
      // The name of a file does not identify it.
      const found = name === 'name' ? [200] : []
      // Outside of the namespace an unparsable URL belongs to no service.
      const own = group[0]?.path.startsWith(calendar) ? ids : ids.filter(isDecodable)
      for (const [index, id] of own.entries()) {
        const request = requests[index % group.length] ?? {}
        attempts.push({
          what: `${request.method}: ${name} is ${id.slice(0, 50)}`,
          request: { ...request, url: replacePathId(group[0] as Operation, String(request.url), name, id) },
          faults: expectStatuses(404, 400, ...found)
        })
      }
    }
    await attempt(attempts)
  })
}

for (const group of groupOperations(operations, operation => listParameters(operation, 'header'))) {
  test(`${formatGroup(group)}: malformed harmless headers are ignored, and malformed credentials, idempotency keys and versions refused`, async () => {
    const attempts: Attempt[] = []
    const fixed: InjectOptions[] = []
    for (const operation of group) fixed.push(await validRequest(operation))
    const at = (index: number) => ({
      operation: group[index % group.length] as Operation,
      request: fixed[index % group.length] ?? {}
    })
    const withHeaders = (from: InjectOptions, headers: Record<string, string>) => ({
      ...from,
      headers: { ...from.headers, ...headers }
    })
    for (const [index, value] of malformedHeaders.entries()) {
      const { operation, request } = at(index)
      const isRead = operation.method === 'GET'
      attempts.push({
        what: `${operation.name}: harmless headers are ${value.slice(0, 50)}`,
        request: withHeaders(
          isRead ? request : await validRequest(operation),
          Object.fromEntries(harmless.map(name => [name, value]))
        ),
        taken: true,
        faults: answer => [
          ...expectSuccess(answer),
          ...(/^[\w.-]{8,100}$/.test(answer.headers['x-request-id'] ?? '') ? [] : ['the request id has a wrong format'])
        ]
      })
    }
    const refused = (name: string, values: string[], status: number) => {
      for (const [index, value] of values.entries()) {
        const { operation, request } = at(index)
        const what = `${operation.name}: ${name} is ${value.slice(0, 50)}`
        attempts.push({ what, request: withHeaders(request, { [name]: value }), faults: expectStatuses(status) })
      }
    }
    const takes = (name: string) => listParameters(group[0] as Operation, 'header').some(one => one.name === name)
    refused('authorization', malformedCredentials, 401)
    if (takes('Idempotency-Key')) refused('idempotency-key', malformedIdempotencyKeys, 400)
    if (takes('If-Match')) refused('if-match', malformedVersions, 412)
    await attempt(attempts)
  })
}

const triedParameters = new Set<string>()
function isFirst(name: string, schema: Schema): boolean {
  const known = triedParameters.size
  return triedParameters.add(JSON.stringify([name, schema])).size > known
}

for (const group of groupOperations(
  operations.filter(one => listParameters(one, 'query').length > 0),
  one => listParameters(one, 'query')
)) {
  test(`${formatGroup(group)}: malformed parameters are refused by name, or accepted without harm`, async () => {
    const [first] = group
    assert.ok(first !== undefined)
    const attempts: Attempt[] = []
    const kept = new Map<Operation, string>()
    let turn = 0
    async function add(what: string, name: string, pairs: string, outcome: Outcome, code?: string): Promise<void> {
      turn += 1
      const operation = group[turn % group.length] ?? (first as Operation)
      // An item can be deleted once; other requests can be repeated.
      const isFresh = operation.method === 'DELETE' && outcome !== 'refused'
      const url = isFresh ? await pathOf(operation) : (kept.get(operation) ?? (await pathOf(operation)))
      if (!isFresh) kept.set(operation, url)
      const request = {
        method: operation.method,
        url: `${url}?${[pairs, ...buildRequiredQuery(operation, name)].join('&')}`
      }
      attempts.push({
        what: `${operation.name}: ${name} is ${what}`,
        request,
        taken: operation.method === 'DELETE' && outcome !== 'refused',
        faults: expectOutcome(operation, name, request, outcome, code)
      })
    }
    for (const [at, { name, schema }] of listParameters(first, 'query').entries()) {
      // Parameters that lists, files and feeds share are parsed by the same code: all values for the first of them, a third for the others.
      const parts = isFirst(name, schema) ? 1 : 3
      for (const { what, text, outcome } of listMalformedTexts(getRule(name, schema), schema).filter(
        (_, index) => (index + at) % parts === 0
      )) {
        await add(
          what,
          name,
          `${name}=${encodeURIComponent(text)}`,
          outcome === 'taken' && getRule(name, schema) === 'terms' ? 'either' : outcome
        )
      }
      for (const [what, spelling, code] of malformedSpellings) {
        await add(what, name, spelling(name), code === undefined ? 'either' : 'refused', code)
      }
      await add('a thousand values', name, Array.from({ length: 990 }, () => `${name}[]=1`).join('&'), 'either')
    }
    await add('only punctuation', 'nothing', '&&==&=&?;[]%', 'either')
    await attempt(attempts)
    const tooMany = Array.from({ length: 1001 }, (_, n) => `p${n}=${n}`).join('&')
    await attempt([
      {
        what: 'a thousand parameters',
        request: { method: first.method, url: `${await pathOf(first)}?${tooMany}` },
        faults: expectStatuses(400)
      }
    ])
  })
}

for (const [place, group] of groupOperations(
  operations.filter(({ body }) => body !== undefined),
  ({ body }) => body
).entries()) {
  const [first] = group
  if (first === undefined) continue
  const schema: Schema = first.body ?? {}
  // User name and password of an import belong together: imports/moving-in.test.ts tests them. A suggestion has rules of
  // its own for links in the title, the address of a venue and the honeypot: suggestions/suggestions.test.ts tests them.
  const ownRules =
    'source' in (schema.properties ?? {})
      ? ['username', 'password']
      : 'sender_email' in (schema.properties ?? {})
        ? ['title', 'venue_address', 'homepage']
        : []
  const fields = Object.entries(schema.properties ?? {}).filter(([name]) => !ownRules.includes(name))
  const buildBase = () => buildCalendarBody(schema, 'required')
  const creates = listParameters(first, 'path').length === 0
  const named = fields.flatMap(([name, property]) => (getRule(name, property) === 'filled' ? [name] : []))

  /** The routes alternate. A request that may rename or remove an item gets an item of its own; the others share one per route. */
  const shared: string[] = []
  let turn = 0
  async function pickTarget(names: string[], outcome: Outcome): Promise<{ operation: Operation; url: string }> {
    turn += 1
    const index = turn % group.length
    const operation = group[index] ?? (first as Operation)
    if (shared.length === 0) for (const one of group) shared.push(await pathOf(one))
    const changesItem = isTakenOnce(operation) || names.some(name => ['slug', 'status', ...named].includes(name))
    const isFresh = outcome !== 'refused' && changesItem
    return { operation, url: isFresh ? await pathOf(operation) : (shared[index] ?? '') }
  }

  if (!isFileUpload(first)) {
    test(`${formatGroup(group)}: malformed JSON fields are refused by name, or accepted without harm`, async () => {
      const attempts: Attempt[] = []
      async function add(names: string[], row: MalformedRow): Promise<void> {
        const { operation, url } = await pickTarget(names, row.outcome)
        const places = Object.fromEntries(names.map(name => [name, 'its place']))
        const payload = JSON.stringify({ ...buildBase(), ...places }).replaceAll('"its place"', () => row.json)
        const request = { method: operation.method, url, headers: json, payload }
        attempts.push({
          what: `${operation.name}: ${names} is ${row.what}`,
          request,
          taken: row.outcome !== 'refused',
          faults: expectOutcome(operation, names[0] ?? '', request, row.outcome, row.code)
        })
      }
      // Fields of one kind have the same rule, so each gets a share of the values; updates have the rules of creations, and get fewer.
      const rows = fields.flatMap(([name, property], at) =>
        pickShare(listMalformedRows(getRule(name, property), property), creates ? 2 : 5, creates ? 1 : 3, at).map(
          row => {
            return { name, ...row, alone: !isFreeText(name, property) }
          }
        )
      )
      for (const { names, row } of pickInTurns(rows)) await add(names, row)
      for (const name of schema.required ?? []) {
        const request = {
          method: first.method,
          url: await pathOf(first),
          headers: json,
          payload: omit(buildBase(), name)
        }
        attempts.push({ what: `${name} is missing`, request, faults: expectRefusedAt(name) })
      }
      await attempt(attempts)
    })
  }

  test(`${formatGroup(group)}: malformed fields in forms and queries are refused by name, or accepted without harm`, async () => {
    const attempts: Attempt[] = []
    type Fields = Record<string, unknown>
    const encodeFields = (some: Fields) =>
      Object.entries(some).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    const inQuery = (url: string, base: Fields, pairs: string) =>
      isFileUpload(first)
        ? { url: `${url}?${pairs}`, headers: { 'content-type': 'image/png' }, payload: picture }
        : { url: `${url}?${pairs}`, headers: json, payload: base }
    const inForm = (url: string, base: Fields, pairs: string) =>
      isFileUpload(first)
        ? inQuery(url, base, pairs)
        : { url, headers: form, payload: [...encodeFields(base), pairs].join('&') }
    const inParts = (url: string, base: Fields, own: Fields) => ({
      url,
      ...buildMultipartForm({ ...base, ...own }, isFileUpload(first) ? picture : undefined)
    })
    let encodingIndex = 0
    async function add(
      names: string[],
      what: string,
      outcome: Outcome,
      spelling: { text: string } | { pairs: string },
      code?: string
    ) {
      const { operation, url } = await pickTarget(names, outcome)
      const base = omit(buildBase(), ...names)
      const own = 'text' in spelling ? Object.fromEntries(names.map(name => [name, spelling.text])) : {}
      const pairs = 'text' in spelling ? encodeFields(own).join('&') : spelling.pairs
      encodingIndex += 1
      const encoded =
        encodingIndex % 3 === 0 && 'text' in spelling
          ? inParts(url, base, own)
          : (encodingIndex % 3 === 1 ? inForm : inQuery)(url, base, pairs)
      const request = { method: operation.method, ...encoded }
      attempts.push({
        what: `${operation.name}: ${names} is ${what} in way ${encodingIndex % 3}`,
        request,
        taken: outcome !== 'refused',
        faults: expectOutcome(operation, names[0] ?? '', { ...request, url }, outcome, code)
      })
    }
    const rows = fields.flatMap(([name, property], at) =>
      pickShare(listMalformedTexts(getRule(name, property), property), 6, 2, at).map(row => {
        return { name, ...row, alone: !isFreeText(name, property) }
      })
    )
    for (const { names, row } of pickInTurns(rows)) await add(names, row.what, row.outcome, row)
    for (const [name] of fields) {
      for (const [what, spelling, code] of malformedSpellings) {
        await add([name], what, code === undefined ? 'either' : 'refused', { pairs: spelling(name) }, code)
      }
    }
    await attempt(attempts)
  })

  test(`${formatGroup(group)}: malformed, truncated and too large bodies are refused; a body that is neither form nor JSON is ignored`, async () => {
    const attempts: Attempt[] = []
    const codes: Record<string, string[]> = {
      'malformed-json': ['rest_invalid_json'],
      'body-too-large': ['body-too-large'],
      'invalid-input': ['rest_invalid_param', 'rest_missing_callback_param', 'rest_upload_not_an_image']
    }
    for (const { what, payload, code } of pickSample(listMalformedBodies(place), place)) {
      const taken = code === undefined || code === 'invalid-input'
      const { operation, url } = await pickTarget([], taken ? 'taken' : 'refused')
      const valid = JSON.stringify(buildBase()).replace(/^\{\}$/, '{"b": 1}')
      const request = { method: operation.method, url, headers: json, payload: payload(valid) }
      attempts.push({
        what: `${operation.name}: the body is ${what}`,
        request,
        taken,
        faults: answer => {
          // An ignored body is refused if fields are required; an update without fields is accepted.
          const mayPass = code === undefined || (code === 'invalid-input' && schema.required === undefined)
          if (mayPass && answer.status < 300) return []
          const allowed = [
            ...(codes[code ?? ''] ?? selfExplanatoryCodes),
            ...(isFileUpload(first) ? ['rest_upload_not_an_image'] : [])
          ]
          return allowed.includes(answer.body.code) ? [] : ['has another code']
        }
      })
    }
    for (const type of wrongContentTypes) {
      const { operation, url } = await pickTarget([], 'taken')
      const payload = JSON.stringify(buildBase())
      const request = {
        method: operation.method,
        url,
        headers: type === undefined ? {} : { 'content-type': type },
        payload
      }
      attempts.push({
        what: `${operation.name}: the type is ${type?.slice(0, 50)}`,
        request,
        taken: true,
        faults: answer => (answer.status < 500 ? [] : ['a 5xx'])
      })
    }
    const parts = buildMultipartForm({ a: 'b' }).payload as Buffer
    const border = buildMultipartForm({}).headers ?? {}
    for (const payload of [
      parts.subarray(0, -6),
      Buffer.from('--the-border'),
      Buffer.alloc(2_000_000, '--the-border\r\n')
    ]) {
      const { operation, url } = await pickTarget([], 'refused')
      const request = { method: operation.method, url, headers: border, payload }
      attempts.push({
        what: `${operation.name}: a broken form of ${payload.length}`,
        request,
        faults: expectStatuses(400, 413)
      })
    }
    await attempt(attempts)
  })
}

test('malformed global parameters (_fields, _envelope, _method, language, rest_route) are refused or ignored', async () => {
  const malformed = [
    ...['_fields', '_envelope', '_method', 'language', 'rest_route'].flatMap(name =>
      malformedSpellings.map(([, spelling]) => spelling(name))
    ),
    ...[
      '[toString]=1',
      '[0][toString]=1',
      '[][valueOf]=1&_fields[][toJSON]=1',
      '=a.b.c.d',
      '=__proto__,constructor'
    ].map(end => `_fields${end}`),
    `_fields=${'a.'.repeat(20_000)}`,
    'categories[0][name]=Some+words&categories[0][toString]=1',
    'tags[0][name]=Some+words&tags[0][join]=1'
  ]
  const lists = ['events', 'venues', 'organizers', 'categories', 'tags', 'doc', 'events.ics', 'media']
  const attempts = malformed.flatMap((pairs, index) =>
    // The document takes longer than all lists.
    lists
      .filter(list => list !== 'doc' || index % 5 === 0)
      .map((list): Attempt => {
        const request = { method: 'GET', url: `${calendar}/${list}?${pairs}` } as const
        return { what: `${list}: ${pairs.slice(0, 60)}`, request, faults: expectStatuses(200, 400) }
      })
  )
  const inBodies = [
    '{"_fields": [{"toString": 1}]}',
    '{"_fields": {"a": 1}}',
    '{"_envelope": [[]], "language": ["en"]}'
  ]
  for (const body of inBodies) {
    for (const operation of operations.filter(one => one.body !== undefined && !isFileUpload(one))) {
      const base = JSON.stringify(buildCalendarBody(operation.body ?? {}, 'required')).slice(1, -1)
      const payload = `${body.slice(0, -1)}${base === '' ? '' : `, ${base}`}}`
      const request = { method: operation.method, url: await pathOf(operation), headers: json, payload }
      attempts.push({
        what: `${operation.name}: ${body}`,
        request,
        taken: true,
        // The event of the subscription has no conflict.
        faults: expectStatuses(200, 201, 202, 400, ...(operation.name.endsWith('/resolve') ? [409] : []))
      })
    }
  }
  await attempt(attempts)
})

/** Parameters of lists of WordPress that its routes read without declaring them. */
const wordpressParameters = [
  ...['per_page', 'page', 'search', 'include', 'exclude', 'slug', 'status', 'order', 'orderby', 'language', 'context'],
  ...['tags', 'categories', 'tribe_events_cat', 'venue', 'organizer', 'featured', 'start_date', 'end_date', 'parent'],
  ...['post', 'hide_empty', 'password', 'force', '_fields']
]
const wordpressFields = [
  ...['title', 'content', 'slug', 'status', 'date', 'password', 'featured_media', 'meta', 'start_date', 'venues'],
  ...['tags', 'tribe_events_cat', 'name', 'parent', 'lat', 'email']
]
const shapes = crawler.routes.filter(({ isUndocumented }) => isUndocumented)
const isShapeRead = ({ method }: (typeof shapes)[number]) => method === 'GET'
/** A refusal, or a success: which of them depends on the route and on what there is. */
const isAnswered = expectStatuses(200, 201, 400, 404, 409, 410, 413, 415)

/** Fills the id of an item of the collection into the path of a shape of WordPress. */
async function prepareShapes(): Promise<(url: string, id?: string) => string> {
  const make = async (collection: string, body: object) =>
    (await admin.post(`${calendar}/${collection}`, body)).body.id as number
  const made = {
    event: await make('events', { ...event, status: 'publish' }),
    venue: await make('venues', { venue: 'Town Hall' }),
    organizer: await make('organizers', { organizer: 'Choir' }),
    tag: await make('tags', { name: 'Shaped' }),
    category: await make('categories', { name: 'Shaped' })
  }
  const upload = buildMultipartForm({}, picture)
  const media = (await admin.send({ method: 'POST', url: `${calendar}/media`, ...upload })).body.id
  const idOf = (url: string) => {
    if (url.includes('cat/')) return made.category
    if (url.includes('/media')) return media
    const kinds = ['event', 'venue', 'organizer', 'tag'] as const
    return made[kinds.find(kind => url.replace(/^.*tribe_|^.*\/v\d\//, '').startsWith(kind)) ?? 'event']
  }
  return (url, id = String(idOf(url))) => url.replace(/:id(?:\([^)]*\))?/, () => id)
}

test('the shapes of WordPress refuse malformed ids, parameters and credentials, and read nothing into them', async () => {
  assert.ok(shapes.length > 30, `${shapes.length} routes`)
  const fillShape = await prepareShapes()
  const attempts: Attempt[] = []
  for (const [place, route] of shapes.entries()) {
    const method = route.method as 'GET'
    const send = (what: string, request: InjectOptions, faults: Attempt['faults'], taken = false) =>
      attempts.push({
        ...{ what: `${method} ${route.url}: ${what.slice(0, 60)}`, faults, taken },
        request: {
          ...{ method, url: fillShape(route.url), ...request },
          headers: { 'x-tec-eea': acknowledgement, ...request.headers }
        }
      })
    if (route.url.includes(':id')) {
      for (const malformed of ids.filter(isDecodable)) {
        send(malformed, { url: fillShape(route.url, malformed) }, expectStatuses(404, 400))
      }
    }
    for (const value of pickSample(malformedCredentials, place)) {
      send(`authorization is ${value}`, { headers: { authorization: value } }, expectStatuses(401))
    }
    for (const [at, name] of wordpressParameters.entries()) {
      const queries = [
        ...malformedSpellings.map(([, spelling]) => spelling(name)),
        ...[`${name}[0][toString]=1`, `${name}[toString]=1`, `${name}[][valueOf]=1&${name}[][toJSON]=1`],
        ...['', '-1', '0', '1e9', 'NaN', '9'.repeat(30), 'x'.repeat(5000)].map(value => `${name}=${value}`)
      ].filter((_, index) => (index + at + place) % (isShapeRead(route) ? 2 : 6) === 0)
      for (const query of queries) {
        send(query, { url: `${fillShape(route.url)}?${query}` }, isAnswered, !isShapeRead(route))
      }
    }
  }
  await attempt(attempts)
})

test('the shapes of WordPress refuse malformed bodies and fields', async () => {
  const attempts: Attempt[] = []
  const fillShape = await prepareShapes()
  for (const [place, route] of shapes.filter(one => !isShapeRead(one) && one.method !== 'DELETE').entries()) {
    const send = (what: string, payload: string | Buffer, faults: Attempt['faults'], taken = false) =>
      attempts.push({
        ...{ what: `${route.method} ${route.url}: ${what}`, faults, taken },
        request: {
          ...{ method: route.method as 'POST', url: fillShape(route.url), payload },
          headers: { ...json, 'x-tec-eea': acknowledgement }
        }
      })
    const valid = JSON.stringify({ ...event, name: `Some words ${place}` })
    for (const { what, payload, code } of listMalformedBodies(place)) {
      // A body that is no object counts as none, and a change of nothing is none.
      const mayPass = code === undefined || (code === 'invalid-input' && route.url.includes(':id'))
      send(`the body is ${what}`, payload(valid), mayPass ? isAnswered : expectStatuses(400, 413), mayPass)
    }
    for (const [at, name] of wordpressFields.entries()) {
      const rest = JSON.stringify(omit(JSON.parse(valid), name)).slice(1)
      const toBody = (value: string) => `{${JSON.stringify(name)}: ${value}, ${rest}`
      for (const [what, value] of forAll) send(`${name} is ${what}`, toBody(value), expectStatuses(400))
      for (const [what, value] of others.filter((_, index) => (index + at + place) % 4 === 0)) {
        send(`${name} is ${what}`, toBody(value), isAnswered, true)
      }
    }
  }
  await attempt(attempts)
})

test('after these tests every list and feed can still be read by visitors and admins', async () => {
  for (const reader of [visitor, admin]) {
    for (const collection of ['events', 'venues', 'organizers', 'categories', 'tags', 'events.ics']) {
      const { status, text } = await reader.get(`${calendar}/${collection}?per_page=50`)
      assert.equal(status, 200, collection)
      assert.ok(text.isWellFormed() && !text.includes('\0') && !/<script/i.test(text), collection)
    }
  }
  assert.deepEqual(Object.keys(Object.prototype), [])
})
