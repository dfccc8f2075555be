import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import { findOpenApi30Errors } from '#test/support/crawl/openapi-schema.ts'
import { dereference } from '#test/support/crawl/route-crawler.ts'
import { calendar, startCalendar } from '#test/support/services.ts'

const { anEvent, aCategory, aTag, visitor } = await startCalendar({ env: { TIMEZONE: 'Europe/Berlin' } })

interface Endpoint {
  methods: string[]
  args: Record<string, { type?: unknown; description: string; required: boolean; default?: unknown }>
}
interface Route {
  namespace: string
  methods: string[]
  endpoints: Endpoint[]
  _links?: { self: { href: string }[] }
}

const { body: index } = await visitor.get(calendar)
const routes: Record<string, Route> = index.routes
const ns = '/calendar/events/v1'
const postMethods = ['GET', 'DELETE', 'POST', 'PUT', 'PATCH']
const termMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** The routes of The Events Calendar. */
const contract: Record<string, string[]> = {
  [ns]: ['GET'],
  [`${ns}/doc`]: ['GET'],
  [`${ns}/categories`]: ['GET', 'POST'],
  [`${ns}/categories/(?P<id>\\d+)`]: termMethods,
  [`${ns}/tags`]: ['GET', 'POST'],
  [`${ns}/tags/(?P<id>\\d+)`]: termMethods
}
for (const collection of ['events', 'venues', 'organizers']) {
  contract[`${ns}/${collection}`] = ['GET', 'POST']
  contract[`${ns}/${collection}/(?P<id>\\d+)`] = postMethods
  contract[`${ns}/${collection}/by-slug/(?P<slug>[^/]+)`] = postMethods
}

test('the index has the 15 routes of the contract, with their methods in its order', () => {
  assert.equal(Object.keys(contract).length, 15)
  for (const [pattern, methods] of Object.entries(contract))
    assert.deepEqual(routes[pattern]?.methods, methods, pattern)
  assert.equal(index.namespace, 'calendar/events/v1')
  assert.match(index._links.up[0].href, /^http:\/\/localhost(:80)?\/$/)
})

test('every route of the index has namespace, methods, endpoints, arguments and links', async () => {
  for (const [pattern, route] of Object.entries(routes)) {
    assert.ok(pattern === ns || pattern.startsWith(`${ns}/`), pattern)
    assert.equal(route.namespace, 'calendar/events/v1')
    assert.deepEqual(
      route.endpoints.flatMap(endpoint => endpoint.methods),
      route.methods,
      pattern
    )
    for (const { args } of route.endpoints) {
      for (const [name, argument] of Object.entries(args)) {
        assert.equal(typeof argument.required, 'boolean', `${pattern} ${name}`)
        assert.match(argument.description, /\S/, `${pattern} ${name}`)
      }
    }
    const variable = pattern.includes('(?P<')
    const own = route._links?.self[0]?.href
    assert.equal(own === undefined, variable, pattern)
    if (own !== undefined) assert.ok(new URL(own).pathname === pattern, pattern)
  }
})

test('the index lists the parameters of each route, which are required, and the defaults of lists', () => {
  const [list, create] = routes[`${ns}/events`]?.endpoints ?? []
  assert.equal(list?.args.page?.default, 1)
  assert.equal(list?.args.per_page?.default, '10')
  assert.equal(list?.args.strict_dates?.default, 'false')
  assert.equal(routes[`${ns}/categories`]?.endpoints[0]?.args.hide_empty?.default, '1')
  for (const name of ['start_date', 'end_date', 'search', 'categories', 'tags', 'venue', 'organizer', 'featured']) {
    assert.equal(list?.args[name]?.required, false, name)
  }
  const required = Object.entries(create?.args ?? {}).flatMap(([name, argument]) => (argument.required ? [name] : []))
  assert.deepEqual(required, ['title', 'start_date', 'end_date'])
  assert.deepEqual(routes[`${ns}/events/(?P<id>\\d+)`]?.endpoints[0]?.args.id?.required, true)
  assert.deepEqual(routes[`${ns}/events/by-slug/(?P<slug>[^/]+)`]?.endpoints[0]?.args.slug?.required, true)
  for (const { endpoints } of Object.values(routes)) for (const { args } of endpoints) assert.ok(args.language)
})

test('the default dates in the index are those of a list that is requested without dates', async () => {
  const { args } = (await visitor.get(calendar)).body.routes[`${ns}/events`].endpoints[0]
  const { searchParams } = new URL((await visitor.get(`${calendar}/events`)).body.rest_url)
  assert.equal(args.start_date.default, searchParams.get('start_date'))
  assert.equal(args.end_date.default, searchParams.get('end_date'))
  assert.match(args.start_date.default, /^\d{4}-\d\d-\d\d 00:00:00$/)
  assert.match(args.end_date.default, /^\d{4}-\d\d-\d\d 23:59:59$/)
})

test('the index accepts its own namespace and any context; another namespace is 404', async () => {
  const own = routes[ns]?.endpoints[0]?.args
  assert.deepEqual([own?.namespace?.default, own?.context?.default], ['calendar/events/v1', 'view'])
  const alias = (await visitor.get('/wp-json/tribe/events/v1')).body
  assert.equal(alias.routes['/tribe/events/v1'].endpoints[0].args.namespace.default, 'tribe/events/v1')
  for (const query of ['namespace=calendar/events/v1', 'context=view', 'context=edit', 'context=whatever']) {
    assert.deepEqual((await visitor.get(`${calendar}?${query}`)).body, index, query)
  }
  for (const namespace of ['wp/v2', 'tribe/events', 'calendar/events/v1/']) {
    const { status, body } = await visitor.get(`${calendar}?namespace=${encodeURIComponent(namespace)}`)
    assert.deepEqual(
      [status, body],
      [
        404,
        {
          code: 'rest_invalid_namespace',
          message: 'The specified namespace could not be found.',
          data: { status: 404 }
        }
      ]
    )
  }
})

type Json = Record<string, unknown>
const { body: served } = await visitor.get(`${calendar}/doc`)
const document = dereference(served)
const operations = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation: operation as Json }))
)

test('the OpenAPI document has title, version, server, schemas, and the paths of the contract', () => {
  assert.deepEqual(Object.keys(document), ['openapi', 'info', 'tags', 'components', 'servers', 'paths'])
  assert.equal(document.openapi, '3.0.0')
  assert.equal(document.info.version, '1.0.0')
  for (const name of ['title', 'description']) assert.match(document.info[name], /\S/)
  assert.match(document.servers[0].url, /^http:\/\/localhost(:80)?\/calendar\/events\/v1$/)
  for (const name of ['ImageSize', 'CostDetails', 'Term', 'Image', 'DateDetails', 'Event', 'Venue', 'Organizer']) {
    assert.equal(document.components.schemas[name].type, 'object', name)
    assert.ok(Object.keys(document.components.schemas[name].properties).length > 3, name)
  }
  assert.ok(document.paths['/events'].get.parameters.length > 0)
  assert.ok(document.paths['/events/{id}'].get.responses[200])
  for (const pattern of Object.keys(contract).filter(one => one !== ns)) {
    const path = pattern.slice(ns.length).replace('(?P<id>\\d+)', '{id}').replace('(?P<slug>[^/]+)', '{slug}')
    const methods = (contract[pattern] ?? []).map(method => method.toLowerCase())
    assert.deepEqual(Object.keys(document.paths[path]).sort(), [...methods].sort(), path)
  }
})

/** The keywords of schemas in OpenAPI 3.0. */
const keywords =
  'type properties required items enum anyOf oneOf allOf nullable description format minimum maximum minLength maxLength minItems maxItems pattern default example additionalProperties exclusiveMinimum exclusiveMaximum uniqueItems $ref'.split(
    ' '
  )
const types = ['object', 'array', 'string', 'integer', 'number', 'boolean']

function findFaults(schema: unknown, at: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [`${at}: is not a schema`]
  const { type, items, properties = {}, anyOf = [], additionalProperties, required } = schema as Json
  return [
    ...Object.keys(schema)
      .filter(word => !keywords.includes(word))
      .map(word => `${at}: ${word} is not a keyword`),
    ...(type !== undefined && !types.includes(type as string) ? [`${at}: type ${JSON.stringify(type)}`] : []),
    ...(type === 'array' && items === undefined ? [`${at}: items are missing`] : []),
    ...(required !== undefined && (!Array.isArray(required) || required.length === 0) ? [`${at}: required`] : []),
    ...(items === undefined ? [] : findFaults(items, `${at}[]`)),
    ...(typeof additionalProperties === 'object' ? findFaults(additionalProperties, `${at}.*`) : []),
    ...Object.entries(properties as Json).flatMap(([name, inner]) => findFaults(inner, `${at}.${name}`)),
    ...(anyOf as unknown[]).flatMap((inner, number) => findFaults(inner, `${at}|${number}`))
  ]
}

test('the document is OpenAPI 3.0: every operation and schema has the form of that version', () => {
  assert.deepEqual(findOpenApi30Errors(served), [])
  assert.ok(operations.length > 40)
  const faults: string[] = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
    findFaults(schema, name)
  )
  for (const { path, method, operation } of operations) {
    const at = `${method} ${path}`
    const parameters = operation.parameters as { name: string; in: string; required: boolean; schema: Json }[]
    const named = parameters.filter(one => one.in === 'path')
    assert.deepEqual(
      named.map(one => `{${one.name}}`),
      path.match(/\{\w+\}/g) ?? [],
      at
    )
    assert.ok(named.every(one => one.required))
    const names = parameters.map(one => `${one.in} ${one.name}`)
    assert.deepEqual([...new Set(names)], names, at)
    for (const { name, schema } of parameters) faults.push(...findFaults(schema, `${at} ${name}`))

    const { content = {} } = (operation.requestBody ?? {}) as { content?: Record<string, { schema: Json }> }
    assert.equal('application/x-www-form-urlencoded' in content, ['post', 'put', 'patch'].includes(method), at)
    for (const { schema } of Object.values(content)) faults.push(...findFaults(schema, `${at} body`))
    for (const [status, answer] of Object.entries(operation.responses as Record<string, Json>)) {
      assert.match(status, /^([1-5]\d\d|default)$/)
      assert.match(String(answer.description), /\S/)
      const inside = Object.values((answer.content ?? {}) as Record<string, { schema: Json }>)
      for (const { schema } of inside) faults.push(...findFaults(schema, `${at} ${status}`))
    }
  }
  assert.deepEqual(faults, [])
})

test('responses match their schemas in the OpenAPI document', async () => {
  const { id, slug, venue, organizer } = await anEvent({
    venue: { venue: 'Town Hall', city: 'Kiel' },
    organizer: { organizer: 'Choir' },
    categories: ['Music'],
    cost: '10'
  })
  const urls: Record<string, string> = {
    '/events': '/events?start_date=2020-01-01',
    '/events/{id}': `/events/${id}`,
    '/events/by-slug/{slug}': `/events/by-slug/${slug}`,
    '/venues': '/venues',
    '/venues/{id}': `/venues/${venue.id}`,
    '/organizers/{id}': `/organizers/${organizer[0].id}`,
    '/categories/{id}': `/categories/${(await aCategory({ name: 'Fair' })).id}`,
    '/tags/{id}': `/tags/${(await aTag()).id}`
  }
  const ajv = new Ajv({ strict: false, allErrors: true })
  for (const [path, url] of Object.entries(urls)) {
    const { schema } = document.paths[path].get.responses[200].content['application/json']
    const validate = ajv.compile(schema)
    const { body } = await visitor.get(calendar + url)
    const undocumented = Object.keys(body).filter(name => !(name in schema.properties))
    assert.deepEqual(undocumented, [], path)
    assert.ok(validate(body), `${path}: ${ajv.errorsText(validate.errors)}`)
  }
})
