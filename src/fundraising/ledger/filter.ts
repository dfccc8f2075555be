import { nothing, type Sql, sql } from '#platform/sql.ts'
import { momentBefore, momentFrom } from '../days.ts'
import { campaignIn, readReference } from '../reference.ts'
import type { LedgerFilter } from './schema.ts'

/** What a `donation` must be like to be in the list. Deleted ones never are; those of deleted campaigns are money all the same. */
export function matching(filter: LedgerFilter, timezone: string): Sql {
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
    ${campaignId === undefined ? nothing : sql`and donation.campaign_id = ${campaignId}`}
    ${status === undefined ? nothing : inStatus(status.split(','))}
    ${from === undefined ? nothing : sql`and donation.created_at >= ${momentFrom(from, timezone)}`}
    ${to === undefined ? nothing : sql`and donation.created_at < ${momentBefore(to, timezone)}`}
    ${search === '' ? nothing : sql`and (${found(search)})`}
    ${receiptRequested === undefined ? nothing : sql`and donation.receipt_requested = ${receiptRequested === 'true'}`}
    ${minAmount === undefined ? nothing : sql`and donation.amount_cents >= ${minAmount}`}
    ${maxAmount === undefined ? nothing : sql`and donation.amount_cents <= ${maxAmount}`}
    ${review === undefined ? nothing : reviewed[review]}
    ${messageReview === undefined ? nothing : withMessage[messageReview]}`
}

export function isEmpty(filter: LedgerFilter): boolean {
  const { campaignId, status, from, to, search, receiptRequested, minAmount, maxAmount, review, messageReview } = filter
  const given = [campaignId, status, from, to, search || undefined, receiptRequested, minAmount, maxAmount]
  return [...given, review, messageReview].every(value => value === undefined)
}

/** Written out, because those that wait have an index of their own. */
const reviewed = {
  waiting: sql`and donation.review = 'waiting'`,
  released: sql`and donation.review = 'released'`
}

const withMessage = {
  waiting: sql`and donation.message_review = 'waiting' and donation.message is not null`,
  shown: sql`and donation.message_review = 'shown' and donation.message is not null`,
  hidden: sql`and donation.message_review = 'hidden' and donation.message is not null`
}

/** One status has an index of its own order; `any` of several would hide that. */
function inStatus(statuses: string[]): Sql {
  return statuses.length === 1 ? sql`and donation.status = ${statuses[0]}` : sql`and donation.status = any(${statuses})`
}

function found(text: string): Sql {
  const name = sql`position(${folded(text)} in donation.donor_search) > 0`
  const reference = readReference(text)
  if (reference !== undefined) {
    // A reference begins with its campaign, and is unique in it.
    const exact = sql`donation.campaign_id = ${campaignIn(reference)} and donation.reference = ${reference}`
    // A name can be made of the same letters, but not of digits and hyphens too; then no name has to be looked at.
    return /[\d-]/.test(text) ? exact : sql`(${exact}) or ${name}`
  }
  return text.includes('@') ? sql`${name} or lower(donation.email) = lower(${text})` : name
}

/** As the migration folds names. */
function folded(text: string): Sql {
  return sql`lower(regexp_replace(normalize(replace(${text}, 'ß', 'ss'), nfd), '[\\u0300-\\u036f]', '', 'g'))`
}
