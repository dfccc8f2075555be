import { once } from '../idempotency.ts'
import type { Scope, Service } from '../service.ts'
import { noteDevice } from '../sessions/own-sessions.ts'
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
    config: { needs: ['admin'], creates: true },
    schema: {
      summary: 'Make the first admin, and say what the site is',
      description:
        'Send the setup token that the server printed when it started as the key: `Authorization: Bearer kst_…`. It ends with this request.',
      body: Setup,
      response: { 201: NewSession }
    },
    handler: async (request, reply) => {
      const { caller, body: input } = request
      const passwordHash = await prepareSetup(db, input)
      reply.header('cache-control', 'no-store')
      let effect = () => {}
      const create = async (tx: Scope['db']) => {
        const { session, row } = await setUp(tx, caller, settings, input, passwordHash)
        await noteDevice(tx, session.token, request.headers['user-agent'])
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
