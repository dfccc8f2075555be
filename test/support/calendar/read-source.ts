import type { ImportRequest, Incoming, OpenSource, SourceContext } from '#calendar/imports/sources/source.ts'
import { readSettings } from '#platform/config.ts'

/** The items that a source reads from a file, on 1 March 2027. */
export async function readFile(
  open: OpenSource,
  content: string | Uint8Array,
  request: Partial<ImportRequest> = {},
  context: Partial<SourceContext> = {}
): Promise<Incoming[]> {
  const source = await open(
    {
      url: null,
      file: Buffer.from(content),
      fileName: 'events',
      language: 'en',
      timezone: 'Europe/Berlin',
      mapping: null,
      login: null,
      ...request
    },
    {
      settings: readSettings({}),
      now: new Date('2027-03-01T10:00:00Z'),
      signal: new AbortController().signal,
      ...context
    }
  )
  const all: Incoming[] = []
  for await (const batch of source.batches()) all.push(...batch)
  return all
}
