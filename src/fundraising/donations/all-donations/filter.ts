import { emptySql, type Sql, sql } from '#platform/database/sql.ts'
import { toLowerBound, toUpperBound } from '../../dates.ts'
import { parseCampaignId, parseReference } from '../../money/reference.ts'
import type { DonationFilter } from './schema.ts'

/** The filter on `donation`. Excludes deleted donations, but not those of deleted campaigns, because they are money. */
export function buildFilter(filter: DonationFilter, timezone: string): Sql {
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
    ${search === '' ? emptySql : sql`and (${buildSearchFilter(search)})`}
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

function buildSearchFilter(text: string): Sql {
  const name = sql`position(${foldText(text)} in donation.donor_search) > 0`
  const reference = parseReference(text)
  if (reference !== undefined) {
    // A reference begins with its campaign id and is unique within the campaign.
    const exact = sql`donation.campaign_id = ${parseCampaignId(reference)} and donation.reference = ${reference}`
    // A name can consist of the same letters, but not of digits and hyphens; with those, the name search is skipped.
    return /[\d-]/.test(text) ? exact : sql`(${exact}) or ${name}`
  }
  return text.includes('@') ? sql`${name} or lower(donation.email) = lower(${text})` : name
}

/** Folds names like the migration does. */
function foldText(text: string): Sql {
  return sql`lower(regexp_replace(normalize(replace(${text}, 'ß', 'ss'), nfd), '[\\u0300-\\u036f]', '', 'g'))`
}
