import type { FastifyRequest } from 'fastify'
import { limitGuesses } from '#platform/auth/brute-force-protection/guesses.ts'
import type { RouteContext } from '#platform/http/service.ts'
import type { ParamDefs } from '../param-definition.ts'

/** Readers can send a password in this header instead of the URL, which ends up in histories and logs. */
export const passwordHeader = 'event-password'

/** Adds the password of the header to the parameters; it is percent-encoded, because headers are ASCII. */
export function mergePasswordHeader(
  { headers }: FastifyRequest,
  takes: ParamDefs,
  given: Record<string, unknown>
): Record<string, unknown> {
  const header = headers[passwordHeader]
  if (typeof header !== 'string' || takes.password === undefined) return given
  return { ...given, password: decodeHeader(header) }
}

function decodeHeader(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Every route that takes a password calls this: the rate limit counts guesses per network, across all items. */
export async function limitPasswordGuesses(
  { db, settings }: Pick<RouteContext, 'db' | 'settings'>,
  request: FastifyRequest,
  password: unknown
): Promise<void> {
  if (typeof password === 'string' && password !== '') {
    await limitGuesses({ db, settings }, request, 'guesses-at-calendar', password)
  }
}
