import { once } from '../idempotency.ts'
import type { Scope, Service } from '../service.ts'
import { NewSession } from '../sessions/schema.ts'
import { takeEffect } from '../site/site.ts'
import * as users from '../users/queries.ts'
import { SampleContent, Setup, SetupState } from './schema.ts'
import { prepareSetup, setUp } from './setup.ts'

export function setupRoutes(scope: Scope, services: Service[]): void {
  const { app, db, settings } = scope

  app.get('/setup', {
    config: { needs: 'nothing' },
    schema: { summary: 'Whether the site waits for its first admin', response: { 200: SetupState } },
    handler: async () => ({ needed: !(await users.exist(db)) })
  })

  app.post('/setup', {
    config: { needs: 'nothing', creates: true },
    schema: {
      summary: 'Make the first admin, and say what the site is',
      description: 'For admins, and for who has the token that the server printed at its start.',
      body: Setup,
      response: { 201: NewSession }
    },
    handler: async (request, reply) => {
      const { caller, body: input } = request
      const passwordHash = await prepareSetup(db, caller, input)
      reply.header('cache-control', 'no-store')
      let effect = () => {}
      const create = async (tx: Scope['db']) => {
        const { session, row } = await setUp(tx, caller, settings, input, passwordHash)
        effect = () => takeEffect(settings, row)
        return { location: '/sessions/current', body: session }
      }
      // What is kept of the body is a hash that nobody can try out passwords on without the key.
      const body = await once(scope, request, reply, create, String(request.headers['idempotency-key'] ?? ''))
      effect()
      return body
    }
  })

  app.post('/sample-content', {
    config: { needs: ['admin'] },
    schema: {
      summary: 'Fill in sample content; does nothing the second time',
      response: { 200: SampleContent }
    },
    handler: async () => ({ made: await seedAll(scope, services) })
  })
}

async function seedAll({ db, settings }: Scope, services: Service[]): Promise<number> {
  let made = 0
  for (const { seed } of services) made += (await seed?.(db, settings)) ?? 0
  return made
}
