import { type Static, Type } from 'typebox'
import { parseInput } from '../http/validation.ts'
import { Problem } from '../problem.ts'
import { IncompleteArchiveError } from './tar.ts'

/** This program reads archives of this version and of all earlier ones. */
export const formatVersion = 1

const TableEntry = Type.Object({
  name: Type.String(),
  columns: Type.Array(Type.String()),
  rows: Type.Integer(),
  /** Names of the files with its rows, in order. */
  parts: Type.Array(Type.String()),
  /** Hash of the uncompressed rows. */
  sha256: Type.String()
})
export type TableEntry = Static<typeof TableEntry>

/** Describes an archive. A copy of an instance has no timestamp, so that the same instance gives the same file. */
const Manifest = Type.Object({
  format: Type.Literal('kalends-archive'),
  version: Type.Integer(),
  program: Type.String(),
  /** The archive contains everything that was committed before this. */
  takenAt: Type.Optional(Type.String()),
  postgresql: Type.Optional(Type.String()),
  migrations: Type.Record(Type.String(), Type.Integer()),
  tables: Type.Array(TableEntry),
  sequences: Type.Array(Type.Object({ name: Type.String(), value: Type.Integer(), isCalled: Type.Boolean() }))
})
export type Manifest = Static<typeof Manifest>

/** Parses the manifest of a file with valid checksums. It may still come from a newer program or a different one. */
export function readManifest(content: Buffer): Manifest {
  const found: { format?: unknown; version?: unknown; program?: unknown } | null = JSON.parse(content.toString())
  if (found?.format !== 'kalends-archive') throw new IncompleteArchiveError('it is not an archive of Kalends')
  if (Number(found.version) > formatVersion) {
    throw new IncompleteArchiveError(
      `it was written by Kalends ${found.program} in a newer form (${found.version}) than this program reads ` +
        `(${formatVersion}): install that version`
    )
  }
  try {
    return parseInput(Manifest, found)
  } catch (error) {
    throw error instanceof Problem ? new IncompleteArchiveError('its manifest is invalid') : error
  }
}
