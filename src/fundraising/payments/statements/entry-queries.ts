import type { Database } from '#platform/database/database.ts'
import { emptySql, sql, toLiteral } from '#platform/database/sql.ts'
import type { DonationStatus } from '../../donations/schema.ts'
import type { EntryResult, MatchedBy, Suggestion } from './schema.ts'

export interface EntryRow {
  statementId: number
  id: string
  position: number
  version: number
  account: string | null
  bookedOn: string | null
  valueOn: string | null
  amountCents: number
  currency: string
  direction: 'in' | 'out'
  isReturn: boolean
  returnReason: string | null
  isPending: boolean
  endToEndId: string | null
  mandateReference: string | null
  paymentInformationId: string | null
  text: string
  counterpartName: string | null
  encryptedIban: Buffer | null
  counterpartBic: string | null
  result: EntryResult
  reason: string | null
  reasonText: { en: string; de: string } | null
  campaignId: number | null
  donationId: string | null
  matchedBy: MatchedBy | null
  /** The donation's status before this entry changed it; null if it changed none. */
  statusBefore: DonationStatus | null
  suggestions: Suggestion[]
  firstSeen: { statementId: number; entryId: string } | null
  /** The direct debit collection whose credit this is, or may be while it is a suggestion. */
  collectionId: number | null
  /** The payer rule that made it ignored. */
  ruleId: string | null
}

export const entryColumns = sql`
  entry.id, entry.position, entry.version, entry.account, entry.currency, entry.direction, entry.text,
  entry.result, entry.reason, entry.suggestions,
  entry.statement_id as "statementId",
  entry.booked_on::text as "bookedOn",
  entry.value_on::text as "valueOn",
  entry.amount_cents as "amountCents",
  entry.is_return as "isReturn",
  entry.return_reason as "returnReason",
  entry.is_pending as "isPending",
  entry.end_to_end_id as "endToEndId",
  entry.mandate_reference as "mandateReference",
  entry.payment_information_id as "paymentInformationId",
  entry.counterpart_name as "counterpartName",
  entry.counterpart_iban_encrypted as "encryptedIban",
  entry.counterpart_bic as "counterpartBic",
  entry.reason_text as "reasonText",
  entry.campaign_id as "campaignId",
  entry.donation_id as "donationId",
  entry.matched_by as "matchedBy",
  entry.status_before as "statusBefore",
  entry.first_seen as "firstSeen",
  entry.collection_id as "collectionId",
  entry.rule_id as "ruleId"`

/** In file order. */
export async function listEntries(
  db: Database,
  statementId: number,
  result: EntryResult | undefined,
  page: { afterPosition: number | undefined; rows: number }
): Promise<EntryRow[]> {
  return await db.all(sql`
    select ${entryColumns}
    from fundraising.statement_entries as entry
    where statement_id = ${statementId}
      ${result === undefined ? emptySql : sql`and result = ${result}`}
      ${page.afterPosition === undefined ? emptySql : sql`and position > ${page.afterPosition}`}
    order by position
    limit ${toLiteral(page.rows)}`)
}

export async function findEntry(db: Database, statementId: number, id: string): Promise<EntryRow | undefined> {
  return await db.maybeOne(sql`
    select ${entryColumns}
    from fundraising.statement_entries as entry
    where statement_id = ${statementId} and id = ${id}`)
}

export async function lockEntry(tx: Database, statementId: number, id: string): Promise<EntryRow | undefined> {
  return await tx.maybeOne(sql`
    select ${entryColumns}
    from fundraising.statement_entries as entry
    where statement_id = ${statementId} and id = ${id}
    for update`)
}

export async function updateEntry(
  tx: Database,
  entry: Pick<
    EntryRow,
    | 'statementId'
    | 'id'
    | 'result'
    | 'reason'
    | 'campaignId'
    | 'donationId'
    | 'matchedBy'
    | 'statusBefore'
    | 'suggestions'
    | 'collectionId'
    | 'ruleId'
  >
): Promise<EntryRow> {
  return await tx.one(sql`
    update fundraising.statement_entries as entry
    set
      version = entry.version + 1,
      result = ${entry.result},
      reason = ${entry.reason},
      campaign_id = ${entry.campaignId},
      donation_id = ${entry.donationId},
      matched_by = ${entry.matchedBy},
      status_before = ${entry.statusBefore},
      suggestions = ${JSON.stringify(entry.suggestions)},
      collection_id = ${entry.collectionId},
      rule_id = ${entry.ruleId}
    where statement_id = ${entry.statementId} and id = ${entry.id}
    returning ${entryColumns}`)
}

/** The existing entries with these bank keys. */
export async function listKnown(
  db: Database,
  keys: Buffer[]
): Promise<{ bankKey: Buffer; statementId: number; entryId: string }[]> {
  return await db.all(sql`
    select bank_key as "bankKey", statement_id as "statementId", id as "entryId"
    from fundraising.statement_entries
    where bank_key = any(${keys}::bytea[])`)
}

export interface NewEntry extends Omit<EntryRow, 'statementId' | 'version'> {
  /** Undefined for entries that can appear again. */
  bankKey: Buffer | undefined
  ibanFingerprint: Buffer | null
}

/** Returns the number of inserted rows; skips entries whose key a concurrent import has inserted. */
export async function insertEntries(tx: Database, statementId: number, entries: NewEntry[]): Promise<number> {
  const all = <Value>(value: (entry: NewEntry) => Value) => entries.map(value)
  return await tx.run(sql`
    insert into fundraising.statement_entries (
      statement_id, id, position, account, bank_key, booked_on, value_on, amount_cents, currency, direction,
      is_return, return_reason, is_pending, end_to_end_id, mandate_reference, payment_information_id, text,
      counterpart_name, counterpart_iban_encrypted, counterpart_iban_fingerprint, counterpart_bic,
      result, reason, reason_text, campaign_id, donation_id, matched_by, status_before, suggestions, first_seen,
      collection_id, rule_id
    )
    select
      ${statementId}, id, position, account, bank_key, booked_on, value_on, amount_cents, currency, direction,
      is_return, return_reason, is_pending, end_to_end_id, mandate_reference, payment_information_id, text,
      counterpart_name, counterpart_iban_encrypted, counterpart_iban_fingerprint, counterpart_bic,
      result, reason, reason_text, campaign_id, donation_id, matched_by, status_before, suggestions, first_seen,
      collection_id, rule_id
    from unnest(
      ${all(entry => entry.id)}::uuid[],
      ${all(entry => entry.position)}::int[],
      ${all(entry => entry.account)}::text[],
      ${all(entry => entry.bankKey ?? null)}::bytea[],
      ${all(entry => entry.bookedOn)}::date[],
      ${all(entry => entry.valueOn)}::date[],
      ${all(entry => entry.amountCents)}::bigint[],
      ${all(entry => entry.currency)}::text[],
      ${all(entry => entry.direction)}::text[],
      ${all(entry => entry.isReturn)}::boolean[],
      ${all(entry => entry.returnReason)}::text[],
      ${all(entry => entry.isPending)}::boolean[],
      ${all(entry => entry.endToEndId)}::text[],
      ${all(entry => entry.mandateReference)}::text[],
      ${all(entry => entry.paymentInformationId)}::text[],
      ${all(entry => entry.text)}::text[],
      ${all(entry => entry.counterpartName)}::text[],
      ${all(entry => entry.encryptedIban)}::bytea[],
      ${all(entry => entry.ibanFingerprint)}::bytea[],
      ${all(entry => entry.counterpartBic)}::text[],
      ${all(entry => entry.result)}::text[],
      ${all(entry => entry.reason)}::text[],
      ${all(entry => (entry.reasonText === null ? null : JSON.stringify(entry.reasonText)))}::jsonb[],
      ${all(entry => entry.campaignId)}::bigint[],
      ${all(entry => entry.donationId)}::uuid[],
      ${all(entry => entry.matchedBy)}::text[],
      ${all(entry => entry.statusBefore)}::text[],
      ${all(entry => JSON.stringify(entry.suggestions))}::jsonb[],
      ${all(entry => (entry.firstSeen === null ? null : JSON.stringify(entry.firstSeen)))}::jsonb[],
      ${all(entry => entry.collectionId)}::bigint[],
      ${all(entry => entry.ruleId)}::uuid[]
    ) as entry (
      id, position, account, bank_key, booked_on, value_on, amount_cents, currency, direction,
      is_return, return_reason, is_pending, end_to_end_id, mandate_reference, payment_information_id, text,
      counterpart_name, counterpart_iban_encrypted, counterpart_iban_fingerprint, counterpart_bic,
      result, reason, reason_text, campaign_id, donation_id, matched_by, status_before, suggestions, first_seen,
      collection_id, rule_id
    )
    order by bank_key
    on conflict (bank_key) where bank_key is not null do nothing`)
}
