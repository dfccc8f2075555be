import type { Text } from '#platform/language.ts'
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
  const at = line === undefined ? text : { en: `Line ${line}: ${text.en}`, de: `Zeile ${line}: ${text.de}` }
  return member === undefined ? at : { en: `${member}: ${at.en}`, de: `${member}: ${at.de}` }
}

export const newNotAStatementProblem = () =>
  new StatementFileProblem('not-a-statement', {
    en: 'Unsupported file format. Export the transactions of your account as camt.053 or camt.054 (XML), as MT940, or as CSV.',
    de: 'Das Dateiformat wird nicht unterstützt. Exportieren Sie die Umsätze Ihres Kontos als camt.053 oder camt.054 (XML), als MT940 oder als CSV.'
  })

/** Larger statements can be exported in parts. */
export const entriesMax = 200_000

export const newTooManyEntriesProblem = () =>
  new StatementFileProblem('statement-too-many-entries', {
    en: `A file may have at most ${entriesMax} transactions. Export the statement in parts, for example month by month.`,
    de: `Eine Datei darf höchstens ${entriesMax} Umsätze haben. Exportieren Sie den Auszug in Teilen, etwa nach Monaten.`
  })
