import { ApiError, type Query } from '../../server/api-client.ts'
import type { PageContext } from '../../server/context.ts'

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
    if (error instanceof ApiError && [400, 401, 403].includes(error.status) && !isPasswordRequired(error)) {
      throw new ApiError(404, 'not-found', error.message)
    }
    throw error
  }
}

export function isPasswordRequired(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403 && error.code.endsWith('password-protected')
}
