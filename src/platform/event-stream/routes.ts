import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Caller } from '../caller.ts'
import { getRateLimitKey, isLocalRequest } from '../http/client-address.ts'
import { buildUrl } from '../http/links.ts'
import type { ActivityType, RouteContext } from '../http/service.ts'
import { buildText } from '../messages/messages.ts'
import { Problem } from '../problem.ts'
import type { Hub } from './hub.ts'
import type { StreamFilter } from './listener.ts'
import { StreamQuery } from './schema.ts'

export function registerStreamRoutes(
  { app, settings }: RouteContext,
  {
    hub,
    subjects,
    identify
  }: {
    hub: Hub
    subjects: Record<string, ActivityType>
    identify: (request: FastifyRequest) => Caller | Promise<Caller>
  }
): void {
  app.get('/stream', {
    config: { requires: 'public', streaming: true },
    schema: {
      summary: 'Stream events (server-sent events)',
      description:
        'Each event has the action as its name and `{type, timestamp, data}` as its data. Anonymous callers receive public events, ' +
        'authenticated callers also those that their role may read. Send the last id as `Last-Event-ID` to resume without a gap; the event `reset` means that this is not possible.',
      produces: 'text/event-stream',
      querystring: StreamQuery,
      response: { 200: Type.Unsafe<Readable>({ type: 'string' }) }
    },
    handler: async (request, reply) => {
      const { lastEventId } = request.query
      const interest = parseFilter(request.query, subjects)
      reply
        .type('text/event-stream; charset=utf-8')
        .header('cache-control', 'no-store, no-transform')
        // Keeps proxies from buffering the events.
        .header('x-accel-buffering', 'no')
      if (request.method === 'HEAD') return reply.send(Readable.from([]))
      const stream = hub.subscribe({
        caller: request.caller,
        filter: interest,
        origin: buildUrl(request, settings, ''),
        cursor: request.headers['last-event-id']?.toString() ?? lastEventId,
        address: isLocalRequest(request.raw, settings) ? undefined : getRateLimitKey(request),
        authenticate: async () => await identify(request)
      })
      return reply.send(stream)
    }
  })
}

/** An unknown name is a mistake: refuse it rather than let the client wait for events that never come. */
function parseFilter(
  { actions, subject, subjectId }: StreamQuery,
  subjects: Record<string, ActivityType>
): StreamFilter {
  if (subject !== undefined && !Object.hasOwn(subjects, subject))
    throw newUnknownNameProblem('subject', subject, Object.keys(subjects))
  const names = actions?.split(',').map(name => name.trim())
  const known = new Set(Object.entries(subjects).flatMap(([kind, one]) => [`${kind}.*`, ...Object.keys(one.actions)]))
  const strange = names?.find(name => name !== '*' && !known.has(name))
  if (strange !== undefined) throw newUnknownNameProblem('actions', strange, [...known])
  return { actions: names?.includes('*') === true ? undefined : names, subject, subjectId }
}

function newUnknownNameProblem(field: string, given: string, known: string[]): Problem {
  const shown = given.slice(0, 100)
  const message = buildText('request-problems', 'unknownName', {
    value: JSON.stringify(shown),
    field,
    known: known.join(', ')
  })
  return new Problem(400, 'invalid-input', message, {
    errors: [{ in: 'query', pointer: `/${field}`, code: 'not-allowed', message }]
  })
}
