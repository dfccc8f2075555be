import type { FastifyRequest } from 'fastify'
import { limitGuesses } from '#platform/auth/brute-force-protection/guesses.ts'
import type { RouteContext } from '#platform/http/service.ts'
import type { ParamDefs } from '../param-definition.ts'

/** Readers may give a password here instead of in the address, which is kept in histories and logs. */
export const passwordHeader = 'event-password'

/** What was said, with the password of the header; percent-encoded, as headers have only ASCII. */
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

/** Every route that takes a password goes through here: guesses are counted by network, whatever they are tried on. */
export async function limitPasswordGuesses(
  { db, settings, request }: Pick<RouteContext, 'db' | 'settings'> & { request: FastifyRequest },
  { password }: { password?: unknown }
): Promise<void> {
  if (typeof password === 'string' && password !== '') {
    await limitGuesses({ db, settings }, request, 'guesses-at-calendar', password)
  }
}
