import pg from 'pg'

/** PostgreSQL cannot be reached, is shutting down, or did not respond in time: not a bug, worth a retry. */
export class DatabaseUnavailable extends Error {}

/** PostgreSQL has reported that a commit may not have been replicated: its outcome is unknown. */
export class CommitInDoubt extends DatabaseUnavailable {}

/** Thrown inside a transaction: roll back and run the work again, because a random value was already taken. */
export class RetryTransaction extends Error {}

/** Whether the row exists already that this unique key allows once. Citus appends the number of the shard, and names it in the message only. */
export function isDuplicate(error: unknown, constraint: string): boolean {
  if (!(error instanceof pg.DatabaseError) || error.code !== '23505') return false
  const name = error.constraint ?? /"([^"]+)"[^"\w]*$/.exec(error.message)?.[1]
  return name?.replace(/_\d+$/, '') === constraint
}

/** Whether PostgreSQL refused the values of a statement (22) or what they would become (23). */
export function isDataError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '')
}

export function isRetryable(error: unknown): boolean {
  const code = (error as { code?: unknown }).code
  return error instanceof RetryTransaction || code === '40001' || code === '40P01'
}

/**
 * Server states in which the same request may succeed a moment later: connection and resource trouble (08, 53, 58),
 * shutting down or cancelled by a timeout (57), not the primary any more (25006), a lock that is not available (55P03).
 */
const unavailableCodes = /^(08...|53...|57...|58...|25006|55P03)$/

export function isConnectionError(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true
  if (error instanceof pg.DatabaseError) return unavailableCodes.test(error.code ?? '')
  const { code, message } = error as NodeJS.ErrnoException
  return (
    /^(E[A-Z]+)$/.test(code ?? '') ||
    /^(Connection terminated|Query read timeout|timeout e|Client (has encountered|was closed))/.test(message ?? '')
  )
}

export const isStandbyError = (error: unknown) =>
  error instanceof DatabaseUnavailable && (error.cause as { code?: unknown } | undefined)?.code === '25006'

export function toUnavailable(error: unknown): DatabaseUnavailable {
  if (error instanceof DatabaseUnavailable) return error
  return new DatabaseUnavailable(`The database is unavailable: ${(error as Error).message}`, { cause: error })
}

/** True for a statement that PostgreSQL refused because another one of its transaction had failed before. */
export const isOfFailedTransaction = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === '25P02'
