import type { CsvWriter } from '#platform/csv/csv.ts'
import type { Language } from '#platform/language.ts'
import { formatNumericDay } from '#platform/messages/format-day.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { toAmount } from '../../money/money.ts'
import type { AccountSum, JournalRow } from './queries.ts'
import { cashAccount, type JournalSummary, noAccount } from './schema.ts'

const columns = [
  'day',
  'received',
  'pledged',
  'currency',
  'kind',
  'payment',
  'name',
  'street',
  'postalCode',
  'city',
  'country',
  'campaign',
  'reference',
  'account',
  'statement',
  'receiptNumber'
] as const

export function buildHead(csv: CsvWriter, language: Language): string {
  const headings = getMessages('csv-headings', language).journal
  return csv.formatHeader(columns.map(column => headings[column]))
}

export function buildLine(csv: CsvWriter, row: JournalRow, language: Language): string {
  const { sources, kinds, wentBack, cash } = getMessages('journal-export', language)
  const payment = row.amountCents < 0 ? `${sources[row.originalSource]}, ${wentBack}` : sources[row.source]
  return csv.formatRow([
    formatNumericDay(row.receivedOn, language),
    toAmount(row.amountCents),
    toAmount(row.promisedCents),
    row.currency,
    kinds[row.kind],
    payment,
    row.donorName,
    row.street,
    row.postalCode,
    row.city,
    row.country,
    row.campaignName,
    row.reference,
    row.account === cashAccount ? cash : row.account === noAccount ? null : row.account,
    row.statementId === null ? null : String(row.statementId),
    row.receiptNumber
  ])
}

export function toSummaryJson(years: number[], sums: AccountSum[]): JournalSummary {
  return {
    years,
    accounts: sums.map(({ account, currency, count, receivedCents, returnedCents }) => ({
      account,
      currency,
      count,
      received: toAmount(receivedCents),
      returned: toAmount(returnedCents),
      balance: toAmount(receivedCents - returnedCents)
    }))
  }
}
