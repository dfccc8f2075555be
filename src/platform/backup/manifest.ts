import { type Static, Type } from 'typebox'
import { parseInput } from '../http/validation.ts'
import { Problem } from '../problem.ts'
import { IncompleteArchiveError } from './tar.ts'

/** Programs read archives of their own number and all before. */
export const formatVersion = 1

const TableEntry = Type.Object({
  name: Type.String(),
  columns: Type.Array(Type.String()),
  rows: Type.Integer(),
  /** Files that its rows are in, in this order. */
  parts: Type.Array(Type.String()),
  /** Of the rows before they are compressed. */
  sha256: Type.String()
})
export type TableEntry = Static<typeof TableEntry>

/** What an archive says of itself. A copy of an instance says nothing of the moment: the same instance is the same file. */
const Manifest = Type.Object({
  format: Type.Literal('kalends-archive'),
  version: Type.Integer(),
  program: Type.String(),
  /** Everything that was committed before this is in it. */
  takenAt: Type.Optional(Type.String()),
  postgresql: Type.Optional(Type.String()),
  migrations: Type.Record(Type.String(), Type.Integer()),
  tables: Type.Array(TableEntry),
  sequences: Type.Array(Type.Object({ name: Type.String(), value: Type.Integer(), isCalled: Type.Boolean() }))
})
export type Manifest = Static<typeof Manifest>

/** Of a file whose checksums hold: it is what somebody wrote, though perhaps a newer program, or another one. */
export function readManifest(content: Buffer): Manifest {
  const found: { format?: unknown; version?: unknown; program?: unknown } | null = JSON.parse(content.toString())
  if (found?.format !== 'kalends-archive') throw new IncompleteArchiveError('it is no archive of Kalends')
  if (Number(found.version) > formatVersion) {
    throw new IncompleteArchiveError(
      `it was written by Kalends ${found.program} in a newer form (${found.version}) than this program reads ` +
        `(${formatVersion}): install that version`
    )
  }
  try {
    return parseInput(Manifest, found)
  } catch (error) {
    throw error instanceof Problem ? new IncompleteArchiveError('its manifest is not what Kalends writes') : error
  }
}
