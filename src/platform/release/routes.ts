import type { RouteContext } from '../http/service.ts'
import { version } from '../version.ts'
import { isNewer } from './newest-release.ts'
import * as releases from './queries.ts'
import { Release } from './schema.ts'

export function registerReleaseRoutes({ app, db, settings }: RouteContext): void {
  app.get('/release', {
    config: { requires: ['admin'] },
    schema: {
      summary: 'Get the version of the program, and whether there is a newer one',
      description:
        'Answers from the last daily check, which only runs if UPDATE_REGISTRY names an npm registry. The request itself asks no other server.',
      response: { 200: Release }
    },
    handler: async (_, reply) => {
      reply.header('cache-control', 'no-store')
      const registry = settings.updateRegistry ?? null
      const found = registry === null ? undefined : await releases.findNewest(db)
      return {
        version,
        registry,
        newest: found?.version ?? null,
        checkedAt: found?.checkedAt ?? null,
        isUpdateAvailable: found !== undefined && isNewer(found.version, version)
      }
    }
  })
}
