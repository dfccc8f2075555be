import { getCsvFormat } from '#platform/csv/csv.ts'
import { getMessages, type Messages } from '#platform/messages/messages.ts'
import { withQuery } from '../../server/api-client.ts'
import { calendarPath } from '../../server/calendar-api.ts'
import type { AdminContext, AdminRouter, Download } from '../shared/context.ts'

type Kind = keyof Messages<'export'>['kinds']
type Format = keyof Messages<'export'>['formats']

const types: Record<Format, string> = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/jsonl; charset=utf-8',
  ics: 'text/calendar; charset=utf-8'
}

const everyStatus = { status: 'publish,draft,pending,private,future' }

/** API path of each export, with the query that returns everything. */
const sources: { kind: Kind; path: string; formats: Format[]; query?: Record<string, string> }[] = [
  { kind: 'events', path: `${calendarPath}/events`, formats: ['csv', 'jsonl', 'ics'], query: everyStatus },
  { kind: 'venues', path: `${calendarPath}/venues`, formats: ['csv', 'jsonl'], query: everyStatus },
  { kind: 'organizers', path: `${calendarPath}/organizers`, formats: ['csv', 'jsonl'], query: everyStatus },
  { kind: 'categories', path: `${calendarPath}/categories`, formats: ['csv', 'jsonl'] },
  { kind: 'tags', path: `${calendarPath}/tags`, formats: ['csv', 'jsonl'] },
  { kind: 'campaigns', path: '/campaigns', formats: ['csv', 'jsonl'] },
  { kind: 'donations', path: '/donations', formats: ['csv', 'jsonl'] }
]

export function registerDownloadRoutes(console: AdminRouter): void {
  for (const { kind, path, formats, query = {} } of sources) {
    for (const format of formats) {
      console.get(`/admin/data/${kind}.${format}`, [], async context => {
        const ofCalendar = path.startsWith(calendarPath) ? { language: context.language } : {}
        const params = { ...query, ...ofCalendar, ...(format === 'ics' ? { all: 'true', status: '' } : {}) }
        return await download(context, withQuery(`${path}.${format}`, params), kind, format)
      })
    }
  }
}

async function download(context: AdminContext, path: string, kind: Kind, format: Format): Promise<Download> {
  const { text } = await context.api.download(path)
  // Reading the file over HTTP strips the byte order mark that German spreadsheets need.
  const mark = format === 'csv' && !text.startsWith('\ufeff') ? getCsvFormat(context.language).mark : ''
  return {
    text: mark + text,
    type: types[format],
    fileName: `${kind}-${context.now.toISOString().slice(0, 10)}.${format}`
  }
}

export function Downloads({ context }: { context: AdminContext }) {
  const strings = getMessages('export', context.language)
  return (
    <section class="card" aria-labelledby="downloads">
      <h2 id="downloads">{strings.downloads}</h2>
      <p>{strings.downloadsHint}</p>
      <ul class="downloads">
        {sources.map(({ kind, formats }) => (
          <li key={kind}>
            <span>{strings.kinds[kind]}</span>
            <span class="actions">
              {formats.map(format => (
                <a
                  key={format}
                  class="button small quiet"
                  href={`/admin/data/${kind}.${format}`}
                  aria-label={strings.download({ kind: strings.kinds[kind], format: strings.formats[format] })}
                >
                  {strings.formats[format]}
                </a>
              ))}
            </span>
          </li>
        ))}
      </ul>
      <dl class="formats muted">
        {(Object.keys(strings.formats) as Format[]).map(format => (
          <div key={format}>
            <dt>{strings.formats[format]}</dt>
            <dd>{strings.formatHints[format]}</dd>
          </div>
        ))}
      </dl>
      <p class="hint">
        {strings.exportCommand}: <code>./kalends export csv --out FOLDER</code>
      </p>
    </section>
  )
}
