import type { RouteContext } from '#platform/http/service.ts'
import { newChallenge } from './proof-of-work.ts'
import * as abuseProtection from './queries.ts'
import { ProofOfWork } from './schema.ts'

export function registerChallengeRoutes({ app, db, settings }: RouteContext): void {
  app.get('/challenge', {
    config: { requires: 'public' },
    schema: {
      summary: 'Get a proof-of-work challenge, if enabled',
      description:
        'The solution goes into proofOfWork of the donation: {"challenge", "solution": {"counter", "derivedKey"}} as base64-encoded JSON (altcha format).',
      response: { 200: ProofOfWork }
    },
    handler: async (_, reply) => {
      reply.header('cache-control', 'no-store')
      const required = await abuseProtection.isProofRequired(db)
      return { required, challenge: required ? await newChallenge(settings, new Date()) : null }
    }
  })
}
