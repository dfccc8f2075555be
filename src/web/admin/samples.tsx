import type { SampleList } from '#platform/samples/schema.ts'
import { counted } from '../format.ts'
import { sampleWords } from '../text/samples.ts'
import type { Desk } from './console.ts'
import type { Column } from './table.tsx'

/** Which things are sample content, for who may know it. */
export interface Samples {
  kinds: SampleList['kinds']
  has(kind: string, id: number | string): boolean
}

export async function findSamples(desk: Desk): Promise<Samples> {
  const kinds = desk.may('editor', 'treasurer') ? (await desk.api.get<SampleList>('/samples')).body.kinds : []
  const known = new Map(kinds.map(({ kind, ids }) => [kind, new Set(ids)]))
  return { kinds, has: (kind, id) => known.get(kind)?.has(String(id)) === true }
}

/** How much of each kind, in words: 7 campaigns, 40 events. */
export function formatCounts({ language }: Desk, kinds: { kind: string; count: number }[]): string {
  const words = sampleWords[language].kinds
  return kinds.map(({ kind, count }) => counted(language, count, ...(words[kind] ?? [kind, kind]))).join(', ')
}

/** The columns of a list with a badge beside the name of what is sample content. */
export function markSamples<Row>(desk: Desk, columns: Column<Row>[], isSample: (row: Row) => boolean): Column<Row>[] {
  const { badge } = sampleWords[desk.language]
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
