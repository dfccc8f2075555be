import { readCamt } from './camt.ts'
import type { Entry } from './entry.ts'
import { readTable } from './table.ts'

export type { Entry, EntryProblem } from './entry.ts'

export interface ReadingOptions {
  type: 'xml' | 'csv'
  /** For a table: the name of a column → a field of `tableFields`, or '' for one to be left out. Other columns are known by their names. */
  mapping?: Record<string, string>
  /** Where a bank gives the moment of a booking in UTC, this says which day that is. UTC unless said otherwise. */
  timezone?: string
  /** For a table without a column for it. EUR unless said otherwise. */
  currency?: string
}

/** A file that turned out to be a statement. Its entries are read while they are asked for, once. */
export interface StatementReading extends AsyncIterable<Entry> {
  meta: StatementMeta
}

export interface StatementMeta {
  /** Such as `camt.053.001.08`, or `csv`. */
  format: string
  /** The columns of a table, and what each of them was taken for. */
  columns?: string[]
  mapping?: Record<string, string>
}

/**
 * Reads a bank statement, entry by entry: memory does not grow with their number. Whatever is wrong with the file as a whole is thrown
 * as a StatementFileProblem, at once or after any number of entries: who has written some of them takes them back.
 */
export function readStatement(bytes: Buffer, options: ReadingOptions): StatementReading {
  return options.type === 'xml' ? readCamt(bytes, options) : readTable(bytes, options)
}

/** What a file is, by what it begins with: names and types that browsers give to files are not to be trusted. */
export function typeOf(bytes: Buffer): 'xml' | 'csv' {
  const start = bytes.subarray(0, 200).toString('latin1').replaceAll('\0', '')
  return /^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)?\s*</.test(start) ? 'xml' : 'csv'
}
