import { getCsvFormat } from '#platform/csv/csv.ts'
import type { AdminContext, Download } from './context.ts'

/** Passes on a CSV file of the API; the API logs the download. */
export async function downloadCsv(context: AdminContext, path: string, name: string): Promise<Download> {
  const { text } = await context.api.download(path)
  // Reading the file over HTTP strips the byte order mark that spreadsheets of some languages need.
  const mark = text.startsWith('\ufeff') ? '' : getCsvFormat(context.language).mark
  return {
    text: mark + text,
    type: 'text/csv; charset=utf-8',
    fileName: `${name}-${context.now.toISOString().slice(0, 10)}.csv`
  }
}
