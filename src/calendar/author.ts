import { may } from '#platform/access.ts'
import type { Database } from '#platform/database.ts'
import { isAuthor } from '#platform/keys/key.ts'
import { invalidParameter, notAllowed } from './problems.ts'
import type { Work } from './tec.ts'

/** Whose something is after a write: only editors give things to others. */
export async function authorAfter(
  tx: Database,
  visit: Work,
  asked: number | undefined,
  current: number
): Promise<number> {
  if (asked === undefined || asked === current) return current
  if (!may(visit.caller, 'editor')) throw notAllowed()
  if (await isAuthor(tx, asked)) return asked
  throw invalidParameter('author', 'unknown', {
    en: 'must be the number of somebody who has a key or an account',
    de: 'muss die Nummer von jemandem mit Schlüssel oder Konto sein'
  })
}
