import fastJson from 'fast-json-stringify'
import type { FastifyRequest } from 'fastify'
import { joinByOr } from '../messages/combine-texts.ts'
import { buildText } from '../messages/messages.ts'
import { Problem } from '../problem.ts'
import { parseForm } from './form.ts'
import { parseJsonBody } from './json-body.ts'
import { buildResponseFilter } from './response-filter.ts'
import type { App, Service } from './service.ts'
import { newValidatorCompiler } from './validation.ts'

/** Parses the bodies of a service with its adapter; without one, as JSON that the schema validates. */
export function registerBodyParsers(app: App, { rules, adapter }: Service): void {
  app.removeAllContentTypeParsers()
  if (adapter === undefined) {
    app.setValidatorCompiler(newValidatorCompiler(rules))
    // Like Fastify's own serializer, but compiled with the first response, so that it does not delay the start.
    app.setSerializerCompiler(({ schema }) => {
      let write: ((value: unknown) => string) | undefined
      return value => {
        write ??= fastJson(schema as object)
        return write(value)
      }
    })
    for (const type of [json, mergePatch]) {
      app.addContentTypeParser(type, { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) => {
        requireAcceptedType(request, type)
        return bytes.length === 0 ? undefined : parseJsonBody(bytes)
      })
    }
    for (const type of fileTypes) {
      app.addContentTypeParser(type, { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) => {
        requireAcceptedType(request, type)
        if (bytes.length === 0) return undefined
        return type === form ? await parseForm(bytes, request.headers['content-type'] ?? '') : bytes
      })
    }
    return
  }
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(({ schema }) => {
    const filter = buildResponseFilter(schema as object)
    return value => JSON.stringify(filter(value))
  })
  for (const [type, parse] of Object.entries(adapter.contentTypeParsers)) {
    app.addContentTypeParser(type, { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) =>
      bytes.length === 0 ? undefined : await parse(bytes, request.headers['content-type'] ?? '')
    )
  }
}

const json = 'application/json'
const mergePatch = 'application/merge-patch+json'
/** For routes whose body is a JSON merge patch (RFC 7396). */
export const jsonOrMergePatch = [json, mergePatch]
const form = 'multipart/form-data'
/** Types that a route may accept instead of JSON: raw files, or a file in a form. */
const fileTypes = ['application/xml', 'text/xml', 'text/csv', 'text/plain', 'application/zip', form]

function requireAcceptedType(request: FastifyRequest, type: string): void {
  const { consumes = [json] } = request.routeConfig
  if (consumes.includes(type)) return
  throw new Problem(
    415,
    'unsupported-media-type',
    buildText('request-problems', 'contentType', language => ({ types: joinByOr(consumes, language) }))
  )
}
