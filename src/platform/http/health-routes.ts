import { Type } from 'typebox'
import { requireRole } from '../caller.ts'
import type { Text } from '../language.ts'
import { buildText } from '../messages/messages.ts'
import type { Metrics } from '../metrics.ts'
import { Problem } from '../problem.ts'
import { isLocalRequest } from './client-address.ts'
import { NamedObject } from './named-object.ts'
import type { RouteContext } from './service.ts'

const Alive = NamedObject('Alive', { alive: Type.Boolean() })
const Status = NamedObject('ProcessStatus', { status: Type.String() })

/** Endpoints for monitoring: liveness, readiness and metrics. */
export function registerHealthRoutes(
  { app, settings }: RouteContext,
  { status, isDraining, metrics }: { status: () => Promise<string>; isDraining: () => boolean; metrics: Metrics }
): void {
  app.get('/health', {
    config: { requires: 'public', neverShed: true },
    schema: {
      summary: 'Health check (service)',
      description: 'For load balancers and clients of the specification. Never rejected under load.',
      response: { 200: Alive }
    },
    // The blank is part of the contract: a test of an older client compares the text.
    handler: async (_request, reply) =>
      reply
        .type('application/json; charset=utf-8')
        .serializer(() => '{"alive": true}')
        .send({ alive: true })
  })

  app.get('/livez', {
    config: { requires: 'public', neverShed: true },
    schema: {
      summary: 'Liveness probe (does not check the database)',
      description: 'For liveness probes: it does not check the database. Never rejected under load.',
      response: { 200: Status }
    },
    handler: async () => ({ status: 'ok' })
  })

  app.get('/readyz', {
    config: { requires: 'public', neverShed: true },
    schema: {
      summary: 'Readiness probe',
      description:
        'For readiness probes: responds 503 while the database is unavailable and while the process stops. Never rejected under load.',
      problems: { 503: ['not-ready'] },
      response: { 200: Status }
    },
    handler: async () => {
      if (isDraining()) throw newNotReadyProblem(buildText('request-problems', 'stopping'))
      try {
        return { status: await status() }
      } catch {
        throw newNotReadyProblem(buildText('request-problems', 'databaseSilent'))
      }
    }
  })

  app.get('/metrics', {
    config: { requires: 'public', neverShed: true },
    schema: {
      summary: 'Prometheus metrics (admins only; callers on this machine if PUBLIC_URL is not set)',
      description: 'In the text format of Prometheus.',
      problems: { 401: ['credentials-missing'], 403: ['forbidden'] },
      produces: 'text/plain',
      response: { 200: Type.String() }
    },
    handler: async (request, reply) => {
      if (!isLocalRequest(request.raw, settings)) requireRole(request.caller, ['admin'])
      return reply.type(metrics.contentType).send(await metrics.render())
    }
  })
}

const newNotReadyProblem = (text: Text) => new Problem(503, 'not-ready', text, { headers: { 'retry-after': '2' } })
