import type { RouteContext } from '#platform/http/service.ts'
import { newChallenge } from '#platform/proof-of-work/proof-of-work.ts'
import { ProofOfWork } from '#platform/proof-of-work/schema.ts'
import { donationProof } from './abuse-protection.ts'
import * as abuseProtection from './queries.ts'

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
      return { required, challenge: required ? await newChallenge(settings, donationProof, new Date()) : null }
    }
  })
}
