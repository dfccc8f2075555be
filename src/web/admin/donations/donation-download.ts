import { withQuery } from '../../server/api-client.ts'
import type { AdminContext, Download } from '../shared/context.ts'
import { downloadCsv } from '../shared/csv-download.ts'
import { parseDonationFilter } from './donation-filter.ts'

/** Uses the same filters as the list. */
export async function downloadDonations(context: AdminContext): Promise<Download> {
  return await downloadCsv(context, withQuery('/donations.csv', parseDonationFilter(context).query), 'donations')
}
