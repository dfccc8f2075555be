import type { Database } from '#platform/database/database.ts'
import { newStatementNotFoundProblem } from '../../problems/statements.ts'
import type { StatementRow } from './queries.ts'
import * as statements from './queries.ts'

/** Throws the problem that callers get if there is no such statement. */
export async function requireStatement(db: Database, id: number): Promise<StatementRow> {
  const row = await statements.find(db, id)
  if (row === undefined) throw newStatementNotFoundProblem(id)
  return row
}
