import { createCamtMessage } from './camt.ts'
import { isMt940, parseMt940 } from './mt940.ts'
import { createPain002Message } from './pain002.ts'
import type { Entry } from './parsed-entry.ts'
import { parseTable } from './table.ts'
import { parseXmlFile } from './xml-file.ts'
import { isZip } from './zip.ts'
import { parseZip } from './zip-statement.ts'

export type { Entry, EntryProblem } from './parsed-entry.ts'

export type FileType = 'xml' | 'csv' | 'mt940' | 'zip'

export interface ParseOptions {
  type: FileType
  /** For a table: the name of a column → a field of `tableFields`, or '' for one to be left out. Other columns are known by their names. */
  mapping?: Record<string, string>
  /** Where a bank gives the moment of a booking in UTC, this says which day that is. UTC unless said otherwise. */
  timezone?: string
  /** For a table without a column for it. EUR unless said otherwise. */
  currency?: string
}

/** A file that turned out to be a statement. Its entries are read while they are asked for, once. */
export interface ParsedStatement extends AsyncIterable<Entry> {
  meta: StatementMeta
}

export interface StatementMeta {
  /** Such as `camt.053.001.08`, `csv` or `mt940`; of an archive what is in it, known when all of it is read. */
  format: string
  /** The columns of a table, and what each of them was taken for. */
  columns?: string[]
  mapping?: Record<string, string>
}

/**
 * Reads a bank statement, entry by entry: memory does not grow with their number. Whatever is wrong with the file as a whole is thrown
 * as a StatementFileProblem, at once or after any number of entries: who has written some of them takes them back.
 */
export function parseStatement(bytes: Buffer, options: ParseOptions): ParsedStatement {
  switch (options.type) {
    case 'xml':
      return parseXmlFile(bytes, name => createCamtMessage(name, options) ?? createPain002Message(name, options))
    case 'mt940':
      return parseMt940(bytes, options)
    case 'zip':
      return parseZip(bytes, options, (content, given) =>
        parseStatement(content, { ...given, type: detectFileType(content) })
      )
    case 'csv':
      return parseTable(bytes, options)
  }
}

/** What a file is, by what it begins with: names and types that browsers give to files are not to be trusted. */
export function detectFileType(bytes: Buffer): FileType {
  if (isZip(bytes)) return 'zip'
  const start = bytes
    .toString('latin1', 0, 1000)
    .replaceAll('\0', '')
    .replace(/^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)/, '')
  if (/^\s*</.test(start)) return 'xml'
  return isMt940(start) ? 'mt940' : 'csv'
}
