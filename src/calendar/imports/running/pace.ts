import pg from 'pg'
import type { Database } from '#platform/database.ts'
import { TryAgain } from '#platform/database-server.ts'
import type { Text } from '#platform/language.ts'
import { Problem } from '#platform/problem.ts'
import { reasons } from './reasons.ts'

/**
 * How the things of a batch are written. Together their statements travel in a few pieces, which is many times faster, but
 * a refusal concerns them all; one by one each stands behind a savepoint and is refused alone.
 */
export type Pace = 'together' | 'one by one'

/** Most batches have nothing to refuse; those that have are written a second time. */
export async function inPace<Result>(work: (pace: Pace) => Promise<Result>): Promise<Result> {
  try {
    return await work('together')
  } catch (error) {
    if (!(error instanceof NotTogether)) throw error
    return await work('one by one')
  }
}

/** Something was refused, or two wanted the same slug. */
class NotTogether extends Error {}

/** All at the same time, in one transaction. */
export async function together<Item, Result>(items: Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const settled = await Promise.allSettled(items.map(work))
  const failures = settled.flatMap(one => (one.status === 'rejected' ? [one.reason] : []))
  const ours = failures.find(failure => !isOfTheData(failure) && !isConsequence(failure))
  if (ours !== undefined) throw ours
  if (failures.length > 0) throw new NotTogether('Not all of it could be written at once.', { cause: failures[0] })
  return settled.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []))
}

/** Runs the work so that a refusal takes back what it wrote, and nothing else. Answers the words of the refusal. */
export async function apart<Result extends object>(tx: Database, work: () => Promise<Result>): Promise<Result | Text> {
  // It travels with the first statement. The next one of the same name stands for it, so none is released.
  const saved = tx.script('savepoint thing')
  saved.catch(ignoreUntilAwaited)
  try {
    const result = await work()
    await saved
    return result
  } catch (error) {
    if (error instanceof TryAgain || !isOfTheData(error)) throw error
    await tx.script('rollback to savepoint thing')
    return error instanceof Problem ? error.text : reasons.refused
  }
}

/** The error of the savepoint is thrown where it is awaited; until then it must not count as unhandled. */
function ignoreUntilAwaited(): void {}

function isOfTheData(error: unknown): boolean {
  return error instanceof Problem || error instanceof TryAgain || hasCode(error, /^2[23]/)
}

/** After a refusal by the database everything else in the transaction is refused too. */
const isConsequence = (error: unknown) => hasCode(error, /^25P02$/)

function hasCode(error: unknown, codes: RegExp): boolean {
  return error instanceof pg.DatabaseError && codes.test(error.code ?? '')
}
