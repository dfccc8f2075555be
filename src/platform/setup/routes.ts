import { recordDevice } from '../auth/sessions/own-sessions.ts'
import { NewSession } from '../auth/sessions/schema.ts'
import * as users from '../auth/users/queries.ts'
import { withIdempotency } from '../http/idempotency.ts'
import type { RouteContext, Service } from '../http/service.ts'
import { seedServices } from '../samples/seed.ts'
import { applySiteSettings } from '../site/site.ts'
import { SampleContent, Setup, SetupState } from './schema.ts'
import { prepareSetup, setUp } from './setup.ts'

export function registerSetupRoutes(scope: RouteContext, services: Service[]): void {
  const { app, db, settings } = scope

  app.get('/setup', {
    config: { requires: 'public' },
    schema: {
      summary: 'Get setup status',
      description: 'True until the first admin exists. Until then, pages redirect visitors to the setup.',
      response: { 200: SetupState }
    },
    handler: async () => ({ needed: !(await users.hasUsers(db)) })
  })

  app.post('/setup', {
    config: { requires: ['admin'], creates: true },
    schema: {
      summary: 'Complete setup: create the first admin and the site settings',
      description: 'Send the setup token from the server log as the key: `Authorization: Bearer kst_…`. It works once.',
      problems: {
        400: ['empty'],
        409: ['already-set-up', 'email-taken', 'second-person-needed', 'set-by-environment', 'too-few-people'],
        422: ['not-offered', 'password-guessable'],
        503: ['too-busy']
      },
      body: Setup,
      response: { 201: NewSession }
    },
    handler: async (request, reply) => {
      const { caller, body: input } = request
      const passwordHash = await prepareSetup(db, input)
      reply.header('cache-control', 'no-store')
      let effect = () => {}
      const create = async (tx: RouteContext['db']) => {
        const { session, row } = await setUp(tx, caller, input, { settings, passwordHash })
        await recordDevice(tx, session.token, request.headers['user-agent'])
        effect = () => applySiteSettings(settings, row)
        return { location: '/sessions/current', body: session }
      }
      // Salt the stored hash of the body with the Idempotency-Key, so that passwords cannot be brute-forced from it.
      const body = await withIdempotency(
        { ...scope, extraHashInput: String(request.headers['idempotency-key'] ?? '') },
        request,
        reply,
        create
      )
      effect()
      return body
    }
  })

  app.post('/sample-content', {
    config: { requires: ['admin'] },
    schema: {
      summary: 'Create sample content (once)',
      description:
        'Sample campaigns, donations and events to try the site with; `DELETE /samples` removes them. Returns the number of items created.',
      response: { 200: SampleContent }
    },
    handler: async () => ({ made: await seedAll(scope, services) })
  })
}

async function seedAll({ db, settings }: RouteContext, services: Service[]): Promise<number> {
  const made = await seedServices(db, settings, services)
  return made.reduce((sum, { count }) => sum + count, 0)
}
