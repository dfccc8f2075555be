import { Readable } from 'node:stream'

/** Lists longer than this are streamed in batches instead of held in memory. */
export const defaultBatchRows = 500

/** All rows of a list in batches, each fetched when the reader has consumed the one before. */
export async function* fetchBatches<Row>(
  fetch: (after: Row | undefined) => Promise<Row[]>,
  size = defaultBatchRows
): AsyncGenerator<Row[]> {
  let last: Row | undefined
  for (;;) {
    const rows = await fetch(last)
    if (rows.length > 0) yield rows
    if (rows.length < size) return
    last = rows.at(-1)
  }
}

/** The same rows with the first batch fetched: a bad query fails before the response begins. */
export async function prefetchFirst<Row>(rows: AsyncGenerator<Row>): Promise<AsyncGenerator<Row>> {
  const first = await rows.next()
  async function* prependFirst() {
    if (first.done === true) return
    yield first.value
    yield* rows
  }
  return prependFirst()
}

/** A JSON array written as it is read. */
export function streamJsonArray<Row>(rows: AsyncIterable<Row[]>, toWire: (row: Row) => unknown): Readable {
  async function* text() {
    let separator = '['
    for await (const chunk of rows) {
      let part = ''
      for (const row of chunk) {
        part += separator + JSON.stringify(toWire(row))
        separator = ','
      }
      yield part
    }
    yield separator === '[' ? '[]' : ']'
  }
  return Readable.from(text())
}

/** Lines written as rows are read, the first line first. */
export function streamLines<Row>(first: string, rows: AsyncIterable<Row[]>, toLine: (row: Row) => string): Readable {
  async function* text() {
    yield first
    for await (const chunk of rows) yield chunk.map(toLine).join('')
  }
  return Readable.from(text())
}

/** JSON lines: one item per line, for programs. */
export const jsonLinesType = 'application/jsonl; charset=utf-8'

export function streamJsonLines<Row>(rows: AsyncIterable<Row[]>, toWire: (row: Row) => unknown): Readable {
  return streamLines('', rows, row => `${JSON.stringify(toWire(row))}\n`)
}
