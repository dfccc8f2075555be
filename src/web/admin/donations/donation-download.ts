import { ApiError, withQuery } from '../../server/api-client.ts'
import { adminStrings } from '../../strings/admin.ts'
import type { AdminContext, Download } from '../shared/context.ts'
import { parseDonationFilter } from './donation-filter.ts'

/** Uses the same filters as the list; the API logs the download. */
export async function downloadDonations(context: AdminContext): Promise<Download> {
  const path = withQuery('/donations.csv', parseDonationFilter(context).query)
  const { status, text } = await context.api.raw({ method: 'GET', path, headers: {} })
  if (status !== 200) throw new ApiError(status, '', adminStrings[context.language].refused)
  // Reading the file over HTTP strips the byte order mark that German spreadsheets need.
  const mark = context.language === 'de' && !text.startsWith('\ufeff') ? '\ufeff' : ''
  return {
    text: mark + text,
    type: 'text/csv; charset=utf-8',
    fileName: `donations-${context.now.toISOString().slice(0, 10)}.csv`
  }
}
