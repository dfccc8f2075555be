import type { DonationStatus } from '#fundraising/donations/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { type Query, withQuery } from '../../server/api-client.ts'
import type { AdminContext } from '../shared/context.ts'
import { formatApiAmount, parseCents } from '../shared/parse-amount.ts'
import { isDay } from '../shared/parse-datetime.ts'

export const donationStatuses: readonly DonationStatus[] = [
  'IN_PROCESS',
  'TRANSFERRED',
  'CANCELLED',
  'FAILED',
  'REFUNDED'
]

export function isDonationStatus(text: string): text is DonationStatus {
  return donationStatuses.some(status => status === text)
}

export interface DonationFilter {
  /** Query for the API. An invalid value is left out and reported at its field. */
  query: Query
  errors: Record<string, string>
  isEmpty: boolean
}

/** Parses the filters of the URL. */
export function parseDonationFilter({ query, language }: AdminContext): DonationFilter {
  const errors: Record<string, string> = {}
  const day = (name: 'from' | 'to') => {
    const value = query[name] ?? ''
    if (value === '' || isDay(value)) return value
    errors[name] = getMessages('donation', language).wrong.date
    return ''
  }
  const amount = (name: 'min' | 'max') => {
    const value = (query[name] ?? '').trim()
    if (value === '') return ''
    const cents = parseCents(value, language)
    if (typeof cents === 'number') return formatApiAmount(cents)
    errors[name] = cents
    return ''
  }
  const narrowed = {
    campaignId: /^[1-9]\d{0,14}$/.test(query.campaign ?? '') ? query.campaign : '',
    status: parseStatuses(query.status ?? ''),
    from: day('from'),
    to: day('to'),
    search: parseSearch(query.search ?? ''),
    receiptRequested: query.receipt === 'yes' ? 'true' : query.receipt === 'no' ? 'false' : '',
    minAmount: amount('min'),
    maxAmount: amount('max'),
    review: query.review === 'waiting' || query.review === 'released' ? query.review : '',
    messageReview: query.review === 'message' ? 'waiting' : ''
  }
  return { query: narrowed, errors, isEmpty: Object.values(narrowed).every(value => value === '') }
}

function parseStatuses(text: string): string {
  return text.split(',', donationStatuses.length).filter(isDonationStatus).join(',')
}

/** Replaces control characters, so that the search is one line. */
function parseSearch(text: string): string {
  return text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 200)
}

const sorts = ['createdAt', 'amount', 'donorName']

export function parseDonationSort({ query }: AdminContext): Query {
  return sorts.includes(query.sort ?? '') ? { sort: query.sort, order: query.order === 'desc' ? 'desc' : 'asc' } : {}
}

/** URL of the same list, filtered by status. */
export function withStatus(context: AdminContext, statuses: DonationStatus[]): string {
  return withQuery(context.path, { ...context.query, page: undefined, status: statuses.join(',') })
}
