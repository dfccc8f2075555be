import type { Text } from '#platform/language.ts'
import { Problem } from '#platform/problem.ts'

/** A file that is no statement, or breaks off: nothing of it may be kept. Never says what stands in the file. */
export class StatementFileProblem extends Problem {
  /** Where reading ended, counted from 1. */
  readonly line: number | null

  constructor(
    code: string,
    text: Text,
    more: { line?: number; columns?: string[]; mapping?: Record<string, string> } = {}
  ) {
    const { line = null, ...rest } = more
    const message = line === null ? text : { en: `Line ${line}: ${text.en}`, de: `Zeile ${line}: ${text.de}` }
    super(400, code, message, { data: { ...(line === null ? {} : { line }), ...rest } })
    this.line = line
  }
}
