import { Refused, withQuery } from '../../api.ts'
import { consoleWords } from '../../text/console.ts'
import type { Desk, Download } from '../console.ts'
import { donationFilter } from './donation-filter.ts'

/** The same filters as the list; the API writes down that somebody took it. */
export async function downloadDonations(desk: Desk): Promise<Download> {
  const path = withQuery('/donations.csv', donationFilter(desk).query)
  const { status, text } = await desk.api.raw({ method: 'GET', path, headers: {} })
  if (status !== 200) throw new Refused(status, '', consoleWords[desk.language].refused, {})
  // A file read over HTTP has lost the mark that German spreadsheets look for.
  const mark = desk.language === 'de' && !text.startsWith('\ufeff') ? '\ufeff' : ''
  return {
    text: mark + text,
    type: 'text/csv; charset=utf-8',
    fileName: `donations-${desk.now.toISOString().slice(0, 10)}.csv`
  }
}
