import type { Database } from '#platform/database/database.ts'
import { sql, toLiteral } from '#platform/database/sql.ts'
import type { DonationStatus } from '../../../donations/schema.ts'
import { isSamePerson, type PayerName, splitName } from './payer-name.ts'

/** A donation that a payment may be for. */
export interface MatchCandidate {
  campaignId: number
  id: string
  reference: string
  /** The promised amount, and the part that has arrived. */
  amountCents: number
  receivedCents: number
  /** Recorded manually or by a collection, and not confirmed by a bank entry. */
  unconfirmedCents: number
  status: DonationStatus
  currency: string
  /** The account that should receive the money. */
  campaignIban: string
}

/** For statements that join `donation` and `campaign`. */
const columns = sql`
  donation.campaign_id as "campaignId",
  donation.id,
  donation.reference,
  donation.amount_cents as "amountCents",
  donation.received_cents as "receivedCents",
  case when donation.received_cents = 0 then 0 else (
    select coalesce(sum(payment.amount_cents - payment.returned_cents), 0)::bigint
    from fundraising.payments as payment
    where payment.campaign_id = donation.campaign_id and payment.donation_id = donation.id
      and payment.taken_back_at is null and payment.source in ('manual', 'direct_debit')
  ) end as "unconfirmedCents",
  donation.status,
  campaign.currency,
  campaign.account_iban as "campaignIban"`

/** The same columns for a subquery with the alias `found`. */
const foundColumns = sql`
  found."campaignId", found.id, found.reference, found."amountCents", found."receivedCents", found."unconfirmedCents",
  found.status, found.currency, found."campaignIban"`

export async function findLargestCampaign(db: Database): Promise<number> {
  const { id } = await db.one<{ id: number }>(sql`select coalesce(max(id), 0) as id from fundraising.campaigns`)
  return id
}

/** In any status, even if the donation or its campaign is deleted: someone paid for it. */
export async function listByReference(
  db: Database,
  wanted: { campaignId: number; reference: string }[]
): Promise<MatchCandidate[]> {
  if (wanted.length === 0) return []
  return await db.all(sql`
    select ${columns}
    from unnest(
      ${wanted.map(one => one.campaignId)}::bigint[], ${wanted.map(one => one.reference)}::text[]
    ) as wanted (campaign_id, reference)
    join fundraising.donations as donation
      on donation.campaign_id = wanted.campaign_id and donation.reference = wanted.reference
    join fundraising.campaigns as campaign on campaign.id = donation.campaign_id`)
}

/** Finds donations by mandate reference. */
export async function listByMandate(
  db: Database,
  references: string[]
): Promise<(MatchCandidate & { mandateReference: string })[]> {
  if (references.length === 0) return []
  return await db.all(sql`
    select ${columns}, mandate.reference as "mandateReference"
    from fundraising.mandates as mandate
    join fundraising.donations as donation
      on donation.campaign_id = mandate.campaign_id and donation.id = mandate.donation_id
    join fundraising.campaigns as campaign on campaign.id = donation.campaign_id
    where mandate.reference = any(${references}::text[])`)
}

/** The most candidates per account or name; with more donations of the same amount a guess is not enough. */
const sameMax = 5

/** Donations with one of these statuses, this account and this amount; oldest first, because they wait longest. */
export async function listByAccount(
  db: Database,
  wanted: { index: number; fingerprint: Buffer; amountCents: number; currency: string; statuses: DonationStatus[] }[]
): Promise<(MatchCandidate & { index: number })[]> {
  if (wanted.length === 0) return []
  return await db.all(sql`
    select found.index, ${foundColumns}
    from (
      select
        wanted.index, ${columns},
        row_number() over (partition by wanted.index order by donation.created_at, donation.id) as place
      from unnest(
        ${wanted.map(one => one.index)}::int[],
        ${wanted.map(one => one.fingerprint)}::bytea[],
        ${wanted.map(one => one.amountCents)}::bigint[],
        ${wanted.map(one => one.currency)}::text[],
        ${wanted.map(one => one.statuses.join())}::text[]
      ) as wanted (index, fingerprint, amount_cents, currency, statuses)
      join fundraising.donations as donation on donation.iban_fingerprint = wanted.fingerprint
      join fundraising.campaigns as campaign on campaign.id = donation.campaign_id
      where (donation.amount_cents = wanted.amount_cents or donation.received_cents = wanted.amount_cents)
        and campaign.currency = wanted.currency
        and donation.status = any(string_to_array(wanted.statuses, ','))
        and donation.deleted_at is null
    ) as found
    where found.place <= ${toLiteral(sameMax)}
    order by found.index, found.place`)
}

/**
 * The most donations compared per amount, newest first because old promises are rarely kept: many people give 50 euros,
 * and a file can have thousands of payments.
 */
const sameAmountMax = 1000

/** The words of a donor's name like `splitName`, except for titles and initials, which are left to it. */
const nameWords = sql`string_to_array(
  translate(
    replace(replace(replace(donation.donor_search, 'ae', 'a'), 'oe', 'o'), 'ue', 'u'), '.,;:/()_''"-&+', '             '
  ), ' '
)`

interface WantedName {
  index: number
  payer: PayerName
  amountCents: number
  currency: string
}

/** Donations in process with this amount whose donor has one of the words in the name, oldest first. */
async function listByAmount(
  db: Database,
  amountCents: number,
  words: string[]
): Promise<(MatchCandidate & { donorName: string })[]> {
  return await db.all(sql`
    select ${foundColumns}, found."donorName"
    from (
      select ${columns}, donation.donor_name as "donorName", donation.created_at, ${nameWords} as words
      from fundraising.donations as donation
      join fundraising.campaigns as campaign on campaign.id = donation.campaign_id
      where donation.amount_cents = ${amountCents} and donation.status = 'IN_PROCESS' and donation.deleted_at is null
      order by donation.created_at desc
      limit ${toLiteral(sameAmountMax)}
    ) as found
    where found."donorName" is not null and found.words && ${words}::text[]
    order by found.created_at, found.id`)
}

/** Donations in process with this amount and name, oldest first. Scans the donations of each amount once. */
export async function listByName(db: Database, wanted: WantedName[]): Promise<(MatchCandidate & { index: number })[]> {
  const words = new Map<number, Set<string>>()
  for (const { amountCents, payer } of wanted) {
    const known = words.get(amountCents) ?? new Set()
    for (const word of payer.words) known.add(word)
    if (known.size > 0) words.set(amountCents, known)
  }
  if (words.size === 0) return []
  // A statement for each amount, sent together: Citus does not run a subquery with a limit for each row of another one.
  const lists = [...words].map(([amountCents, some]) => listByAmount(db, amountCents, [...some]))
  const rows = (await Promise.all(lists)).flat()
  const found = rows.map(({ donorName, ...candidate }) => ({ candidate, donor: splitName(donorName) }))
  return wanted.flatMap(({ index, payer, amountCents, currency }) =>
    found
      .filter(({ candidate }) => candidate.amountCents === amountCents && candidate.currency === currency)
      .filter(({ donor }) => isSamePerson(payer, donor))
      .slice(0, sameMax)
      .map(({ candidate }) => ({ ...candidate, index }))
  )
}
