import fastJson from 'fast-json-stringify'
import type { FastifyRequest } from 'fastify'
import { parseJsonBody } from './body.ts'
import type { App, Service } from './service.ts'
import { newValidatorCompiler } from './validation.ts'

/** Has a service's bodies read as it says; by default as JSON that its schema has checked. */
export function readBodies(app: App, { rules, manners }: Service): void {
  app.removeAllContentTypeParsers()
  if (manners === undefined) {
    app.setValidatorCompiler(newValidatorCompiler(rules))
    // Fastify's own way, but compiled with the first answer: no start waits for it.
    app.setSerializerCompiler(({ schema }) => {
      let write: ((value: unknown) => string) | undefined
      return value => {
        write ??= fastJson(schema as object)
        return write(value)
      }
    })
    app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_: unknown, bytes: Buffer) =>
      bytes.length === 0 ? undefined : parseJsonBody(bytes)
    )
    return
  }
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => value => JSON.stringify(value))
  for (const [type, parse] of Object.entries(manners.bodies)) {
    app.addContentTypeParser(type, { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) =>
      bytes.length === 0 ? undefined : await parse(bytes, request.headers['content-type'] ?? '')
    )
  }
}
