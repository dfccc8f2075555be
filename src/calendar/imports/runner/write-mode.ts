import pg from 'pg'
import type { Database } from '#platform/database/database.ts'
import { RetryTransaction } from '#platform/database/errors.ts'
import type { Text } from '#platform/language.ts'
import { Problem } from '#platform/problem.ts'
import { reasons } from './reasons.ts'

/**
 * How the items of a batch are written. Together, their statements are pipelined, which is many times faster, but one
 * rejection fails them all; one by one, each item has a savepoint and is rejected alone.
 */
export type WriteMode = 'together' | 'one by one'

/** Most batches have no rejections; the others are written a second time, one by one. */
export async function runWithFallback<Result>(work: (pace: WriteMode) => Promise<Result>): Promise<Result> {
  try {
    return await work('together')
  } catch (error) {
    if (!(error instanceof ConcurrentWriteFailed)) throw error
    return await work('one by one')
  }
}

/** An item was rejected, or two items wanted the same slug. */
class ConcurrentWriteFailed extends Error {}

/** Writes all items concurrently in one transaction. */
export async function runConcurrently<Item, Result>(
  items: Item[],
  work: (item: Item) => Promise<Result>
): Promise<Result[]> {
  const settled = await Promise.allSettled(items.map(work))
  const failures = settled.flatMap(one => (one.status === 'rejected' ? [one.reason] : []))
  const hasAborted = failures.some(failure => isDataError(failure) || isAbortedTransaction(failure))
  const ours = failures.find(
    failure =>
      !isDataError(failure) && !isAbortedTransaction(failure) && !(hasAborted && isUnpreparedStatement(failure))
  )
  if (ours !== undefined) throw ours
  if (failures.length > 0)
    throw new ConcurrentWriteFailed('Not all of it could be written at once.', { cause: failures[0] })
  return settled.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []))
}

/** Runs the work behind a savepoint: a rejection rolls back only this work. Returns the message of the rejection. */
export async function runInSavepoint<Result extends object>(
  tx: Database,
  work: () => Promise<Result>
): Promise<Result | Text> {
  // Pipelined with the first statement. The next savepoint of the same name shadows it, so none is released.
  const saved = tx.script('savepoint thing')
  saved.catch(ignoreUntilAwaited)
  try {
    const result = await work()
    await saved
    return result
  } catch (error) {
    if (error instanceof RetryTransaction || !isDataError(error)) throw error
    await tx.script('rollback to savepoint thing')
    return error instanceof Problem ? error.text : reasons.refused()
  }
}

/** The error of the savepoint surfaces on await; until then it must not count as an unhandled rejection. */
function ignoreUntilAwaited(): void {}

function isDataError(error: unknown): boolean {
  return error instanceof Problem || error instanceof RetryTransaction || hasCode(error, /^2[23]/)
}

/** After a database error, PostgreSQL rejects all further statements of the transaction. */
const isAbortedTransaction = (error: unknown) => hasCode(error, /^25P02$/)

/**
 * A statement that is used for the first time in an aborted transaction is not prepared. Its next use, already sent
 * behind it, fails because of that.
 */
const isUnpreparedStatement = (error: unknown) => hasCode(error, /^26000$/)

function hasCode(error: unknown, codes: RegExp): boolean {
  return error instanceof pg.DatabaseError && codes.test(error.code ?? '')
}
