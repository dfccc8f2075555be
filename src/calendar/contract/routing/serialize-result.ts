import type { Readable } from 'node:stream'
import { encodeLongText } from '#platform/http/encode-body.ts'
import { buildContentEtag } from '#platform/http/etag.ts'
import { wrapInEnvelope } from './envelope.ts'
import { filterFields } from './field-filter.ts'
import type { JsonResult, RequestContext, RouteResult } from './route.ts'

/** The caller gets the body with all its members and nothing around it. */
export function isSentWhole({ rawParams }: Pick<RequestContext, 'rawParams'>): boolean {
  return rawParams._fields === undefined && rawParams._envelope === undefined
}

/** Sets the headers of a result, and returns what is sent. */
export function serializeResult(context: RequestContext, answer: RouteResult | JsonResult): string | Buffer | Readable {
  const { reply } = context
  reply.headers({
    'content-type': 'application/json; charset=utf-8',
    'content-language': answer.language ?? context.language
  })
  if (context.requestedLanguage === undefined) {
    reply.header('vary', [reply.getHeader('vary'), 'Accept-Language'].filter(Boolean).join(', '))
  }

  if (answer.isNotModified === true) {
    reply.code(304)
    return ''
  }
  if (answer.stream !== undefined) {
    const { content, type, headers } = answer.stream
    reply.headers({ 'content-type': type, 'cache-control': 'no-store', ...headers })
    return content
  }
  if (answer.text !== undefined) {
    reply.headers({
      'content-type': answer.text.type,
      ...answer.text.headers,
      etag: reply.getHeader('etag') ?? buildContentEtag(answer.text.content)
    })
    return answer.text.content
  }
  const json = 'json' in answer ? answer.json : encodeLongText(serializeBody(context, answer.body))
  if (!reply.hasHeader('etag')) reply.header('etag', buildContentEtag(json, answer.version))
  return json
}

function serializeBody({ reply, rawParams, filterResponse }: RequestContext, whole: object): string {
  const declared = filterResponse(whole)
  const isPartial = typeof rawParams._fields === 'string' || Array.isArray(rawParams._fields)
  const body = isPartial ? filterFields(declared, rawParams._fields as string | unknown[]) : declared
  if (rawParams._envelope === undefined) return JSON.stringify(body)
  const text = JSON.stringify(wrapInEnvelope(reply, body))
  reply.code(200)
  return text
}
