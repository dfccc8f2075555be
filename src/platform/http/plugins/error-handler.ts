import type { FastifyReply, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { Settings } from '../../config.ts'
import { negotiateLanguage } from '../../language.ts'
import { type Log, parseTrace } from '../../log.ts'
import { toProblem } from '../errors.ts'
import { getOverloadedProblem } from './load-shedding.ts'
import { hasResponseHeaders, type SetResponseHeaders } from './response-headers.ts'

export type SendError = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply

/** Turns every error into a response in the format of the service and the language of the caller. */
export const errorHandler = fastifyPlugin(async (app, { sendError }: { sendError: SendError }) => {
  app.setErrorHandler(sendError)
})

export function newErrorSender(settings: Settings, log: Log, setResponseHeaders: SetResponseHeaders): SendError {
  return (error, request, reply) => {
    if (!hasResponseHeaders(reply)) setResponseHeaders(request, reply)
    const problem = toProblem(error)
    // Refusals under overload are logged once a second by the load shedder: a line for each would add to the load.
    if (problem.status >= 500 && problem !== getOverloadedProblem()) {
      const level = problem.status === 503 ? 'warn' : 'error'
      const { id: requestId, routeOptions } = request
      log[level]({ err: error, requestId, route: routeOptions?.url, ...parseTrace(request.headers) }, 'request failed')
    }
    const { errorFormat, adapter } = request.service
    const language = negotiateLanguage(request.headers['accept-language'], settings.defaultLanguage)
    const body = errorFormat.format(problem, language, request.id)
    reply
      .code(problem.status)
      .headers({ ...problem.headers, 'content-language': language, 'cache-control': 'no-store' })
      .header('content-type', errorFormat.contentType)
    const formatted = adapter?.formatError(request, reply, body) ?? body
    return reply.serializer(String).send(typeof formatted === 'string' ? formatted : JSON.stringify(formatted))
  }
}
