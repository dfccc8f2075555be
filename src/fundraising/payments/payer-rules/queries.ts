import type { Database } from '#platform/database/database.ts'
import { emptySql, sql, toLiteral } from '#platform/database/sql.ts'
import type { RuleAction } from './schema.ts'

export interface PayerRuleRow {
  id: string
  position: number
  payerName: string | null
  encryptedIban: Buffer | null
  ibanFingerprint: Buffer | null
  action: RuleAction
  campaignId: number | null
  campaignName: string | null
  note: string | null
  createdAt: string
  createdBy: string
  lastUsedAt: string | null
}

const columns = sql`
  rule.id, rule.position, rule.action, rule.note,
  rule.payer_name as "payerName",
  rule.iban_encrypted as "encryptedIban",
  rule.iban_fingerprint as "ibanFingerprint",
  rule.campaign_id as "campaignId",
  rule.created_at as "createdAt",
  rule.created_by as "createdBy",
  rule.last_used_at as "lastUsedAt",
  campaign.name as "campaignName"`

const tables = sql`
  fundraising.payer_rules as rule
  left join fundraising.campaigns as campaign on campaign.id = rule.campaign_id`

/** Newest first, starting after the given rule. */
export async function list(
  db: Database,
  page: { beforePosition: number | undefined; rows: number }
): Promise<PayerRuleRow[]> {
  return await db.all(sql`
    select ${columns}
    from ${tables}
    where true ${page.beforePosition === undefined ? emptySql : sql`and rule.position < ${page.beforePosition}`}
    order by rule.position desc
    limit ${toLiteral(page.rows)}`)
}

export async function count(db: Database): Promise<number> {
  const { total } = await db.one<{ total: number }>(sql`select count(*) as total from fundraising.payer_rules`)
  return total
}

export async function listByIds(db: Database, ids: string[]): Promise<PayerRuleRow[]> {
  if (ids.length === 0) return []
  return await db.all(sql`select ${columns} from ${tables} where rule.id = any(${ids}::uuid[])`)
}

async function getById(db: Database, id: string): Promise<PayerRuleRow> {
  return await db.one(sql`select ${columns} from ${tables} where rule.id = ${id}`)
}

/** Finds rules by fingerprints of the payers' IBANs. */
export async function listByFingerprints(db: Database, fingerprints: Buffer[]): Promise<PayerRuleRow[]> {
  if (fingerprints.length === 0) return []
  return await db.all(sql`
    select ${columns} from ${tables} where rule.iban_fingerprint = any(${fingerprints}::bytea[])`)
}

export type NewPayerRuleRow = Pick<
  PayerRuleRow,
  'id' | 'payerName' | 'encryptedIban' | 'ibanFingerprint' | 'action' | 'campaignId' | 'note' | 'createdBy'
>

/** An account has one rule: an existing one is replaced. */
export async function insertOrReplace(tx: Database, rule: NewPayerRuleRow, now: Date): Promise<PayerRuleRow> {
  const { id } = await tx.one<{ id: string }>(sql`
    insert into fundraising.payer_rules as rule (
      id, payer_name, iban_encrypted, iban_fingerprint, action, campaign_id, note, created_at, created_by
    ) values (
      ${rule.id}, ${rule.payerName}, ${rule.encryptedIban}, ${rule.ibanFingerprint}, ${rule.action}, ${rule.campaignId}, ${rule.note},
      ${now}, ${rule.createdBy}
    )
    on conflict (iban_fingerprint) where iban_fingerprint is not null do update
    set
      payer_name = coalesce(excluded.payer_name, rule.payer_name),
      iban_encrypted = excluded.iban_encrypted,
      action = excluded.action,
      campaign_id = excluded.campaign_id,
      note = excluded.note,
      created_at = excluded.created_at,
      created_by = excluded.created_by,
      last_used_at = null
    returning rule.id`)
  return await getById(tx, id)
}

/** Deletes rules of the same account whose fingerprint was made with an old key. */
export async function removeByFingerprints(tx: Database, fingerprints: Buffer[]): Promise<void> {
  if (fingerprints.length === 0) return
  await tx.run(sql`delete from fundraising.payer_rules where iban_fingerprint = any(${fingerprints}::bytea[])`)
}

export async function setUsed(tx: Database, ids: string[], now: Date): Promise<void> {
  if (ids.length === 0) return
  await tx.run(sql`update fundraising.payer_rules set last_used_at = ${now} where id = any(${ids}::uuid[])`)
}

export async function remove(tx: Database, id: string): Promise<PayerRuleRow | undefined> {
  const [rule] = await listByIds(tx, [id])
  const deleted = await tx.run(sql`delete from fundraising.payer_rules where id = ${id}`)
  return deleted === 0 ? undefined : rule
}

/** The payer of a bank statement entry. */
export async function findPayer(
  db: Database,
  { statementId, id }: { statementId: number; id: string }
): Promise<{ encryptedIban: Buffer | null; name: string | null } | undefined> {
  return await db.maybeOne(sql`
    select entry.counterpart_iban_encrypted as "encryptedIban", entry.counterpart_name as name
    from fundraising.statement_entries as entry
    where entry.statement_id = ${statementId} and entry.id = ${id}`)
}
