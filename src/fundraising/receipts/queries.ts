import type { Database } from '#platform/database/database.ts'
import { sql } from '#platform/database/sql.ts'
import type { Language } from '#platform/language.ts'
import type { ReceiptContent } from './content.ts'
import type { ReceiptKind, ReceiptState } from './schema.ts'
import { packFile, unpackFile } from './stored-file.ts'

export interface ReceiptRow {
  id: string
  version: number
  number: string
  year: number
  kind: ReceiptKind
  language: Language
  state: ReceiptState
  needsWithdrawal: boolean
  issuedOn: string
  issuedAt: string
  issuedBy: string
  amountCents: number
  currency: string
  content: ReceiptContent
  fileHash: Buffer
  runId: string | null
  sent: boolean
  withdrawnAt: string | null
  withdrawnBy: string | null
  withdrawnReason: string | null
  /** Set once the retention period is over and the donor's data is erased. */
  erasedAt: string | null
}

export const columns = sql`
  id, version, number, year, kind, language, state, currency, content, sent,
  needs_withdrawal as "needsWithdrawal",
  to_char(issued_on, 'YYYY-MM-DD') as "issuedOn",
  issued_at as "issuedAt",
  issued_by as "issuedBy",
  amount_cents as "amountCents",
  file_hash as "fileHash",
  run_id as "runId",
  withdrawn_at as "withdrawnAt",
  withdrawn_by as "withdrawnBy",
  withdrawn_reason as "withdrawnReason",
  erased_at as "erasedAt"`

interface DonationKey {
  campaignId: number
  id: string
}

/** The valid receipt of a donation, if any; the data printed on it must not change. */
export async function findLiveReceipt(
  db: Database,
  { campaignId, id }: DonationKey
): Promise<{ id: string; number: string } | undefined> {
  const [found] = await listLiveReceipts(db, [{ campaignId, id }])
  return found
}

/** The valid receipts of the given donations. */
export async function listLiveReceipts(
  db: Database,
  donations: DonationKey[]
): Promise<{ campaignId: number; donationId: string; id: string; number: string }[]> {
  return await db.all(sql`
    select certified.campaign_id as "campaignId", certified.donation_id as "donationId", receipt.id, receipt.number
    from unnest(${donations.map(one => one.campaignId)}::bigint[], ${donations.map(one => one.id)}::uuid[])
      as wanted (campaign_id, donation_id)
    join fundraising.receipt_donations as certified on certified.campaign_id = wanted.campaign_id
      and certified.donation_id = wanted.donation_id and certified.live
    join fundraising.receipts as receipt on receipt.id = certified.receipt_id
    order by receipt.id`)
}

/** The bank returned money that these receipts certify: they are wrong until they are withdrawn. */
export async function setNeedsWithdrawal(tx: Database, receiptIds: string[]): Promise<void> {
  await tx.run(sql`
    update fundraising.receipts
    set needs_withdrawal = true, version = version + 1
    where id = any(${receiptIds}::uuid[]) and not needs_withdrawal`)
}

/** Receipts of a donation, oldest first, including withdrawn ones. */
export async function listOfDonation(db: Database, { campaignId, id }: DonationKey): Promise<ReceiptRow[]> {
  return await db.all(sql`
    select ${columns}
    from fundraising.receipts
    where id in (
      select receipt_id from fundraising.receipt_donations where campaign_id = ${campaignId} and donation_id = ${id}
    )
    order by id
    limit 100`)
}

export async function find(db: Database, id: string): Promise<ReceiptRow | undefined> {
  return await db.maybeOne(sql`
    select ${columns}
    from fundraising.receipts
    where id = ${id}`)
}

export async function lock(tx: Database, id: string): Promise<ReceiptRow | undefined> {
  return await tx.maybeOne(sql`
    select ${columns}
    from fundraising.receipts
    where id = ${id}
    for update`)
}

/** The file as issued; null once its retention period is over. */
export async function findFile(db: Database, id: string): Promise<Buffer | null> {
  const found = await db.maybeOne<{ file: Buffer | null }>(sql`
    select file from fundraising.receipts where id = ${id}`)
  return found?.file == null ? null : unpackFile(found.file)
}

/** The donor's e-mail address and language; undefined if erased. */
export async function findDonorEmail(
  db: Database,
  id: string
): Promise<{ address: string; language: Language | null } | undefined> {
  return await db.maybeOne(sql`
    select donation.email as address, donation.language
    from fundraising.receipt_donations as certified
    join fundraising.donations as donation
      on donation.campaign_id = certified.campaign_id and donation.id = certified.donation_id
    where certified.receipt_id = ${id} and donation.email is not null
    order by donation.id desc
    limit 1`)
}

/** The next number, unless a concurrent transaction takes it. */
export async function findNextNumber(db: Database, year: number): Promise<number> {
  const found = await db.maybeOne<{ last: number }>(sql`
    select last from fundraising.receipt_numbers where year = ${year}`)
  return (found?.last ?? 0) + 1
}

/** Takes the next number of a year. The transaction holds the row lock: after a rollback the number was never used. */
export async function takeNumber(tx: Database, year: number): Promise<number> {
  const { last } = await tx.one<{ last: number }>(sql`
    insert into fundraising.receipt_numbers (year, last)
    values (${year}, 1)
    on conflict (year) do update set last = receipt_numbers.last + 1
    returning last`)
  return last
}

export async function insert(
  tx: Database,
  receipt: {
    id: string
    sequence: number
    year: number
    by: string
    content: ReceiptContent
    file: Buffer
    fileHash: Buffer
    replaces: string | null
    runId: string | null
    sent: boolean
  }
): Promise<ReceiptRow> {
  const { content } = receipt
  const row = await tx.one<ReceiptRow>(sql`
    insert into fundraising.receipts (
      id, number, year, sequence, kind, language, issued_on, issued_at, issued_by, amount_cents, currency, donor_name,
      content, file, file_hash, replaces, run_id, sent
    ) values (
      ${receipt.id}, ${content.number}, ${receipt.year}, ${receipt.sequence}, ${content.kind}, ${content.language},
      ${content.issuedOn}::date, ${content.issuedAt}, ${receipt.by}, ${content.amountCents}, ${content.currency},
      ${content.donor.name}, ${JSON.stringify(content)}, ${packFile(receipt.file)}, ${receipt.fileHash}, ${receipt.replaces},
      ${receipt.runId}, ${receipt.sent}
    )
    returning ${columns}`)
  await tx.run(sql`
    insert into fundraising.receipt_donations (campaign_id, donation_id, receipt_id, live)
    select distinct campaign_id, donation_id, ${receipt.id}::uuid, true
    from unnest(
      ${content.donations.map(one => one.campaignId)}::bigint[], ${content.donations.map(one => one.id)}::uuid[]
    ) as certified (campaign_id, donation_id)`)
  const certified = await tx.run(sql`
    update fundraising.payments as payment
    set receipt_id = ${receipt.id}, certified_cents = line.amount_cents
    from unnest(
      ${content.donations.map(one => one.campaignId)}::bigint[],
      ${content.donations.map(one => one.id)}::uuid[],
      ${content.donations.map(one => one.paymentId ?? null)}::uuid[],
      ${content.donations.map(one => one.amountCents)}::bigint[],
      ${content.donations.map(one => one.receivedOn)}::date[]
    ) as line (campaign_id, donation_id, payment_id, amount_cents, received_on)
    where payment.campaign_id = line.campaign_id and payment.donation_id = line.donation_id
      and payment.id = line.payment_id and payment.received_on = line.received_on
      and payment.taken_back_at is null and payment.receipt_id is null`)
  if (certified !== content.donations.length) throw new Error('A receipt certifies a payment that does not exist.')
  return row
}

/** Withdraws the receipt and frees its donations. */
export async function setWithdrawn(
  tx: Database,
  id: string,
  { reason, by, now }: { reason: string; by: string; now: Date }
): Promise<ReceiptRow> {
  await tx.run(sql`update fundraising.receipt_donations set live = false where receipt_id = ${id}`)
  await tx.run(sql`
    update fundraising.payments set receipt_id = null, certified_cents = 0 where receipt_id = ${id}`)
  return await tx.one(sql`
    update fundraising.receipts
    set state = 'withdrawn', version = version + 1, withdrawn_at = ${now}, withdrawn_by = ${by},
      withdrawn_reason = ${reason}
    where id = ${id}
    returning ${columns}`)
}

/** The latest withdrawn receipt of one of the donations. */
export async function findWithdrawnReceipt(
  tx: Database,
  donations: DonationKey[]
): Promise<{ id: string; number: string } | undefined> {
  return await tx.maybeOne(sql`
    select receipt.id, receipt.number
    from unnest(${donations.map(one => one.campaignId)}::bigint[], ${donations.map(one => one.id)}::uuid[])
      as wanted (campaign_id, donation_id)
    join fundraising.receipt_donations as certified on certified.campaign_id = wanted.campaign_id
      and certified.donation_id = wanted.donation_id
    join fundraising.receipts as receipt on receipt.id = certified.receipt_id and receipt.state = 'withdrawn'
    order by receipt.withdrawn_at desc, receipt.id desc
    limit 1`)
}

/** All receipts that certify or certified any of the donations, oldest first. */
export async function listOfDonations(db: Database, donations: DonationKey[]): Promise<ReceiptRow[]> {
  return await db.all(sql`
    select ${columns}
    from fundraising.receipts
    where id in (
      select certified.receipt_id
      from unnest(${donations.map(one => one.campaignId)}::bigint[], ${donations.map(one => one.id)}::uuid[])
        as wanted (campaign_id, donation_id)
      join fundraising.receipt_donations as certified
        on certified.campaign_id = wanted.campaign_id and certified.donation_id = wanted.donation_id
    )
    order by id
    limit 5000`)
}

/** Years whose last number differs from the number of receipts. */
export async function listGaps(db: Database): Promise<{ year: number; last: number; count: number }[]> {
  return await db.all(sql`
    select numbers.year, numbers.last, count(receipt.id)::int as count
    from fundraising.receipt_numbers as numbers
    left join fundraising.receipts as receipt on receipt.year = numbers.year
    group by numbers.year, numbers.last
    having count(receipt.id) <> numbers.last or max(receipt.sequence) <> numbers.last
    order by numbers.year`)
}

/** Valid receipts whose amount differs from their payments, without being marked for withdrawal. */
export async function listUnfounded(
  db: Database
): Promise<{ number: string; amountCents: number; paidCents: number }[]> {
  return await db.all(sql`
    select receipt.number, receipt.amount_cents as "amountCents", coalesce(paid.cents, 0)::bigint as "paidCents"
    from fundraising.receipts as receipt
    left join (
      select payment.receipt_id, sum(payment.certified_cents) as cents
      from fundraising.payments as payment
      where payment.receipt_id is not null and payment.taken_back_at is null
      group by payment.receipt_id
    ) as paid on paid.receipt_id = receipt.id
    where receipt.state = 'issued' and not receipt.needs_withdrawal
      and receipt.amount_cents <> coalesce(paid.cents, 0)
    order by receipt.number
    limit 20`)
}
