import { isAuthor } from '#platform/auth/keys/key.ts'
import { type Caller, hasRole } from '#platform/caller.ts'
import type { Database } from '#platform/database/database.ts'
import { buildText } from '#platform/messages/messages.ts'
import { newForbiddenProblem, newInvalidParamProblem } from '../contract/problems.ts'

/** The author after a write: only editors can assign items to others. */
export async function resolveAuthor(
  tx: Database,
  { caller }: { caller: Caller },
  requested: number | undefined,
  current: number
): Promise<number> {
  if (requested === undefined || requested === current) return current
  if (!hasRole(caller, 'editor')) throw newForbiddenProblem()
  if (await isAuthor(tx, requested)) return requested
  throw newInvalidParamProblem('author', 'unknown', buildText('calendar-problems', 'unknown'))
}
