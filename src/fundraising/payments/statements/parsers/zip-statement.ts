import { buildText } from '#platform/messages/messages.ts'
import { isZip, type Member } from '#platform/zip/zip-reader.ts'
import { entriesMax, newTooManyEntriesProblem, StatementFileProblem } from './file-problems.ts'
import type { ParsedStatement, ParseOptions, StatementMeta } from './parse-statement.ts'
import { listMembers, unpackMember } from './zip.ts'

/** Parses one file of an archive. */
type ReadMember = (bytes: Buffer, options: Omit<ParseOptions, 'type'>) => ParsedStatement

/**
 * The statements in a ZIP archive, as banks deliver them: parsed in the order of their names, as if they were one file.
 * An unreadable one rejects the whole archive by name: a missing day would go unnoticed.
 */
export function parseZip(bytes: Buffer, options: Omit<ParseOptions, 'type'>, read: ReadMember): ParsedStatement {
  const members = listMembers(bytes)
  if (members.some(({ name }) => name === '[Content_Types].xml')) throw newSpreadsheetProblem()
  if (members.length === 0) throw newZipEmptyProblem()
  const formats = new Set<string>()
  const meta: StatementMeta = { format: 'zip' }
  return {
    meta,
    async *[Symbol.asyncIterator]() {
      let position = 0
      for (const [place, member] of members.entries()) {
        const content = await withMemberName(member, () => unpackMember(bytes, member))
        const reading = await withMemberName(member, () => {
          if (isZip(content)) throw newZipNestedProblem()
          return read(content, options)
        })
        const entries = reading[Symbol.asyncIterator]()
        for (;;) {
          const { done, value } = await withMemberName(member, () => entries.next())
          if (done === true) break
          position += 1
          if (position > entriesMax) throw newTooManyEntriesProblem()
          yield { ...value, position, part: place + 1 }
        }
        formats.add(reading.meta.format)
        meta.format = `zip of ${[...formats].join(', ')}`
      }
    }
  }
}

async function withMemberName<Result>({ name }: Member, act: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    throw error instanceof StatementFileProblem ? error.inMember(name) : error
  }
}

const newSpreadsheetProblem = () =>
  new StatementFileProblem('statement-packed', buildText('statement-file-problems', 'spreadsheet'))

const newZipEmptyProblem = () => new StatementFileProblem('zip-empty', buildText('statement-file-problems', 'zipEmpty'))

const newZipNestedProblem = () =>
  new StatementFileProblem('zip-nested', buildText('statement-file-problems', 'zipNested'))
