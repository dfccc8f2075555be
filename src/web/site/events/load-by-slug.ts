import { type ApiClient, ApiError, type Query } from '../../server/api-client.ts'
import type { PageContext } from '../../server/context.ts'
import { findRedirect } from './find-redirect.ts'

/**
 * Loads an item by its slug. Items that visitors may not see, and invalid slugs, are a 404; only password-protected
 * items keep their error.
 */
export async function loadBySlug<Body>(
  { api, language, params }: Pick<PageContext, 'api' | 'language' | 'params'>,
  collection: string,
  query: Query = {}
): Promise<Body> {
  const path = `${collection}/by-slug/${encodeURIComponent(params.slug ?? '')}`
  try {
    return (await api.get<Body>(path, { language, ...query })).body
  } catch (error) {
    const renamed = isNotFound(error) ? await findRenamed(api, collection, params.slug ?? '') : undefined
    if (renamed !== undefined) return (await api.get<Body>(`${collection}/${renamed}`, { language, ...query })).body
    if (error instanceof ApiError && [400, 401, 403].includes(error.status) && !isPasswordRequired(error)) {
      throw new ApiError(404, 'not-found', error.message)
    }
    throw error
  }
}

const isNotFound = (error: unknown) => error instanceof ApiError && error.status === 404

/** The id of the item that had the slug before; its page redirects to the present slug. */
async function findRenamed(api: ApiClient, collection: string, slug: string): Promise<number | undefined> {
  const kind = collection.split('/').at(-1)?.replace(/s$/, '')
  return (await findRedirect(api, { kind, slug }))?.id
}

export function isPasswordRequired(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403 && error.code.endsWith('password-protected')
}
