// test: own process
// The program compiles a schema with the first request that needs it, so that it does not delay the start: all of them here.
import assert from 'node:assert/strict'
import { subscribe } from 'node:diagnostics_channel'
import { test } from 'node:test'
import type { FastifyInstance, FastifySchema } from 'fastify'
import { startAdmin } from '../support/admin-client.ts'

interface Route {
  name: string
  schema: FastifySchema
  compilers: Pick<FastifyInstance, 'validatorCompiler' | 'serializerCompiler'>
}

const routes: Route[] = []
subscribe('fastify.initialization', message => {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onRoute', function ({ method, url, schema }) {
    if (schema !== undefined) routes.push({ name: `${method} ${url}`, schema, compilers: this })
  })
})
await startAdmin()

test('every schema of a request compiles to a validator', () => {
  let compiled = 0
  for (const { name, schema, compilers } of routes) {
    for (const httpPart of ['body', 'querystring', 'headers'] as const) {
      const part = schema[httpPart]
      if (part === undefined) continue
      const validate = compilers.validatorCompiler?.({ schema: part, method: '', url: '', httpPart })
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
          // The schema compiled, and does not want an empty object.
          assert.match(String(error), /is required!|does not match schema definition/, `${status} of ${name}`)
        }
        compiled += 1
      }
    }
  }
  assert.ok(compiled > 100, `${compiled} schemas`)
})

interface ResponseSchema {
  content?: Record<string, { schema: object }>
}
