import { type Sql, toLiteral } from './sql.ts'

/** Few enough that a statement ends well within its timeout, and holds its locks for a moment only. */
const batchRows = 10_000

/** Repeats a deletion of at most `limit` rows, each in a transaction of its own, until fewer are left. */
export async function deleteInBatches(deleteBatch: (limit: Sql) => Promise<number>): Promise<void> {
  while ((await deleteBatch(toLiteral(batchRows))) === batchRows);
}
