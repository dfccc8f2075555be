import type { Database } from './database.ts'

/** A recorded change, with the fields that cache invalidation needs. */
export interface Change {
  action: string
  subject: string
  subjectId: string
  details: object
}

const changesByTransaction = new WeakMap<Database, Change[]>()

/** Collects the changes recorded in a transaction, to announce them after the commit. */
export function collectChanges(tx: Database): Change[] {
  const changes: Change[] = []
  changesByTransaction.set(tx, changes)
  return changes
}

export function addChange(tx: Database, change: Change): void {
  changesByTransaction.get(tx)?.push(change)
}
