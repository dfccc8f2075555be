import type { FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { joinByOr } from '../../messages/combine-texts.ts'
import { buildText } from '../../messages/messages.ts'
import { Problem } from '../../problem.ts'
import { parseForm } from '../form.ts'
import { parseJsonBody } from '../json-body.ts'

type BodyParser = (bytes: Buffer, contentType: string) => unknown

const json = 'application/json'
const mergePatch = 'application/merge-patch+json'
/** For routes whose body is a JSON merge patch (RFC 7396). */
export const jsonOrMergePatch = [json, mergePatch]
const form = 'multipart/form-data'

/** Types that are not kept as they arrive. */
const parsers: Record<string, BodyParser> = { [json]: parseJsonBody, [mergePatch]: parseJsonBody, [form]: parseForm }

/**
 * Parses the body of a request by its type. Other types than those of the route are refused before the body is read. The
 * parsers are not Fastify's, which belong to a context: all services share one.
 */
export const bodyParsers = fastifyPlugin(async app => {
  app.removeAllContentTypeParsers()
  app.addHook('preParsing', (request, _reply, payload, next) => {
    if (expectsBody(request) && findParser(request) === undefined) next(newUnsupportedTypeProblem(request))
    else next(null, payload)
  })
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) =>
    bytes.length === 0 ? undefined : await findParser(request)?.(bytes, request.headers['content-type'] ?? '')
  )
})

/** Whether Fastify parses a body: also an empty one, if it has a type. */
function expectsBody({ method, headers }: FastifyRequest): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  const isEmpty = headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0'
  return headers['content-type'] !== undefined || !isEmpty
}

/** Undefined if the route does not accept the type. */
function findParser(request: FastifyRequest): BodyParser | undefined {
  const { mediaType } = request
  const accepted = request.service.adapter?.contentTypeParsers
  if (mediaType === undefined) return request.headers['content-type'] === undefined ? accepted?.['*'] : undefined
  if (accepted !== undefined) return accepted[mediaType] ?? accepted['*']
  return listTypes(request).includes(mediaType) ? (parsers[mediaType] ?? keepBytes) : undefined
}

const keepBytes: BodyParser = bytes => bytes

function listTypes({ service, routeConfig }: FastifyRequest): readonly string[] {
  if (service.adapter === undefined) return routeConfig.consumes ?? [json]
  return Object.keys(service.adapter.contentTypeParsers).filter(type => type !== '*')
}

const newUnsupportedTypeProblem = (request: FastifyRequest) =>
  new Problem(
    415,
    'unsupported-media-type',
    buildText('request-problems', 'contentType', language => ({ types: joinByOr(listTypes(request), language) }))
  )
