import type { Text } from '#platform/language.ts'
import { pickByLanguage } from '#platform/language.ts'
import { buildText } from '#platform/messages/messages.ts'
import { Problem } from '#platform/problem.ts'

interface Place {
  /** The line where parsing stopped, counted from 1. */
  line?: number
  /** The name of the file within an archive. */
  member?: string
}

/** The file is no statement, or is truncated: nothing of it may be stored. Never quotes the file's content. */
export class StatementFileProblem extends Problem {
  readonly line: number | null
  readonly #text: Text
  readonly #more: Place & { columns?: string[]; mapping?: Record<string, string> }

  constructor(code: string, text: Text, more: Place & { columns?: string[]; mapping?: Record<string, string> } = {}) {
    super(400, code, addPlace(text, more), { data: { ...more } })
    this.line = more.line ?? null
    this.#text = text
    this.#more = more
  }

  /** Adds the name of the file within an archive. */
  inMember(member: string): StatementFileProblem {
    return new StatementFileProblem(this.code, this.#text, { ...this.#more, member })
  }
}

function addPlace(text: Text, { line, member }: Place): Text {
  const at =
    line === undefined
      ? text
      : buildText('statement-file-problems', 'inLine', language => ({ text: pickByLanguage(text, language), line }))
  return member === undefined
    ? at
    : buildText('statement-file-problems', 'inMember', language => ({ text: pickByLanguage(at, language), member }))
}

export const newNotAStatementProblem = () =>
  new StatementFileProblem('not-a-statement', buildText('statement-file-problems', 'notAStatement'))

/** Larger statements can be exported in parts. */
export const entriesMax = 200_000

export const newTooManyEntriesProblem = () =>
  new StatementFileProblem(
    'statement-too-many-entries',
    buildText('statement-file-problems', 'tooManyEntries', { entriesMax })
  )
