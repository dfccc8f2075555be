import pg from 'pg'
import type { Database } from '#platform/database/database.ts'
import { RetryTransaction } from '#platform/database/postgres.ts'
import type { Text } from '#platform/language.ts'
import { Problem } from '#platform/problem.ts'
import { reasons } from './reasons.ts'

/**
 * How the things of a batch are written. Together their statements travel in a few pieces, which is many times faster, but
 * a refusal concerns them all; one by one each stands behind a savepoint and is refused alone.
 */
export type WriteMode = 'together' | 'one by one'

/** Most batches have nothing to refuse; those that have are written a second time. */
export async function runWithFallback<Result>(work: (pace: WriteMode) => Promise<Result>): Promise<Result> {
  try {
    return await work('together')
  } catch (error) {
    if (!(error instanceof ConcurrentWriteFailed)) throw error
    return await work('one by one')
  }
}

/** Something was refused, or two wanted the same slug. */
class ConcurrentWriteFailed extends Error {}

/** All at the same time, in one transaction. */
export async function runConcurrently<Item, Result>(
  items: Item[],
  work: (item: Item) => Promise<Result>
): Promise<Result[]> {
  const settled = await Promise.allSettled(items.map(work))
  const failures = settled.flatMap(one => (one.status === 'rejected' ? [one.reason] : []))
  const ours = failures.find(failure => !isDataError(failure) && !isAbortedTransaction(failure))
  if (ours !== undefined) throw ours
  if (failures.length > 0)
    throw new ConcurrentWriteFailed('Not all of it could be written at once.', { cause: failures[0] })
  return settled.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []))
}

/** Runs the work so that a refusal takes back what it wrote, and nothing else. Answers the words of the refusal. */
export async function runInSavepoint<Result extends object>(
  tx: Database,
  work: () => Promise<Result>
): Promise<Result | Text> {
  // It travels with the first statement. The next one of the same name stands for it, so none is released.
  const saved = tx.script('savepoint thing')
  saved.catch(ignoreUntilAwaited)
  try {
    const result = await work()
    await saved
    return result
  } catch (error) {
    if (error instanceof RetryTransaction || !isDataError(error)) throw error
    await tx.script('rollback to savepoint thing')
    return error instanceof Problem ? error.text : reasons.refused
  }
}

/** The error of the savepoint is thrown where it is awaited; until then it must not count as unhandled. */
function ignoreUntilAwaited(): void {}

function isDataError(error: unknown): boolean {
  return error instanceof Problem || error instanceof RetryTransaction || hasCode(error, /^2[23]/)
}

/** After a refusal by the database everything else in the transaction is refused too. */
const isAbortedTransaction = (error: unknown) => hasCode(error, /^25P02$/)

function hasCode(error: unknown, codes: RegExp): boolean {
  return error instanceof pg.DatabaseError && codes.test(error.code ?? '')
}
