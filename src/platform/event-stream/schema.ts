import { type Static, Type } from 'typebox'

export const StreamQuery = Type.Object({
  actions: Type.Optional(
    Type.String({
      line: true,
      maxLength: 2000,
      description: 'Actions to receive, comma-separated; `donation.*` selects all actions on donations.'
    })
  ),
  subject: Type.Optional(
    Type.String({
      line: true,
      maxLength: 100,
      description: 'Resource type to receive, such as donation.'
    })
  ),
  subjectId: Type.Optional(Type.String({ line: true, maxLength: 100, description: 'Id of the resource to receive.' })),
  lastEventId: Type.Optional(
    Type.String({
      line: true,
      maxLength: 100,
      description: 'Id of the last event received, for clients that cannot send the header Last-Event-ID.'
    })
  )
})
export type StreamQuery = Static<typeof StreamQuery>

/** A position in the activity log: after the row with these values. The order is by transaction, then by id. */
export interface StreamPosition {
  /** A 64-bit integer as text. */
  tx: string
  id: number
}

/** Before the first row. */
export const startPosition: StreamPosition = { tx: '0', id: 0 }

export function isBehind(one: StreamPosition, other: StreamPosition): boolean {
  return one.tx === other.tx ? one.id < other.id : BigInt(one.tx) < BigInt(other.tx)
}

export const formatPosition = ({ tx, id }: StreamPosition) => `${tx}-${id}`

/** Parses our own cursors; undefined for anything else. */
export function parsePosition(cursor: string): StreamPosition | undefined {
  const [, tx, id] = /^(0|[1-9]\d{0,18})-(0|[1-9]\d{0,14})$/.exec(cursor) ?? []
  return tx === undefined ? undefined : { tx, id: Number(id) }
}
