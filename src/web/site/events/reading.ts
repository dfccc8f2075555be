import { type Query, Refused } from '../../api.ts'
import type { Visit } from '../../visit.ts'

/**
 * Something that has a page, by its slug. What visitors may not see is not there for them, and a slug that cannot be
 * one names nothing; only what asks for a password is said to.
 */
export async function readBySlug<Body>(
  { api, language, params }: Pick<Visit, 'api' | 'language' | 'params'>,
  collection: string,
  query: Query = {}
): Promise<Body> {
  const path = `${collection}/by-slug/${encodeURIComponent(params.slug ?? '')}`
  try {
    return (await api.get<Body>(path, { language, ...query })).body
  } catch (error) {
    if (error instanceof Refused && [400, 401, 403].includes(error.status) && !isProtection(error)) {
      throw new Refused(404, 'not-found', error.message, {})
    }
    throw error
  }
}

export function isProtection(error: unknown): boolean {
  return error instanceof Refused && error.status === 403 && error.code.endsWith('password-protected')
}
