import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RouteContext } from '#platform/http/service.ts'
import { loadReader, type SiteReader } from '../../server/site-reader.ts'
import { findRedirect } from '../events/find-redirect.ts'
import { findView, type OldAddressTarget, sendTarget, toItemTarget } from './old-addresses.ts'

/** Answers for paths that no route has, if a site that was imported had a page there. */
export interface ImportedPaths {
  start(scope: RouteContext): void
  /** False if there was none. */
  respond(request: FastifyRequest, reply: FastifyReply): Promise<boolean>
}

/** Longer paths are no addresses of pages. */
const pathLengthMax = 500

export function newImportedPaths(): ImportedPaths {
  let scope: RouteContext | undefined
  return {
    start: given => {
      scope = given
    },
    respond: async (request, reply) => {
      const [path = ''] = request.url.split('?', 1)
      if (scope === undefined || path.length > pathLengthMax || !/^\/[^/]+\//.test(`${path}/`)) return false
      const reader = await loadReader(scope, request)
      const target = await findTarget(reader, path)
      return target !== undefined && (await sendTarget(request, reply, reader, target))
    }
  }
}

async function findTarget(reader: SiteReader, path: string): Promise<OldAddressTarget | undefined> {
  const found = await findRedirect(reader.api, { path, language: reader.site.defaultLanguage })
  return found?.kind === 'view' ? await findView(reader, found.slug) : toItemTarget(reader, found)
}
