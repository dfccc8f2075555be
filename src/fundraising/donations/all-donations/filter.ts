import type { Settings } from '#platform/config.ts'
import { emptySql, type Sql, sql } from '#platform/database/sql.ts'
import { toLowerBound, toUpperBound } from '../../dates.ts'
import type { EncryptionKeys } from '../../encryption/iban-encryption.ts'
import type { DonationFilter } from './schema.ts'
import { buildSearchFilter } from './search-filter.ts'

/** A search for an IBAN needs the keys of its fingerprints. */
export type FilterSettings = Pick<Settings, 'timezone'> & EncryptionKeys

/** The filter on `donation`. Excludes deleted donations, but not those of deleted campaigns, because they are money. */
export function buildFilter(filter: DonationFilter, settings: FilterSettings): Sql {
  const { timezone } = settings
  const {
    campaignId,
    status,
    from,
    to,
    search = '',
    receiptRequested,
    minAmount,
    maxAmount,
    review,
    messageReview
  } = filter
  return sql`
    donation.deleted_at is null
    ${campaignId === undefined ? emptySql : sql`and donation.campaign_id = ${campaignId}`}
    ${status === undefined ? emptySql : buildStatusFilter(status.split(','))}
    ${from === undefined ? emptySql : sql`and donation.created_at >= ${toLowerBound(from, timezone)}`}
    ${to === undefined ? emptySql : sql`and donation.created_at < ${toUpperBound(to, timezone)}`}
    ${search === '' ? emptySql : sql`and (${buildSearchFilter(search, settings)})`}
    ${receiptRequested === undefined ? emptySql : sql`and donation.receipt_requested = ${receiptRequested === 'true'}`}
    ${minAmount === undefined ? emptySql : sql`and donation.amount_cents >= ${minAmount}`}
    ${maxAmount === undefined ? emptySql : sql`and donation.amount_cents <= ${maxAmount}`}
    ${review === undefined ? emptySql : reviewFilters[review]}
    ${messageReview === undefined ? emptySql : messageFilters[messageReview]}`
}

export function isEmptyFilter(filter: DonationFilter): boolean {
  const { campaignId, status, from, to, search, receiptRequested, minAmount, maxAmount, review, messageReview } = filter
  const given = [campaignId, status, from, to, search || undefined, receiptRequested, minAmount, maxAmount]
  return [...given, review, messageReview].every(value => value === undefined)
}

/** Literals instead of parameters, because waiting donations have a partial index. */
const reviewFilters = {
  waiting: sql`and donation.review = 'waiting'`,
  released: sql`and donation.review = 'released'`
}

const messageFilters = {
  waiting: sql`and donation.message_review = 'waiting' and donation.message is not null`,
  shown: sql`and donation.message_review = 'shown' and donation.message is not null`,
  hidden: sql`and donation.message_review = 'hidden' and donation.message is not null`
}

/** A single status can use the ordered index; `any` of several would hide that from the planner. */
function buildStatusFilter(statuses: string[]): Sql {
  return statuses.length === 1 ? sql`and donation.status = ${statuses[0]}` : sql`and donation.status = any(${statuses})`
}
