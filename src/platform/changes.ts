import type { Database } from './database.ts'

/** Something that was recorded, as far as what is known of earlier may rest on it. */
export interface Change {
  action: string
  subject: string
  subjectId: string
  details: object
}

const gathered = new WeakMap<Database, Change[]>()

/** Gathers what is recorded in a transaction, for when it has committed. */
export function gatherChanges(tx: Database): Change[] {
  const changes: Change[] = []
  gathered.set(tx, changes)
  return changes
}

export function noteChange(tx: Database, change: Change): void {
  gathered.get(tx)?.push(change)
}
