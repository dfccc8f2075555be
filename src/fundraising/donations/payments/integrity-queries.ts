import type { Database } from '#platform/database/database.ts'
import { sql } from '#platform/database/sql.ts'

/** Donations whose received amount or day differs from their payments. */
export async function listWrongSums(db: Database): Promise<{ id: string; shownCents: number; paidCents: number }[]> {
  return await db.all(sql`
    select donation.id, donation.received_cents as "shownCents", coalesce(paid.cents, 0)::bigint as "paidCents"
    from fundraising.donations as donation
    left join (
      select
        payment.campaign_id, payment.donation_id,
        sum(payment.amount_cents) as cents,
        max(payment.received_on) filter (where payment.amount_cents > payment.returned_cents) as newest
      from fundraising.payments as payment
      where payment.taken_back_at is null
      group by payment.campaign_id, payment.donation_id
    ) as paid on paid.campaign_id = donation.campaign_id and paid.donation_id = donation.id
    where donation.received_cents <> coalesce(paid.cents, 0) or donation.received_on is distinct from paid.newest
    order by donation.campaign_id, donation.id
    limit 100`)
}

/** Donations whose status does not fit the received money. */
export async function listWrongStatuses(
  db: Database
): Promise<{ id: string; status: string; amountCents: number; receivedCents: number }[]> {
  return await db.all(sql`
    select donation.id, donation.status, donation.amount_cents as "amountCents", donation.received_cents as "receivedCents"
    from fundraising.donations as donation
    where not case donation.status
      when 'TRANSFERRED' then donation.received_cents > 0 and donation.deleted_at is null
      when 'IN_PROCESS' then donation.received_cents < donation.amount_cents
      else donation.received_cents = 0
    end
    order by donation.campaign_id, donation.id
    limit 100`)
}

export async function countViolations(db: Database): Promise<Record<string, number>> {
  return await db.one(sql`
    select
      (
        select count(*) from fundraising.payments as payment
        where not exists (
          select 1 from fundraising.donations as donation
          where donation.campaign_id = payment.campaign_id and donation.id = payment.donation_id
        )
      ) as "payments belong to no donation",
      (
        select count(*) from fundraising.payments as payment
        left join lateral (
          select coalesce(sum(reversal.amount_cents), 0) as cents
          from fundraising.payments as reversal
          where reversal.campaign_id = payment.campaign_id and reversal.donation_id = payment.donation_id
            and reversal.reverses = payment.id and reversal.taken_back_at is null
        ) as returned on true
        where payment.amount_cents > 0 and payment.taken_back_at is null and payment.returned_cents <> -returned.cents
      ) as "payments do not say what went back of them",
      (
        select count(*) from fundraising.payments as payment
        where payment.reverses is not null and payment.taken_back_at is null and not exists (
          select 1 from fundraising.payments as reversed
          where reversed.campaign_id = payment.campaign_id and reversed.donation_id = payment.donation_id
            and reversed.id = payment.reverses and reversed.taken_back_at is null
        )
      ) as "payments went back that never arrived"`)
}

/** Payments migrated from before payments were recorded, whose amount or day is an assumption. */
export async function listAssumed(
  db: Database
): Promise<{ campaignId: number; donationId: string; amountCents: number; receivedOn: string }[]> {
  return await db.all(sql`
    select
      campaign_id as "campaignId", donation_id as "donationId", amount_cents as "amountCents",
      received_on::text as "receivedOn"
    from fundraising.payments
    where is_assumed and taken_back_at is null
    order by campaign_id, donation_id, id
    limit 100`)
}

/** Payments dated in the future; one day of tolerance for time zones ahead. */
export async function listInFuture(db: Database): Promise<{ donationId: string; receivedOn: string }[]> {
  return await db.all(sql`
    select donation_id as "donationId", received_on::text as "receivedOn"
    from fundraising.payments
    where received_on > current_date + 1 and taken_back_at is null and source <> 'bank_entry'
    order by received_on, donation_id
    limit 100`)
}
