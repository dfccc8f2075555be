import { ApiError, type Query } from '../../server/api-client.ts'
import type { PageContext } from '../../server/context.ts'

/**
 * Something that has a page, by its slug. What visitors may not see is not there for them, and a slug that cannot be
 * one names nothing; only what asks for a password is said to.
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
      throw new ApiError(404, 'not-found', error.message, {})
    }
    throw error
  }
}

export function isPasswordRequired(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403 && error.code.endsWith('password-protected')
}
