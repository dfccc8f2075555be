import type { Database } from '#platform/database/database.ts'
import { emptySql, sql, toLiteral } from '#platform/database/sql.ts'
import type { ReceiptsToPrint } from './schema.ts'
import { unpackFile } from './stored-file.ts'

export interface ReceiptFile {
  number: string
  sequence: number
  issuedAt: string
  file: Buffer
}

/** A small batch, because each row contains its file. */
export const filesAtOnce = 20

/** Files of valid receipts, in the order of their numbers. */
export async function listFiles(
  db: Database,
  { year, runId, sent }: ReceiptsToPrint,
  after: ReceiptFile | undefined
): Promise<ReceiptFile[]> {
  const found = await db.all<ReceiptFile>(
    sql`
    select number, sequence, issued_at as "issuedAt", file
    from fundraising.receipts
    where year = ${year} and sequence > ${after?.sequence ?? 0} and state = 'issued' and file is not null
      ${runId === undefined ? emptySql : sql`and run_id = ${runId}`}
      ${sent === undefined ? emptySql : sql`and sent = ${sent === 'true'}`}
    order by sequence
    limit ${toLiteral(filesAtOnce)}`.unprepared()
  )
  return found.map(receipt => ({ ...receipt, file: unpackFile(receipt.file) }))
}
