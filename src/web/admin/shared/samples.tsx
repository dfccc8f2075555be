import { formatMessage, getMessages } from '#platform/messages/messages.ts'
import type { SampleList } from '#platform/samples/schema.ts'
import type { AdminContext } from './context.ts'
import type { Column } from './table.tsx'

/** Which items are sample content, for roles that may see this. */
export interface Samples {
  kinds: SampleList['kinds']
  has(kind: string, id: number | string): boolean
}

export async function findSamples(context: AdminContext): Promise<Samples> {
  const kinds = context.hasRole('editor', 'treasurer') ? (await context.api.get<SampleList>('/samples')).body.kinds : []
  const known = new Map(kinds.map(({ kind, ids }) => [kind, new Set(ids)]))
  return { kinds, has: (kind, id) => known.get(kind)?.has(String(id)) === true }
}

/** Counts by kind: 7 campaigns, 40 events. */
export function formatSampleCounts({ language }: AdminContext, kinds: { kind: string; count: number }[]): string {
  const strings = getMessages('sample', language).kinds
  return kinds.map(({ kind, count }) => formatMessage(strings, kind, { count }) ?? `${count} ${kind}`).join(', ')
}

/** Adds a badge to the name column of sample content. */
export function markSamples<Row>(
  context: AdminContext,
  columns: Column<Row>[],
  isSample: (row: Row) => boolean
): Column<Row>[] {
  const { badge } = getMessages('sample', context.language)
  return columns.map(column =>
    column.isHead === true
      ? {
          ...column,
          cell: row => (
            <>
              {column.cell(row)}
              {isSample(row) ? <span class="badge plain">{badge}</span> : null}
            </>
          )
        }
      : column
  )
}
