// test: own process
// The program compiles a schema with the first request that needs it, so that the start is not delayed. Here all of them are compiled.
import assert from 'node:assert/strict'
import { subscribe } from 'node:diagnostics_channel'
import { test } from 'node:test'
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import { startAdmin } from '../support/admin-client.ts'

type Schema = NonNullable<FastifySchema>

interface Route {
  name: string
  schema: Schema
  compilers: Pick<RouteOptions, 'validatorCompiler' | 'serializerCompiler'>
}

const routes: Route[] = []
const calendarPath = /^\/(?:calendar|wp-json|media)(?:\/|$)/
const calendarRoutes: { name: string; schema: FastifySchema | undefined }[] = []
subscribe('fastify.initialization', message => {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onRoute', route => {
    const { method, url, schema, config } = route
    // The hook that sets the compilers comes later.
    if (schema !== undefined) routes.push({ name: `${method} ${url}`, schema: schema as Schema, compilers: route })
    if (calendarPath.test(url) && config?.refusesMethod !== true)
      calendarRoutes.push({ name: `${method} ${url}`, schema })
  })
})
await startAdmin()

test('every schema of a request compiles to a validator', () => {
  let compiled = 0
  for (const { name, schema, compilers } of routes) {
    for (const httpPart of ['body', 'querystring', 'headers'] as const) {
      const part = schema[httpPart]
      if (part === undefined) continue
      const validate = compilers.validatorCompiler?.({ schema: part as Schema, method: '', url: '', httpPart })
      assert.equal(typeof validate, 'function')
      assert.doesNotThrow(() => (validate as (input: unknown) => unknown)({}), `${httpPart} of ${name}`)
      compiled += 1
    }
  }
  assert.ok(compiled > 100, `${compiled} schemas`)
})

test('every schema of a response compiles to a serializer', () => {
  let compiled = 0
  for (const { name, schema, compilers } of routes) {
    for (const [status, response] of Object.entries((schema.response ?? {}) as Record<string, ResponseSchema>)) {
      const perType = Object.values(response.content ?? {}).map(content => content.schema)
      for (const part of response.content === undefined ? [response] : perType) {
        const serialize = compilers.serializerCompiler?.({ schema: part, method: '', url: '', httpStatus: status })
        assert.equal(typeof serialize, 'function')
        try {
          serialize?.({})
        } catch (error) {
          // The schema compiled, and does not accept an empty object.
          assert.match(
            String(error),
            /is required!|does not match schema definition|does not declare/,
            `${status} of ${name}`
          )
        }
        compiled += 1
      }
    }
  }
  assert.ok(compiled > 100, `${compiled} schemas`)
})

test('every route of the calendar declares its response, and only descriptions of the API are open objects', () => {
  const open = new Set<string>()
  for (const { name, schema } of calendarRoutes) {
    const responses = Object.values((schema?.response ?? {}) as Record<string, object>)
    assert.ok(responses.length > 0, `${name} has no response schema, so nothing filters its response.`)
    for (const response of responses) for (const title of listOpenObjects(response)) open.add(title)
  }
  assert.ok(calendarRoutes.length > 50, `${calendarRoutes.length} routes`)
  assert.deepEqual([...open].sort(), ['NamespaceIndex', 'OpenApiDocument', 'SiteIndex'])
})

/** The titles of objects with members that the schema does not name. */
function listOpenObjects(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { title, additionalProperties } = schema as { title?: unknown; additionalProperties?: unknown }
  return [...(additionalProperties === true ? [String(title)] : []), ...Object.values(schema).flatMap(listOpenObjects)]
}

interface ResponseSchema {
  content?: Record<string, { schema: object }>
}
