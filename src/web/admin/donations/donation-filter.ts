import type { DonationStatus } from '#fundraising/donations/schema.ts'
import { type Query, withQuery } from '../../api.ts'
import { moneyWords } from '../../text/money.ts'
import type { Desk } from '../console.ts'
import { centsIn, exactAmount } from '../typed-amount.ts'
import { isDay } from '../typed-moment.ts'

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
  /** In the words of the API. What cannot be read narrows nothing, and is said at its field. */
  query: Query
  errors: Record<string, string>
  isEmpty: boolean
}

/** The filters of the address. */
export function donationFilter({ query, language }: Desk): DonationFilter {
  const errors: Record<string, string> = {}
  const day = (name: 'from' | 'to') => {
    const value = query[name] ?? ''
    if (value === '' || isDay(value)) return value
    errors[name] = moneyWords[language].wrong.date
    return ''
  }
  const amount = (name: 'min' | 'max') => {
    const value = (query[name] ?? '').trim()
    if (value === '') return ''
    const cents = centsIn(value, language)
    if (typeof cents === 'number') return exactAmount(cents)
    errors[name] = cents
    return ''
  }
  const narrowed = {
    campaignId: /^[1-9]\d{0,14}$/.test(query.campaign ?? '') ? query.campaign : '',
    status: statusesIn(query.status ?? ''),
    from: day('from'),
    to: day('to'),
    search: searchIn(query.search ?? ''),
    receiptRequested: query.receipt === 'yes' ? 'true' : query.receipt === 'no' ? 'false' : '',
    minAmount: amount('min'),
    maxAmount: amount('max'),
    review: query.review === 'waiting' || query.review === 'released' ? query.review : '',
    messageReview: query.review === 'message' ? 'waiting' : ''
  }
  return { query: narrowed, errors, isEmpty: Object.values(narrowed).every(value => value === '') }
}

function statusesIn(text: string): string {
  return text.split(',', donationStatuses.length).filter(isDonationStatus).join(',')
}

/** One line, however it came into the address. */
function searchIn(text: string): string {
  return text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 200)
}

const sorts = ['createdAt', 'amount', 'donorName']

export function donationSort({ query }: Desk): Query {
  return sorts.includes(query.sort ?? '') ? { sort: query.sort, order: query.order === 'desc' ? 'desc' : 'asc' } : {}
}

/** The same list, narrowed to some statuses. */
export function withStatus(desk: Desk, statuses: DonationStatus[]): string {
  return withQuery(desk.path, { ...desk.query, page: undefined, status: statuses.join(',') })
}
