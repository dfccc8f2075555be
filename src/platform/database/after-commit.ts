import type { Database } from './database.ts'

/** Something that was recorded, as far as what is known of earlier may rest on it. */
export interface Change {
  action: string
  subject: string
  subjectId: string
  details: object
}

const changesByTransaction = new WeakMap<Database, Change[]>()

/** Gathers what is recorded in a transaction, for when it has committed. */
export function collectChanges(tx: Database): Change[] {
  const changes: Change[] = []
  changesByTransaction.set(tx, changes)
  return changes
}

export function addChange(tx: Database, change: Change): void {
  changesByTransaction.get(tx)?.push(change)
}
