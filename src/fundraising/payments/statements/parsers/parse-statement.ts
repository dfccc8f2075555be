import { isZip } from '#platform/zip/zip-reader.ts'
import { createCamtMessage } from './camt.ts'
import { isMt940, parseMt940 } from './mt940.ts'
import { createPain002Message } from './pain002.ts'
import type { Entry } from './parsed-entry.ts'
import { parseTable } from './table.ts'
import { parseXmlFile } from './xml-file.ts'
import { parseZip } from './zip-statement.ts'

export type { Entry, EntryProblem } from './parsed-entry.ts'

export type FileType = 'xml' | 'csv' | 'mt940' | 'zip'

export interface ParseOptions {
  type: FileType
  /** For a table: column name → a field of `tableFields`, or '' to leave it out. Other columns are detected by name. */
  mapping?: Record<string, string>
  /** Converts booking timestamps in UTC to a day. Default: UTC. */
  timezone?: string
  /** For a table without a currency column. Default: EUR. */
  currency?: string
}

/** A file recognised as a statement. Its entries are parsed lazily and can be iterated once. */
export interface ParsedStatement extends AsyncIterable<Entry> {
  meta: StatementMeta
}

export interface StatementMeta {
  /** Such as `camt.053.001.08`, `csv` or `mt940`; for an archive the format of its files, known once all are parsed. */
  format: string
  /** The columns of a table, and the detected field of each. */
  columns?: string[]
  mapping?: Record<string, string>
}

/**
 * Parses a bank statement entry by entry, in constant memory. A problem of the whole file is thrown as a
 * StatementFileProblem, at once or after any number of entries: a caller that has stored some has to roll back.
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

/** Detects the format by the first bytes: file names and media types from browsers are unreliable. */
export function detectFileType(bytes: Buffer): FileType {
  if (isZip(bytes)) return 'zip'
  const start = bytes
    .toString('latin1', 0, 1000)
    .replaceAll('\0', '')
    .replace(/^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)/, '')
  if (/^\s*</.test(start)) return 'xml'
  return isMt940(start) ? 'mt940' : 'csv'
}
