import { Refused, withQuery } from '../../api.ts'
import { calendarPath } from '../../calendar-api.ts'
import { consoleWords } from '../../text/console.ts'
import { type DataWords, dataWords } from '../../text/data.ts'
import type { Console, Desk, Download } from '../console.ts'

type Kind = keyof DataWords['kinds']
type Format = keyof DataWords['formats']

const types: Record<Format, string> = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/jsonl; charset=utf-8',
  ics: 'text/calendar; charset=utf-8'
}

const everyStatus = { status: 'publish,draft,pending,private,future' }

/** Where the API has it, and what must be said to get all of it. */
const sources: { kind: Kind; path: string; formats: Format[]; query?: Record<string, string> }[] = [
  { kind: 'events', path: `${calendarPath}/events`, formats: ['csv', 'jsonl', 'ics'], query: everyStatus },
  { kind: 'venues', path: `${calendarPath}/venues`, formats: ['csv', 'jsonl'], query: everyStatus },
  { kind: 'organizers', path: `${calendarPath}/organizers`, formats: ['csv', 'jsonl'], query: everyStatus },
  { kind: 'categories', path: `${calendarPath}/categories`, formats: ['csv', 'jsonl'] },
  { kind: 'tags', path: `${calendarPath}/tags`, formats: ['csv', 'jsonl'] },
  { kind: 'campaigns', path: '/campaigns', formats: ['csv', 'jsonl'] },
  { kind: 'donations', path: '/donations', formats: ['csv', 'jsonl'] }
]

export function downloadPages(console: Console): void {
  for (const { kind, path, formats, query = {} } of sources) {
    for (const format of formats) {
      console.show(`/admin/data/${kind}.${format}`, [], async desk => {
        const ofCalendar = path.startsWith(calendarPath) ? { language: desk.language } : {}
        const asked = { ...query, ...ofCalendar, ...(format === 'ics' ? { all: 'true', status: '' } : {}) }
        return await download(desk, withQuery(`${path}.${format}`, asked), kind, format)
      })
    }
  }
}

async function download(desk: Desk, path: string, kind: Kind, format: Format): Promise<Download> {
  const { status, text } = await desk.api.raw({ method: 'GET', path, headers: {} })
  if (status !== 200) throw new Refused(status, '', consoleWords[desk.language].refused, {})
  // A file read over HTTP has lost the mark that German spreadsheets look for.
  const mark = format === 'csv' && desk.language === 'de' && !text.startsWith('\ufeff') ? '\ufeff' : ''
  return {
    text: mark + text,
    type: types[format],
    fileName: `${kind}-${desk.now.toISOString().slice(0, 10)}.${format}`
  }
}

export function Downloads({ desk }: { desk: Desk }) {
  const words = dataWords[desk.language]
  return (
    <section class="card" aria-labelledby="downloads">
      <h2 id="downloads">{words.downloads}</h2>
      <p>{words.downloadsHint}</p>
      <ul class="downloads">
        {sources.map(({ kind, formats }) => (
          <li key={kind}>
            <span>{words.kinds[kind]}</span>
            <span class="actions">
              {formats.map(format => (
                <a
                  key={format}
                  class="button small quiet"
                  href={`/admin/data/${kind}.${format}`}
                  aria-label={words.download(words.kinds[kind], words.formats[format])}
                >
                  {words.formats[format]}
                </a>
              ))}
            </span>
          </li>
        ))}
      </ul>
      <dl class="formats faded">
        {(Object.keys(words.formats) as Format[]).map(format => (
          <div key={format}>
            <dt>{words.formats[format]}</dt>
            <dd>{words.formatHints[format]}</dd>
          </div>
        ))}
      </dl>
      <p class="hint">
        {words.exportCommand}: <code>./kalends export csv --out FOLDER</code>
      </p>
    </section>
  )
}
