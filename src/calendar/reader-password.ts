import type { FastifyRequest } from 'fastify'
import type { Scope } from '#platform/service.ts'
import { limitGuesses } from '#platform/sign-in/guesses.ts'
import type { Declared } from './parameters.ts'

/** Readers may give a password here instead of in the address, which is kept in histories and logs. */
export const passwordHeader = 'event-password'

/** What was said, with the password of the header; percent-encoded, as headers have only ASCII. */
export function withPasswordHeader(
  { headers }: FastifyRequest,
  takes: Declared,
  given: Record<string, unknown>
): Record<string, unknown> {
  const header = headers[passwordHeader]
  if (typeof header !== 'string' || takes.password === undefined) return given
  return { ...given, password: decode(header) }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Every route that takes a password goes through here: guesses are counted by network, whatever they are tried on. */
export async function limitPasswords(
  { db, settings, request }: Pick<Scope, 'db' | 'settings'> & { request: FastifyRequest },
  { password }: { password?: unknown }
): Promise<void> {
  if (typeof password === 'string' && password !== '') {
    await limitGuesses({ db, settings }, request, 'guesses-at-calendar', password)
  }
}
